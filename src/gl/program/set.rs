//! Sets uniforms that have a location.

use bytemuck::cast_slice;
use glow::HasContext;

use super::parameter::{Home, Parameter};
use super::value::Value;
use crate::gl::{Class, TypeKind};

/// Sets a uniform that has a location.
///
/// # Safety
/// The parameter's program is in use, and the value has its type and length.
pub(crate) unsafe fn set(gl: &glow::Context, parameter: &Parameter, value: &Value) {
    let Home::Location(location) = &parameter.home else { return };
    let (at, (glsl, words)) = (Some(location), value.parts());
    let (ints, floats) = (cast_slice(words), cast_slice(words));
    let matrix = |columns, rows| TypeKind::Rectangular { columns, rows };
    unsafe {
        match glsl.kind {
            TypeKind::Number { class: Class::Float, components } => match components {
                1 => gl.uniform_1_f32_slice(at, floats),
                2 => gl.uniform_2_f32_slice(at, floats),
                3 => gl.uniform_3_f32_slice(at, floats),
                _ => gl.uniform_4_f32_slice(at, floats),
            },
            TypeKind::Number { class: Class::Uint, components } => match components {
                1 => gl.uniform_1_u32_slice(at, words),
                2 => gl.uniform_2_u32_slice(at, words),
                3 => gl.uniform_3_u32_slice(at, words),
                _ => gl.uniform_4_u32_slice(at, words),
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
