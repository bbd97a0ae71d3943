//! Sets uniforms that have a location.

use bytemuck::cast_slice;
use glow::HasContext;

use super::parameter::{Home, Parameter};
use super::value::{Value, Words};
use crate::gl::{Class, TypeKind};

/// Sets a uniform that has a location.
///
/// # Safety
/// The parameter's program is in use, and the value has its type and length.
pub(crate) unsafe fn set(gl: &glow::Context, parameter: &Parameter, value: &Value) {
    let Home::Location(location) = &parameter.home else { return };
    let at = Some(location);
    unsafe {
        match value {
            Value::Float(v) => gl.uniform_1_f32(at, *v),
            Value::Vec2(v) => gl.uniform_2_f32_slice(at, v),
            Value::Vec3(v) => gl.uniform_3_f32_slice(at, v),
            Value::Vec4(v) => gl.uniform_4_f32_slice(at, v),
            Value::Floats(v) => gl.uniform_1_f32_slice(at, v),
            Value::Vec2s(v) => gl.uniform_2_f32_slice(at, v.as_flattened()),
            Value::Vec3s(v) => gl.uniform_3_f32_slice(at, v.as_flattened()),
            Value::Vec4s(v) => gl.uniform_4_f32_slice(at, v.as_flattened()),
            Value::Mat2(v) => gl.uniform_matrix_2_f32_slice(at, false, v),
            Value::Mat3(v) => gl.uniform_matrix_3_f32_slice(at, false, v),
            Value::Mat4(v) => gl.uniform_matrix_4_f32_slice(at, false, v),
            Value::Int(v) => gl.uniform_1_i32(at, *v),
            Value::IVec2(v) => gl.uniform_2_i32_slice(at, v),
            Value::IVec3(v) => gl.uniform_3_i32_slice(at, v),
            Value::IVec4(v) => gl.uniform_4_i32_slice(at, v),
            Value::Ints(v) => gl.uniform_1_i32_slice(at, v),
            Value::Uint(v) => gl.uniform_1_u32(at, *v),
            Value::UVec2(v) => gl.uniform_2_u32_slice(at, v),
            Value::UVec3(v) => gl.uniform_3_u32_slice(at, v),
            Value::UVec4(v) => gl.uniform_4_u32_slice(at, v),
            Value::Uints(v) => gl.uniform_1_u32_slice(at, v),
            Value::Bool(v) => gl.uniform_1_i32(at, i32::from(*v)),
            Value::Words(words) => set_words(words, gl, location),
        }
    }
}

/// # Safety
/// The program of the location is in use, and its uniform has this value's type.
unsafe fn set_words(words: &Words, gl: &glow::Context, at: &glow::UniformLocation) {
    let (at, ints, floats) = (Some(at), cast_slice(&words.words), cast_slice(&words.words));
    let matrix = |columns, rows| TypeKind::Rectangular { columns, rows };
    unsafe {
        match words.glsl.kind {
            TypeKind::Number { class: Class::Float, components } => match components {
                1 => gl.uniform_1_f32_slice(at, floats),
                2 => gl.uniform_2_f32_slice(at, floats),
                3 => gl.uniform_3_f32_slice(at, floats),
                _ => gl.uniform_4_f32_slice(at, floats),
            },
            TypeKind::Number { class: Class::Uint, components } => match components {
                1 => gl.uniform_1_u32_slice(at, &words.words),
                2 => gl.uniform_2_u32_slice(at, &words.words),
                3 => gl.uniform_3_u32_slice(at, &words.words),
                _ => gl.uniform_4_u32_slice(at, &words.words),
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
