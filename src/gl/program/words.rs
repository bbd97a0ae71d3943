//! Values as the 32-bit numbers that they are made of.

use bytemuck::cast_slice;
use glow::HasContext;

use super::Value;
use crate::gl::{Class, Type, TypeKind};

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

    pub(super) fn glsl(&self) -> Type {
        self.glsl
    }

    /// # Safety
    /// The program of the location is in use, and its uniform has this value's type.
    pub(super) unsafe fn set(&self, gl: &glow::Context, at: &glow::UniformLocation) {
        let (at, ints, floats) = (Some(at), cast_slice(&self.words), cast_slice(&self.words));
        let matrix = |columns, rows| TypeKind::Rectangular { columns, rows };
        unsafe {
            match self.glsl.kind {
                TypeKind::Number { class: Class::Float, components } => match components {
                    1 => gl.uniform_1_f32_slice(at, floats),
                    2 => gl.uniform_2_f32_slice(at, floats),
                    3 => gl.uniform_3_f32_slice(at, floats),
                    _ => gl.uniform_4_f32_slice(at, floats),
                },
                TypeKind::Number { class: Class::Uint, components } => match components {
                    1 => gl.uniform_1_u32_slice(at, &self.words),
                    2 => gl.uniform_2_u32_slice(at, &self.words),
                    3 => gl.uniform_3_u32_slice(at, &self.words),
                    _ => gl.uniform_4_u32_slice(at, &self.words),
                },
                TypeKind::Bool => gl.uniform_1_i32_slice(at, ints),
                TypeKind::Number { components, .. } | TypeKind::BoolVector(components) => {
                    match components {
                        1 => gl.uniform_1_i32_slice(at, ints),
                        2 => gl.uniform_2_i32_slice(at, ints),
                        3 => gl.uniform_3_i32_slice(at, ints),
                        _ => gl.uniform_4_i32_slice(at, ints),
                    }
                }
                TypeKind::Matrix(2) => gl.uniform_matrix_2_f32_slice(at, false, floats),
                TypeKind::Matrix(3) => gl.uniform_matrix_3_f32_slice(at, false, floats),
                TypeKind::Matrix(_) => gl.uniform_matrix_4_f32_slice(at, false, floats),
                kind if kind == matrix(2, 3) => gl.uniform_matrix_2x3_f32_slice(at, false, floats),
                kind if kind == matrix(2, 4) => gl.uniform_matrix_2x4_f32_slice(at, false, floats),
                kind if kind == matrix(3, 2) => gl.uniform_matrix_3x2_f32_slice(at, false, floats),
                kind if kind == matrix(3, 4) => gl.uniform_matrix_3x4_f32_slice(at, false, floats),
                kind if kind == matrix(4, 2) => gl.uniform_matrix_4x2_f32_slice(at, false, floats),
                kind if kind == matrix(4, 3) => gl.uniform_matrix_4x3_f32_slice(at, false, floats),
                // Nothing else is made of such numbers.
                _ => {}
            }
        }
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
