//! How the compute stage divides a step among invocations, and how it finds the bands.

use crate::gl::Abilities;
use crate::shader::Source;

/// A shape of the compute stage. Every shape gives the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Invocations of a work group along x and y.
    pub group: [u32; 2],
    /// The way of x to an invocation.
    pub x: Neighbours,
    /// Whether the bands of the packed layout are ten panels side by side, else interleaved texel by texel.
    pub panels: bool,
}

/// The way of x to an invocation, which needs nine texels of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// By shared memory, into which the work group reads each texel once.
    Tile,
    /// An invocation computes this number of rows, one below the other, and reads three texels for each and six more.
    Rows(u32),
}

impl Shape {
    /// Interleaved bands, and work groups as wide as a warp: what a software renderer does best.
    pub const WIDE: Shape = Shape { group: [32, 4], x: Neighbours::Rows(1), panels: false };

    /// Square work groups that share x. A GPU stores texels in blocks, and its texture units limit a step that reads
    /// all nine neighbours of a texel by themselves.
    pub const TILE: Shape = Shape { group: [16, 16], x: Neighbours::Tile, panels: true };

    /// The shape for a device.
    pub(super) fn of(abilities: &Abilities) -> Shape {
        let most = abilities.compute.map_or(0, |limits| limits.max_invocations);
        match abilities.software {
            true => Shape::WIDE,
            false if most < 256 => Shape { group: [8, 8], ..Shape::TILE },
            false => Shape::TILE,
        }
    }

    /// Work groups that cover this extent.
    pub(super) fn groups(self, extent: crate::Extent) -> [u32; 3] {
        let rows = match self.x {
            Neighbours::Tile => 1,
            Neighbours::Rows(rows) => rows,
        };
        let [x, y] = self.group;
        [extent.width.div_ceil(x), extent.height.div_ceil(y * rows), 1]
    }

    pub(super) fn define(self, source: Source) -> Source {
        let [x, y] = self.group;
        let source = source.define("GROUP_X", x).define("GROUP_Y", y);
        let source = match self.x {
            Neighbours::Tile => source.define("TILE", 1),
            Neighbours::Rows(rows) => source.define("ROWS", rows),
        };
        if self.panels { source.define("PANELS", 1) } else { source }
    }
}
