//! The parameters of programs.

use super::block::Member;
use crate::gl::Type;

/// A uniform that the compiler kept.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) glsl: Type,
    /// The unit of a sampler or image.
    pub(crate) unit: u32,
    pub(super) home: Home,
}

/// The way to set a uniform.
#[derive(Clone, Debug)]
pub(super) enum Home {
    Location(glow::UniformLocation),
    Member(Member),
    /// There is none: atomic counters are in buffers that nothing here has.
    Nowhere,
}

impl Parameter {
    /// Returns the uniform block that it is a member of.
    pub(crate) fn member(&self) -> Option<&Member> {
        match &self.home {
            Home::Member(member) => Some(member),
            _ => None,
        }
    }
}

/// An input of the vertex stage that the compiler kept, besides GL's own and the rectangle.
#[derive(Clone, Debug)]
pub(crate) struct VertexInput {
    pub(crate) name: String,
    pub(crate) glsl: Type,
    pub(crate) location: u32,
}
