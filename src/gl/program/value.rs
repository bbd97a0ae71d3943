//! Values for uniforms, and the 32-bit numbers that they are made of.

use bytemuck::cast_slice;

use crate::gl::{Class, Type, TypeKind};

/// A value for a uniform: scalars, vectors of two to four components, square matrices column by
/// column, and slices for arrays.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // Named after GLSL's types.
pub enum Value {
    Float(f32),
    Vec2([f32; 2]),
    Vec3([f32; 3]),
    Vec4([f32; 4]),
    Floats(Vec<f32>),
    Vec2s(Vec<[f32; 2]>),
    Vec3s(Vec<[f32; 3]>),
    Vec4s(Vec<[f32; 4]>),
    Mat2([f32; 4]),
    Mat3([f32; 9]),
    Mat4([f32; 16]),
    Int(i32),
    IVec2([i32; 2]),
    IVec3([i32; 3]),
    IVec4([i32; 4]),
    Ints(Vec<i32>),
    Uint(u32),
    UVec2([u32; 2]),
    UVec3([u32; 3]),
    UVec4([u32; 4]),
    Uints(Vec<u32>),
    Bool(bool),
    /// A value of any other type that is made of 32-bit numbers.
    Words(Words),
}

macro_rules! values {
    ($($type:ty => $variant:ident),*) => { $(
        impl From<$type> for Value {
            fn from(value: $type) -> Value { Value::$variant(value) }
        }
    )* };
}

values!(
    f32 => Float, [f32; 2] => Vec2, [f32; 3] => Vec3, [f32; 4] => Vec4, Vec<f32> => Floats,
    Vec<[f32; 4]> => Vec4s,
    Vec<[f32; 2]> => Vec2s, Vec<[f32; 3]> => Vec3s,
    i32 => Int, [i32; 2] => IVec2, [i32; 3] => IVec3, [i32; 4] => IVec4, Vec<i32> => Ints,
    u32 => Uint, [u32; 2] => UVec2, [u32; 3] => UVec3, [u32; 4] => UVec4, Vec<u32> => Uints,
    bool => Bool
);

/// Slices, and references to vectors and to arrays of any length, are arrays in the shader: `&[1.0,
/// 2.0]` is a `float[2]`, where `[1.0, 2.0]` is a `vec2`.
macro_rules! arrays {
    ($($element:ty => $variant:ident),*) => { $(
        impl From<&[$element]> for Value {
            fn from(elements: &[$element]) -> Value { Value::$variant(elements.to_vec()) }
        }

        impl From<&Vec<$element>> for Value {
            fn from(elements: &Vec<$element>) -> Value { Value::from(elements.as_slice()) }
        }

        impl<const N: usize> From<&[$element; N]> for Value {
            fn from(elements: &[$element; N]) -> Value { Value::from(elements.as_slice()) }
        }
    )* };
}

arrays!(
    f32 => Floats, [f32; 2] => Vec2s, [f32; 3] => Vec3s, [f32; 4] => Vec4s, i32 => Ints, u32 => Uints
);

/// Rounds to f32, so that a plain literal `2.0` may be passed.
impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value as f32)
    }
}

impl Value {
    /// Returns the type that a uniform must have to take it.
    pub fn glsl(&self) -> Type {
        let array = |class, components, length| {
            let kind = TypeKind::Number { class, components };
            Type { kind, length }
        };
        let number = |class, components| array(class, components, 1);
        match self {
            Value::Float(_) => number(Class::Float, 1),
            Value::Vec2(_) => number(Class::Float, 2),
            Value::Vec3(_) => number(Class::Float, 3),
            Value::Vec4(_) => number(Class::Float, 4),
            Value::Floats(values) => array(Class::Float, 1, values.len()),
            Value::Vec2s(values) => array(Class::Float, 2, values.len()),
            Value::Vec3s(values) => array(Class::Float, 3, values.len()),
            Value::Vec4s(values) => array(Class::Float, 4, values.len()),
            Value::Mat2(_) => TypeKind::Matrix(2).into(),
            Value::Mat3(_) => TypeKind::Matrix(3).into(),
            Value::Mat4(_) => TypeKind::Matrix(4).into(),
            Value::Int(_) => number(Class::Int, 1),
            Value::IVec2(_) => number(Class::Int, 2),
            Value::IVec3(_) => number(Class::Int, 3),
            Value::IVec4(_) => number(Class::Int, 4),
            Value::Ints(values) => array(Class::Int, 1, values.len()),
            Value::Uint(_) => number(Class::Uint, 1),
            Value::UVec2(_) => number(Class::Uint, 2),
            Value::UVec3(_) => number(Class::Uint, 3),
            Value::UVec4(_) => number(Class::Uint, 4),
            Value::Uints(values) => array(Class::Uint, 1, values.len()),
            Value::Bool(_) => TypeKind::Bool.into(),
            Value::Words(words) => words.glsl,
        }
    }
}

/// The numbers of a value of any type that is made of 32-bit numbers: element by element, matrices column by column,
/// `false` and `true` as 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    pub(super) glsl: Type,
    pub(super) words: Vec<u32>,
}

impl Words {
    /// Returns a value of a type; `None` unless the type has this many numbers.
    ///
    /// ```
    /// use quadrille::gl::{Type, TypeKind, Value, Words};
    /// let glsl = Type { kind: TypeKind::Rectangular { columns: 2, rows: 3 }, length: 1 };
    /// let words = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_bits);
    /// let value = Words::new(glsl, words.to_vec()).map(Value::Words);
    /// assert_eq!(value.map(|value| value.glsl().to_string()).as_deref(), Some("mat2x3"));
    /// ```
    pub fn new(glsl: Type, words: Vec<u32>) -> Option<Words> {
        (glsl.count()? == words.len()).then_some(Words { glsl, words })
    }
}

impl Value {
    /// Returns its numbers, in the order of [`Words`].
    pub(super) fn words(&self) -> &[u32] {
        match self {
            Value::Float(v) => cast_slice(std::slice::from_ref(v)),
            Value::Vec2(v) => cast_slice(v),
            Value::Vec3(v) => cast_slice(v),
            Value::Vec4(v) | Value::Mat2(v) => cast_slice(v),
            Value::Floats(v) => cast_slice(v),
            Value::Vec2s(v) => cast_slice(v),
            Value::Vec3s(v) => cast_slice(v),
            Value::Vec4s(v) => cast_slice(v),
            Value::Mat3(v) => cast_slice(v),
            Value::Mat4(v) => cast_slice(v),
            Value::Int(v) => cast_slice(std::slice::from_ref(v)),
            Value::IVec2(v) => cast_slice(v),
            Value::IVec3(v) => cast_slice(v),
            Value::IVec4(v) => cast_slice(v),
            Value::Ints(v) => cast_slice(v),
            Value::Uint(v) => std::slice::from_ref(v),
            Value::UVec2(v) => v,
            Value::UVec3(v) => v,
            Value::UVec4(v) => v,
            Value::Uints(v) => v,
            Value::Bool(true) => &[1],
            Value::Bool(false) => &[0],
            Value::Words(words) => &words.words,
        }
    }
}
