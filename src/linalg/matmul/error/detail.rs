//! The parts of the errors of the matrix multiply. The text of each variant is its part of the
//! message.

use crate::error::a_matrix;
use crate::linalg::matmul::Tile;
use crate::{Extent, Shape};

/// A request that exceeds a limit of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Request {
    #[error("a work group of {invocations} invocations along {axis}")]
    GroupSide { invocations: u32, axis: char },

    #[error("a work group of {tile} = {invocations} invocations")]
    Group { tile: Tile, invocations: u64 },

    #[error("a work group with {bytes} bytes of shared memory")]
    SharedMemory { bytes: u64 },

    #[error("a dispatch of {groups} work groups along {axis}")]
    Dispatch { groups: u64, axis: char },

    #[error("{matrix}, {}, in a storage buffer of {bytes} bytes", a_matrix(shape))]
    Buffer { matrix: char, shape: Shape, bytes: u64 },

    #[error("{matrix}, {}, in a texture of {width} x {height} texels", a_matrix(shape))]
    Texture { matrix: char, shape: Shape, width: usize, height: usize },

    #[error("a target of {extent} texels")]
    Target { extent: Extent },

    #[error(
        "a loop of {iterations} iterations in a fragment, for {steps} steps along the inner dimension,"
    )]
    Loop { iterations: u32, steps: u32 },
}

/// An alternative to a request that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // As above.
pub enum Remedy {
    #[error("this method computes all of C in one dispatch: use compute-tiled")]
    ComputeTiled,

    #[error("name a smaller tile, or none")]
    SmallerTile,

    #[error("name a larger tile, or use compute-blocked")]
    LargerTile,

    #[error("use a drawn method")]
    DrawnMethod,

    #[error("use a smaller matrix")]
    SmallerMatrix,

    #[error("multiply in parts")]
    Parts,

    #[error("multiply in parts, or name a method that draws into targets")]
    PartsOrTargets,

    #[error(
        "its rows may have {in_row} and its columns {in_column} elements at most; multiply in parts, or name a method \
         that packs more into a texel or uses buffers"
    )]
    Elements { in_row: usize, in_column: usize },

    #[error("unroll the loop by {by} or more, or name a method that has passes")]
    Unroll { by: u32 },
}

/// A requirement of a method that a context does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // As above.
pub enum Requirement {
    #[error("compute shaders (OpenGL 4.3 or OpenGL ES 3.1)")]
    Compute,

    #[error(
        "{needs} storage buffers in fragment shaders, not {has} (OpenGL 4.3; OpenGL ES 3.1 may have them)"
    )]
    FragmentBuffers { needs: u32, has: u32 },

    #[error("targets of 32-bit floats (GL_EXT_color_buffer_float)")]
    FloatTargets,

    #[error("{needs} render targets, not {has}")]
    Targets { needs: u32, has: u32 },
}

/// A dimension of a product that a tile must divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // As above.
pub enum Dimension {
    #[error("a row of C")]
    Row,

    #[error("a column of C")]
    Column,

    #[error("the inner dimension")]
    Inner,
}
