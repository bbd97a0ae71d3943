//! Abilities that tests mask, so that one machine can stand in for older ones.

use crate::shader::Api;

/// A version above which every ability is masked, so that one machine can test what an old one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// OpenGL 3.3 core.
    Gl33,
    /// OpenGL ES 3.0.
    Gles30,
}

impl Limit {
    pub(in crate::gl) fn version(self) -> (u32, u32) {
        match self {
            Limit::Gl33 => (3, 3),
            Limit::Gles30 => (3, 0),
        }
    }

    pub(in crate::gl) fn api(self) -> Api {
        match self {
            Limit::Gl33 => Api::Gl,
            Limit::Gles30 => Api::Gles,
        }
    }
}

/// An ability that can be masked alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // Named after the fields of `Abilities`.
pub enum Ability {
    FloatTargets,
    FloatBlending,
    Compute,
    Precise,
    Timers,
    MappedBuffers,
    Swizzles,
    /// Textures with a longer side than this.
    LargerTextures(u32),
}
