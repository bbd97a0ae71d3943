//! The distribution of levels over ranks: plain arithmetic, no GL.

use crate::cluster::{Partition, Result};
use crate::grid::Halo;

use super::layout::Layout;

/// The number of points per rank below which a level is gathered on fewer ranks, and the depth of
/// halos.
///
/// ```
/// use quadrille::cluster::multigrid::Distribution;
/// let partition = Distribution::new().partition((8191 * 4095, 8191), [2, 1])?;
/// assert_eq!(partition.halo().steps, 128);
/// # Ok::<(), quadrille::cluster::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Distribution {
    /// A level is gathered on fewer ranks when it has no more points than these for each; 65 536.
    pub fewest: usize,
    /// The depth of the gathered level's halos, in points, and twice that of the level's before it,
    /// and so on; 6. With less a cycle refreshes more halos on its way back to the finest level.
    pub halo: usize,
}

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution { fewest: 1 << 16, halo: 6 }
    }
}

/// The points in a texel.
const LANES: usize = 4;
/// A level is gathered whole when it has no more points than this many ranks have.
const AT_ONCE: usize = 8;
/// More levels than a grid can have.
const LEVELS: u32 = 24;

impl Distribution {
    /// Returns the defaults.
    pub fn new() -> Distribution {
        Distribution::default()
    }

    /// Sets the number of points for each rank at which a level is gathered.
    pub fn fewest(self, fewest: usize) -> Distribution {
        Distribution { fewest, ..self }
    }

    /// Sets the depth of halos, at least four points.
    pub fn halo(self, halo: usize) -> Distribution {
        Distribution { halo: halo.max(LANES), ..self }
    }

    /// Returns the parts of a grid of this many numbers in rows of a width, for columns and rows of
    /// ranks: cut at points that several levels have, with halos as deep as these need. Where parts
    /// are small there are fewer levels, or none.
    ///
    /// # Errors
    ///
    /// Those of [`Partition::at_multiples`] for a halo of one step.
    pub fn partition(&self, size: (usize, usize), across: [usize; 2]) -> Result<Partition> {
        let (numbers, width) = (size.0, size.1.max(1));
        let points = (width, numbers.div_ceil(width));
        let is_large = |levels: &u32| {
            let (width, height) = (points.0 >> (levels - 1), points.1 >> (levels - 1));
            width * height > self.fewest.saturating_mul(across[0].saturating_mul(across[1]))
        };
        let most = (1..LEVELS).take_while(is_large).last().unwrap_or(0);
        let parts = |levels: u32| {
            // Along x parts begin with whole texels on each level.
            let deep = if across[0] > 1 { self.halo.next_multiple_of(LANES) } else { self.halo };
            let steps = if levels == 0 { 1 } else { deep << levels };
            let halo = Halo { steps, across_ends: false };
            Partition::at_multiples(size, across, halo, [LANES << levels, 1 << levels])
        };
        (1..=most).rev().find_map(|levels| parts(levels).ok()).map_or_else(|| parts(0), Ok)
    }

    /// Returns the parts in which fewer ranks have a level that these had, or in which one has it
    /// all; a small level each of a few ranks has, so that none waits for what another computes.
    pub(super) fn gathered(&self, from: &Layout, at_once: bool) -> Result<Layout> {
        let (width, height) = from.points;
        let is_small = width * height <= self.fewest.saturating_mul(AT_ONCE);
        if is_small && from.ranks.len() <= AT_ONCE {
            return Ok(Layout::of_each(from.points, from.ranks.clone()));
        }
        let [columns, rows] = from.across;
        let fewer = match at_once || is_small {
            true => [1, 1],
            false => [columns.div_ceil(2), rows.div_ceil(2)],
        };
        let partition = self.partition((width * height, width), fewer)?;
        let rank = |at: usize| {
            let (column, row) =
                (at % fewer[0] * columns / fewer[0], at / fewer[0] * rows / fewer[1]);
            from.ranks[row * columns + column]
        };
        Ok(Layout::of(&partition, (0..partition.ranks()).map(rank).collect()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::linalg::multigrid::Coarsening;

    /// Levels are coarsened in parts as long as these can be, and those that are gathered end where
    /// a rank has all.
    #[test]
    fn levels_are_cut_where_coarser_ones_can_be() {
        let both = Coarsening { x: 2, y: 2 };
        let distribution = Distribution::new().fewest(50).halo(4);
        for (points, across, expected) in [
            ((257, 300), [2, 3], vec![(6, 4), (6, 0)]),
            ((1000, 64), [5, 1], vec![(5, 4), (5, 0)]),
            ((640, 640), [8, 8], vec![(64, 4), (16, 1), (1, 0)]),
            ((7, 5), [1, 5], vec![(5, 0), (5, 0)]),
        ] {
            let partition =
                distribution.partition((points.0 * points.1, points.0), across).unwrap();
            let mut layout = Layout::of(&partition, (0..across[0] * across[1]).collect());
            let mut found = Vec::new();
            while !layout.is_whole() {
                let (count, mut levels) = (layout.parts.len(), 0);
                while let Some(next) = layout.coarser(both) {
                    assert!(next.halo.iter().flatten().all(|depth| *depth >= LANES));
                    (layout, levels) = (next, levels + 1);
                }
                found.push((count, levels));
                let next = distribution.gathered(&layout, levels == 0).unwrap();
                assert!(next.parts.len() < count || next.is_whole());
                assert_eq!(next.points, layout.points);
                assert!(next.ranks.iter().all(|rank| layout.ranks.contains(rank)));
                layout = next;
            }
            found.push((layout.parts.len(), 0));
            assert_eq!((layout.ranks[0], found), (0, expected), "{points:?} {across:?}");
        }
    }
}
