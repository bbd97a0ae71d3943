//! The parameters of programs.

use crate::gl::Type;

/// A uniform that the compiler kept.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) glsl: Type,
    /// The unit of a sampler or image.
    pub(crate) unit: u32,
    pub(super) location: glow::UniformLocation,
}
