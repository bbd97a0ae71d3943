//! The shape of the compute stage: how a step is divided among invocations, and how these find the
//! bands.

use crate::gl::Abilities;
use crate::shader::Source;
use crate::stream::Engine;
use crate::stream::group::{Group, Setup};

/// The division of a step among work groups, and the place where they find the bands. Every shape
/// gives the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComputeShape {
    /// Invocations of a work group along x and y.
    pub group: [u32; 2],
    /// Whether a work group first reads its part of x into shared memory, once; else each
    /// invocation reads nine texels.
    pub tile: bool,
    /// Whether the bands of the packed layout are ten panels side by side, else interleaved texel
    /// by texel.
    pub panels: bool,
}

impl ComputeShape {
    /// The shape with interleaved bands, and work groups as wide as a warp, which is the fastest on
    /// a software renderer.
    pub const WIDE: ComputeShape = ComputeShape { group: [32, 4], tile: false, panels: false };

    /// The shape with square work groups that share x. A GPU stores texels in blocks, and its
    /// texture units limit a step that reads all nine neighbours of a texel by themselves.
    pub const TILE: ComputeShape = ComputeShape { group: [16, 16], tile: true, panels: true };

    /// The engines, each with the shapes whose shaders are checked as a set.
    pub(crate) const ON_ENGINES: [(Engine, ComputeShape); 3] = [
        (Engine::Fragment, ComputeShape::WIDE),
        (Engine::Compute, ComputeShape::WIDE),
        (Engine::Compute, ComputeShape::TILE),
    ];

    /// Returns the shape for a device.
    pub(crate) fn of(abilities: &Abilities) -> ComputeShape {
        let most = abilities.compute.map_or(0, |limits| limits.max_invocations);
        match abilities.software {
            true => ComputeShape::WIDE,
            false if most < 256 => ComputeShape { group: [8, 8], ..ComputeShape::TILE },
            false => ComputeShape::TILE,
        }
    }

    /// Returns the number of work groups that cover this extent.
    pub(crate) fn groups(self, extent: crate::Extent) -> [u32; 3] {
        let [x, y] = self.group;
        [extent.width.div_ceil(x), extent.height.div_ceil(y), 1]
    }

    /// Returns an engine with its work groups.
    pub(crate) fn setup(self, engine: Engine) -> Setup {
        let [x, y] = self.group;
        Setup::new(engine, Group::new(x, y))
    }

    /// Defines what the work groups share, and the places of the bands.
    pub(crate) fn define(self, source: Source) -> Source {
        let source = if self.tile { source.define("TILE", 1) } else { source };
        if self.panels { source.define("PANELS", 1) } else { source }
    }
}
