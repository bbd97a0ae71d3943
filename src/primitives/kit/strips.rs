//! How the texels of a panel are divided among work groups that keep their order: plain arithmetic,
//! no GL.
//!
//! A work group has some rows of the panel, and of each a strip of some tiles from left to right.
//! Groups are about square, since textures are stored in squares.

use crate::Extent;
use crate::gl::{Context, Texture};
use crate::shader::Source;
use crate::stream::group::{Group, Setup};
use crate::stream::launch::Launch;

use super::super::number::Number;

/// The invocations of a work group, and the texels of a row that each reads at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Strips {
    pub(crate) across: usize,
    pub(crate) down: usize,
    pub(crate) per: usize,
}

/// The strips of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Division {
    /// The strips of a row.
    pub(crate) strips: usize,
    /// The groups one below the other.
    pub(crate) down: usize,
    /// The tiles of a strip.
    pub(crate) tiles: usize,
    /// The parts of rows that are strips, each of which has a total: in the order of the vector.
    pub(crate) totals: usize,
}

/// Groups keep a device at work from this number on; more only make more totals.
const ENOUGH: usize = 8192;
/// The most tiles of a strip.
const TILES: usize = 64;

impl Strips {
    /// The groups of scans.
    pub(crate) const OF_SCANS: Strips = Strips { across: 8, down: 16, per: 4 };
    /// The groups of selections.
    pub(crate) const OF_SELECTIONS: Strips = Strips { across: 16, down: 16, per: 2 };
    /// On a software renderer each barrier takes long.
    const SOFTWARE: Strips = Strips { across: 8, down: 1, per: 4 };

    /// Returns these groups, or what suits the device better.
    pub(crate) fn on(self, context: &Context) -> Strips {
        let limits = context.abilities().compute;
        let most = limits.map_or(1, |limits| limits.max_invocations) as usize;
        match context.abilities().software {
            true => Strips::SOFTWARE,
            false => Strips { down: self.down.min(most / self.across).max(1), ..self },
        }
    }

    /// Defines the groups, for shaders with include/strip.glsl.
    pub(crate) fn define(self, source: Source) -> Source {
        let source = source.define("GROUP_X", self.across).define("GROUP_Y", self.down);
        source.define("PER", self.per)
    }

    /// Returns the engine of shaders with include/strip.glsl.
    pub(crate) fn setup(self) -> Setup {
        Setup::Compute(Group::new(self.across as u32, self.down as u32))
    }

    /// Divides the texels of a panel with rows of this many texels.
    pub(crate) fn divide(self, width: usize, texels: usize) -> Division {
        let of_row = width.div_ceil(self.across * self.per);
        let down = texels.div_ceil(width).div_ceil(self.down).max(1);
        let mut tiles = 1;
        while tiles < of_row.min(TILES) && down * of_row.div_ceil(2 * tiles) >= ENOUGH {
            tiles *= 2;
        }
        let strips = of_row.div_ceil(tiles);
        Division { strips, down, tiles, totals: strips * down * self.down }
    }
}

impl Division {
    /// Divides a panel.
    pub(crate) fn of<T: Number>(
        strips: Strips,
        panel: &Texture<T::Quad>,
        length: usize,
    ) -> Division {
        let Extent { width, .. } = panel.extent();
        strips.divide(width as usize, length.div_ceil(4))
    }

    /// Gives a launch the inputs of include/strip.glsl.
    pub(crate) fn bind(self, launch: Launch<'_>) -> Launch<'_> {
        let launch = launch.uniform("strips", self.strips as i32);
        launch.uniform("tiles", self.tiles as i32)
    }

    /// Returns the work groups along x, y and z.
    pub(crate) fn groups(self) -> [u32; 3] {
        [self.strips as u32, self.down as u32, 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_texel_is_in_a_strip_and_totals_stay_few() {
        let narrow = Strips { across: 16, down: 2, per: 4 };
        for strips in [Strips::OF_SCANS, Strips::OF_SELECTIONS, Strips::SOFTWARE, narrow] {
            for (width, texels) in [(1, 1), (2, 3), (64, 4096), (128, 8200), (8192, 1 << 26)] {
                let Division { strips: number, down, tiles, totals } = strips.divide(width, texels);
                let strip = tiles * strips.across * strips.per;
                assert!(number * strip >= width && (number - 1) * strip < width, "{width}");
                assert!(down * strips.down * width >= texels, "{texels}");
                assert_eq!(totals, number * down * strips.down);
                assert!(totals <= 1 << 18, "{texels}: {totals}");
            }
        }
    }

    #[test]
    fn large_panels_have_enough_groups_and_no_more_totals_than_they_need() {
        for strips in [Strips::OF_SCANS, Strips::OF_SELECTIONS] {
            let Division { strips, down, .. } = strips.divide(8192, 1 << 26);
            assert!((ENOUGH..4 * ENOUGH).contains(&(strips * down)));
        }
    }
}
