//! What a program can be given, as a driver reports it.

use std::collections::HashMap;

use crate::gl::Type;

/// The location and the name of the rectangle attribute in vertex shaders.
pub(crate) const RECTANGLE: (u32, &str) = (0, "quadrille_rectangle");

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

/// A uniform block that the compiler kept; of an array of blocks one of them.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(super) name: String,
    pub(super) bytes: usize,
}

/// The names and the layout of a member of a uniform block.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// The name of the block, with its index in an array of blocks.
    pub(crate) block: String,
    /// The name in the block.
    pub(crate) name: String,
    pub(super) index: usize,
    /// All in bytes: from the block's first, from one element to the next, and from one column of a matrix, or row, to
    /// the next.
    pub(super) offset: usize,
    pub(super) element: usize,
    pub(super) vector: usize,
    pub(super) row_major: bool,
}

/// What a linked program can be given.
#[derive(Default)]
pub(crate) struct Interface {
    pub(super) parameters: HashMap<String, Parameter>,
    pub(super) blocks: Vec<Block>,
    pub(super) vertex_inputs: Vec<VertexInput>,
}
