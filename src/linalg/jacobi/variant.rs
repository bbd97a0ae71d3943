//! The variants of a step: the layout of the system, the shaders, and the way of reading texels.

mod resolve;
pub(crate) mod shape;
pub(super) mod tuned;

use crate::error::named;
use crate::grid::GridShape;
use crate::shader::Reads;

/// The layout of a system in textures. The names `red` and `rgba` are those of Göddeke 2005.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// A single system: x in one channel, bands and right-hand side in the channels of three other
    /// textures. 12 fetches an unknown.
    Red,
    /// A single system as for [`Layout::Red`], with each band in a texture of its own. 19 fetches
    /// an unknown.
    Separate,
    /// Four systems at once, one in each channel. 19 fetches for four unknowns.
    Rgba,
    /// A single system, four consecutive unknowns in a texel; Göddeke 2005 calls it too tedious. 19
    /// fetches for four unknowns.
    Packed,
}

/// The stages of tuning of Göddeke 2005, and one beyond. Each drawn stage keeps the improvements of
/// the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Optimization {
    /// A fragment shader for all texels; neighbours across the ends of rows are found by `floor`.
    Generic,
    /// The host computes the reciprocals of the diagonal.
    Reciprocal,
    /// A quad for the interior and a line for either boundary, each with a shader of its own.
    Boundary,
    /// The vertex shader computes the coordinates of the neighbours, which are interpolated.
    Neighbours,
    /// A compute shader for all texels, which is not in the paper. It needs OpenGL 4.3 or ES 3.1.
    Compute,
}

/// The variant of the solver to run. What is `None` is chosen for the device: see
/// [`Variant::resolve`].
///
/// ```
/// use quadrille::linalg::jacobi::{Layout, Optimization, Variant};
/// let variant = Variant::default().layout(Layout::Red).optimization(Optimization::Boundary);
/// assert_eq!(variant.reads, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // Named after their types.
#[non_exhaustive]
#[must_use]
pub struct Variant {
    pub layout: Option<Layout>,
    pub optimization: Option<Optimization>,
    pub reads: Option<Reads>,
}

/// The variant that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Named after their types.
#[non_exhaustive]
pub struct ResolvedVariant {
    pub layout: Layout,
    pub optimization: Optimization,
    pub reads: Reads,
}

impl Layout {
    /// Returns the number of systems that are solved at once.
    pub fn systems(self) -> usize {
        if self == Layout::Rgba { 4 } else { 1 }
    }

    /// Returns the number of values in a texel of x: systems or consecutive unknowns.
    pub(crate) fn channels(self) -> usize {
        match self {
            Layout::Red | Layout::Separate => 1,
            Layout::Rgba | Layout::Packed => 4,
        }
    }

    /// Returns the consecutive unknowns in a texel of x.
    pub(crate) fn lanes(self) -> usize {
        if self == Layout::Packed { 4 } else { 1 }
    }

    /// Returns the grid of `n` unknowns in rows of `m`.
    pub(super) fn grid(self, n: usize, m: usize) -> GridShape {
        GridShape::in_rows(n, m).with_lanes(self.lanes())
    }

    pub(super) fn define(self) -> &'static str {
        match self {
            Layout::Red => "LAYOUT_RED",
            Layout::Separate => "LAYOUT_SEPARATE",
            Layout::Rgba => "LAYOUT_RGBA",
            Layout::Packed => "LAYOUT_PACKED",
        }
    }
}

impl Optimization {
    /// The optimizations of the paper, which draw and so run on every context.
    pub const DRAWN: [Optimization; 4] = [
        Optimization::Generic,
        Optimization::Reciprocal,
        Optimization::Boundary,
        Optimization::Neighbours,
    ];

    /// Returns whether it can read texels in this way: compute kernels only fetch.
    pub fn can_read(self, reads: Reads) -> bool {
        self != Optimization::Compute || reads == Reads::Fetch
    }
}

impl Variant {
    /// Makes a variant of which all is chosen for the device.
    pub fn new() -> Variant {
        Variant::default()
    }

    /// Sets the layout.
    pub fn layout(self, layout: Layout) -> Variant {
        Variant { layout: Some(layout), ..self }
    }

    /// Sets the optimization.
    pub fn optimization(self, optimization: Optimization) -> Variant {
        Variant { optimization: Some(optimization), ..self }
    }

    /// Sets the way of reading texels.
    pub fn reads(self, reads: Reads) -> Variant {
        Variant { reads: Some(reads), ..self }
    }
}

impl From<ResolvedVariant> for Variant {
    fn from(ResolvedVariant { layout, optimization, reads }: ResolvedVariant) -> Variant {
        Variant { layout: Some(layout), optimization: Some(optimization), reads: Some(reads) }
    }
}

named!(
    Layout: "layout" { Red: "red", Separate: "separate", Rgba: "rgba", Packed: "packed" },
    Optimization: "stage" {
        Generic: "generic",
        Reciprocal: "reciprocal",
        Boundary: "boundary",
        Neighbours: "neighbours",
        Compute: "compute",
    },
);
