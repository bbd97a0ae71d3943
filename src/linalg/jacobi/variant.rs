//! The ways to run a step: how numbers lie, which shaders do it, and how they read.

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownName;
use crate::gl::Abilities;
use crate::pack::Rows;
use crate::shader::Reads;

/// How the system lies in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// The document's RED: x in one channel, bands and right-hand side in the channels of three
    /// other textures. 12 fetches an unknown.
    Red,
    /// RED with each band in a texture of its own. 19 fetches an unknown.
    Separate,
    /// The document's RGBA: four systems at once, one in each channel. 19 fetches for four unknowns.
    Rgba,
    /// What the document calls too tedious: one system, four consecutive unknowns a texel. 19
    /// fetches for four unknowns.
    Packed,
}

/// Which of the document's stages of tuning does the step. Each keeps what the one before it won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Optimization {
    /// One shader for every texel; the ends of rows wrap by `floor` algebra.
    Generic,
    /// The diagonal's reciprocal comes from the host.
    Reciprocal,
    /// A quad for the interior and a line for either boundary, each with a shader of its own.
    Boundary,
    /// The vertex shader works out where the neighbours are.
    Neighbours,
    /// Beyond the document: one compute shader for every texel, where the context has them.
    Compute,
}

/// A wish: what is `None` is chosen for the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // Named after their types.
pub struct Variant {
    pub layout: Option<Layout>,
    pub optimization: Option<Optimization>,
    pub reads: Option<Reads>,
}

/// What runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Named after their types.
pub struct ResolvedVariant {
    pub layout: Layout,
    pub optimization: Optimization,
    pub reads: Reads,
}

impl Layout {
    /// All of them, in the document's order.
    pub const ALL: [Layout; 4] = [Layout::Red, Layout::Separate, Layout::Rgba, Layout::Packed];

    /// Systems that are solved at once.
    pub fn systems(self) -> usize {
        if self == Layout::Rgba { 4 } else { 1 }
    }

    /// Uniforms in a texel of x: systems or consecutive unknowns.
    pub(super) fn channels(self) -> usize {
        match self {
            Layout::Red | Layout::Separate => 1,
            Layout::Rgba | Layout::Packed => 4,
        }
    }

    /// Where the unknowns of a grid `m` wide lie.
    pub fn rows(self, m: usize) -> Rows {
        Rows::new(m, if self == Layout::Packed { 4 } else { 1 })
    }

    fn name(self) -> &'static str {
        match self {
            Layout::Red => "red",
            Layout::Separate => "separate",
            Layout::Rgba => "rgba",
            Layout::Packed => "packed",
        }
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
    /// Every stage, in the document's order.
    pub const ALL: [Optimization; 5] = [
        Optimization::Generic,
        Optimization::Reciprocal,
        Optimization::Boundary,
        Optimization::Neighbours,
        Optimization::Compute,
    ];

    /// The stages of the document, which draw and run on every context.
    pub const DRAWN: [Optimization; 4] = [
        Optimization::Generic,
        Optimization::Reciprocal,
        Optimization::Boundary,
        Optimization::Neighbours,
    ];

    /// Whether it can read in this way: compute kernels fetch.
    pub fn can_read(self, reads: Reads) -> bool {
        self != Optimization::Compute || reads == Reads::Fetch
    }

    fn name(self) -> &'static str {
        match self {
            Optimization::Generic => "generic",
            Optimization::Reciprocal => "reciprocal",
            Optimization::Boundary => "boundary",
            Optimization::Neighbours => "neighbours",
            Optimization::Compute => "compute",
        }
    }
}

impl Variant {
    /// The whole variant for a device, by what was measured (docs/measured.md). One system packed is
    /// the fastest everywhere. Hardware gives compute shaders more of itself than fragments; a
    /// software renderer does not. The neighbours stage samples where it may, also where a device
    /// fetches faster: its places come interpolated, so that sampling needs no arithmetic.
    pub fn choose(self, abilities: &Abilities) -> ResolvedVariant {
        let layout = self.layout.unwrap_or(Layout::Packed);
        let computes = !abilities.software && abilities.compute.is_some();
        let best = if computes { Optimization::Compute } else { Optimization::Neighbours };
        let optimization = self.optimization.unwrap_or(best);
        let reads = match optimization {
            Optimization::Neighbours => self.reads.unwrap_or(Reads::Sample),
            Optimization::Compute => Reads::Fetch,
            _ => self.reads.unwrap_or(abilities.reads()),
        };
        ResolvedVariant { layout, optimization, reads }
    }
}

macro_rules! named {
    ($type:ident, $what:literal) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                let found = $type::ALL.into_iter().find(|known| known.name() == text);
                found.ok_or_else(|| UnknownName::new($what, text, $type::ALL.map($type::name)))
            }
        }
    };
}

named!(Layout, "layout");
named!(Optimization, "stage");
