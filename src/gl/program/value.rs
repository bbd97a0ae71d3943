//! Values for uniforms, and the 32-bit numbers that they are made of.

use std::slice::from_ref;

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

/// A value is made of each of these types, and has the GLSL type of its class and components. So is an array of the shader
/// of a vector, a slice, and a reference to a vector or to an array of any length: `&[1.0, 2.0]` is a `float[2]`, where
/// `[1.0, 2.0]` is a `vec2`.
macro_rules! values {
    ($($variant:ident($type:ty) $class:ident $components:literal),+;
     $($array:ident($element:ty) $of:ident $each:literal),+) => {
        $(impl From<$type> for Value {
            fn from(value: $type) -> Value { Value::$variant(value) }
        })+

        $(impl From<Vec<$element>> for Value {
            fn from(elements: Vec<$element>) -> Value { Value::$array(elements) }
        }

        impl From<&[$element]> for Value {
            fn from(elements: &[$element]) -> Value { Value::$array(elements.to_vec()) }
        }

        impl From<&Vec<$element>> for Value {
            fn from(elements: &Vec<$element>) -> Value { Value::from(elements.as_slice()) }
        }

        impl<const N: usize> From<&[$element; N]> for Value {
            fn from(elements: &[$element; N]) -> Value { Value::from(elements.as_slice()) }
        })+

        impl Value {
            /// Returns the type in GLSL, and the numbers in the order of [`Words`].
            pub(super) fn parts(&self) -> (Type, &[u32]) {
                let numbers = |class, components, length| {
                    Type { kind: TypeKind::Number { class, components }, length }
                };
                match self {
                    $(Value::$variant(value) => {
                        (numbers(Class::$class, $components, 1), cast_slice(from_ref(value)))
                    })+
                    $(Value::$array(values) => {
                        (numbers(Class::$of, $each, values.len()), cast_slice(values))
                    })+
                    Value::Mat2(value) => (TypeKind::Matrix(2).into(), cast_slice(value)),
                    Value::Mat3(value) => (TypeKind::Matrix(3).into(), cast_slice(value)),
                    Value::Mat4(value) => (TypeKind::Matrix(4).into(), cast_slice(value)),
                    Value::Bool(false) => (TypeKind::Bool.into(), &[0]),
                    Value::Bool(true) => (TypeKind::Bool.into(), &[1]),
                    Value::Words(words) => (words.glsl, &words.words),
                }
            }
        }
    };
}

values! {
    Float(f32) Float 1, Vec2([f32; 2]) Float 2, Vec3([f32; 3]) Float 3, Vec4([f32; 4]) Float 4,
    Int(i32) Int 1, IVec2([i32; 2]) Int 2, IVec3([i32; 3]) Int 3, IVec4([i32; 4]) Int 4,
    Uint(u32) Uint 1, UVec2([u32; 2]) Uint 2, UVec3([u32; 3]) Uint 3, UVec4([u32; 4]) Uint 4;
    Floats(f32) Float 1, Vec2s([f32; 2]) Float 2, Vec3s([f32; 3]) Float 3, Vec4s([f32; 4]) Float 4,
    Ints(i32) Int 1, Uints(u32) Uint 1
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

/// Rounds to f32, so that a plain literal `2.0` may be passed.
impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value as f32)
    }
}

impl Value {
    /// Returns the type that a uniform must have to take it.
    pub fn glsl(&self) -> Type {
        self.parts().0
    }
}

/// The numbers of a value of any type that is made of 32-bit numbers: element by element, matrices column by column,
/// `false` and `true` as 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    glsl: Type,
    words: Vec<u32>,
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
