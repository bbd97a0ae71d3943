//! The types of GLSL that quadrille knows.

use std::fmt;

use super::type_names::name_of;
use crate::gl::Class;

/// A type in GLSL: `float`, `ivec2[3]`, `sampler2D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The type of one element.
    pub kind: TypeKind,
    /// The number of elements of an array; else 1.
    pub length: usize,
}

/// A type in GLSL that is not an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeKind {
    /// `sampler2D`, `isampler2D` or `usampler2D`.
    Sampler(Class),
    /// `sampler2DArray`, `isampler2DArray` or `usampler2DArray`.
    SamplerArray(Class),
    /// `image2D`, `iimage2D` or `uimage2D`.
    Image(Class),
    /// A number or a vector of two to four.
    Number {
        /// The class of its numbers: float or integer.
        class: Class,
        /// 1 for a number.
        components: u32,
    },
    /// `bool`.
    Bool,
    /// `bvec2`, `bvec3` or `bvec4`.
    BoolVector(u32),
    /// A square matrix of floats, with this number of rows.
    Matrix(u32),
    /// Any other matrix of floats, such as `mat2x3`, which has two columns.
    Rectangular {
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
    },
    /// Any other type, by OpenGL's constant for it.
    Other(u32),
}

impl From<TypeKind> for Type {
    fn from(kind: TypeKind) -> Type {
        Type { kind, length: 1 }
    }
}

impl TypeKind {
    /// Returns the number of columns, and of numbers in each, of a type that is made of 32-bit numbers.
    #[doc(hidden)]
    pub fn grid(self) -> Option<[usize; 2]> {
        let grid = match self {
            TypeKind::Number { components, .. } => [1, components],
            TypeKind::Bool => [1, 1],
            TypeKind::BoolVector(components) => [1, components],
            TypeKind::Matrix(side) => [side; 2],
            TypeKind::Rectangular { columns, rows } => [columns, rows],
            _ => return None,
        };
        Some(grid.map(|count| count as usize))
    }

    pub(in crate::gl) fn of(code: u32) -> TypeKind {
        let number = |class, components| TypeKind::Number { class, components };
        let matrix = |columns, rows| TypeKind::Rectangular { columns, rows };
        match code {
            glow::SAMPLER_2D => TypeKind::Sampler(Class::Float),
            glow::INT_SAMPLER_2D => TypeKind::Sampler(Class::Int),
            glow::UNSIGNED_INT_SAMPLER_2D => TypeKind::Sampler(Class::Uint),
            glow::SAMPLER_2D_ARRAY => TypeKind::SamplerArray(Class::Float),
            glow::INT_SAMPLER_2D_ARRAY => TypeKind::SamplerArray(Class::Int),
            glow::UNSIGNED_INT_SAMPLER_2D_ARRAY => TypeKind::SamplerArray(Class::Uint),
            glow::IMAGE_2D => TypeKind::Image(Class::Float),
            glow::INT_IMAGE_2D => TypeKind::Image(Class::Int),
            glow::UNSIGNED_INT_IMAGE_2D => TypeKind::Image(Class::Uint),
            glow::FLOAT => number(Class::Float, 1),
            glow::FLOAT_VEC2 => number(Class::Float, 2),
            glow::FLOAT_VEC3 => number(Class::Float, 3),
            glow::FLOAT_VEC4 => number(Class::Float, 4),
            glow::INT => number(Class::Int, 1),
            glow::INT_VEC2 => number(Class::Int, 2),
            glow::INT_VEC3 => number(Class::Int, 3),
            glow::INT_VEC4 => number(Class::Int, 4),
            glow::UNSIGNED_INT => number(Class::Uint, 1),
            glow::UNSIGNED_INT_VEC2 => number(Class::Uint, 2),
            glow::UNSIGNED_INT_VEC3 => number(Class::Uint, 3),
            glow::UNSIGNED_INT_VEC4 => number(Class::Uint, 4),
            glow::BOOL => TypeKind::Bool,
            glow::BOOL_VEC2 => TypeKind::BoolVector(2),
            glow::BOOL_VEC3 => TypeKind::BoolVector(3),
            glow::BOOL_VEC4 => TypeKind::BoolVector(4),
            glow::FLOAT_MAT2 => TypeKind::Matrix(2),
            glow::FLOAT_MAT3 => TypeKind::Matrix(3),
            glow::FLOAT_MAT4 => TypeKind::Matrix(4),
            glow::FLOAT_MAT2x3 => matrix(2, 3),
            glow::FLOAT_MAT2x4 => matrix(2, 4),
            glow::FLOAT_MAT3x2 => matrix(3, 2),
            glow::FLOAT_MAT3x4 => matrix(3, 4),
            glow::FLOAT_MAT4x2 => matrix(4, 2),
            glow::FLOAT_MAT4x3 => matrix(4, 3),
            other => TypeKind::Other(other),
        }
    }
}

impl Type {
    /// Returns the number of 32-bit numbers in a value; `None` of a type that is not made of them.
    #[doc(hidden)]
    pub fn count(self) -> Option<usize> {
        self.kind.grid()?.into_iter().product::<usize>().checked_mul(self.length)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length {
            1 => self.kind.fmt(f),
            length => write!(f, "{}[{length}]", self.kind),
        }
    }
}

impl fmt::Display for TypeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = |class| match class {
            Class::Float => "",
            Class::Int => "i",
            Class::Uint => "u",
        };
        match *self {
            TypeKind::Sampler(class) => write!(f, "{}sampler2D", prefix(class)),
            TypeKind::SamplerArray(class) => write!(f, "{}sampler2DArray", prefix(class)),
            TypeKind::Image(class) => write!(f, "{}image2D", prefix(class)),
            TypeKind::Number { class: Class::Float, components: 1 } => f.write_str("float"),
            TypeKind::Number { class: Class::Int, components: 1 } => f.write_str("int"),
            TypeKind::Number { class: Class::Uint, components: 1 } => f.write_str("uint"),
            TypeKind::Number { class, components } => write!(f, "{}vec{components}", prefix(class)),
            TypeKind::Bool => f.write_str("bool"),
            TypeKind::Matrix(side) => write!(f, "mat{side}"),
            TypeKind::BoolVector(components) => write!(f, "bvec{components}"),
            TypeKind::Rectangular { columns, rows } => write!(f, "mat{columns}x{rows}"),
            TypeKind::Other(code) => match name_of(code) {
                Some((class, name)) => write!(f, "{class}{name}"),
                None => write!(f, "type 0x{code:04x}"),
            },
        }
    }
}
