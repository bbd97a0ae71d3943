//! The levels of a scan and the parts of work groups: plain arithmetic, no GL.

/// The numbers of a block, whose total is one number of the next level.
pub(super) const BLOCK: usize = 16;
/// Roundings that a number's share of a total goes through on each level: 16 numbers by pairs.
const UP: usize = 4;
/// Those of what stands before: three texels' totals, of two roundings at most beside them, and
/// four numbers.
const DOWN: usize = 3 + 4;

/// Returns the lengths of the levels of a drawn scan above a vector: each of the totals of blocks
/// of the one before, and the last of one number.
pub(super) fn levels(length: usize) -> Vec<usize> {
    let mut lengths = vec![length.div_ceil(BLOCK).max(1)];
    while let Some(last) = lengths.last().copied().filter(|last| *last > 1) {
        lengths.push(last.div_ceil(BLOCK));
    }
    lengths
}

/// Returns the roundings that a number goes through at most in a drawn scan of this length, which
/// in several panels are those of one more level each.
pub(super) fn drawn_chain(length: usize) -> usize {
    (UP + DOWN) * (levels(length).len() + 1)
}

/// Returns a bound of the relative error of this many roundings: n u / (1 - n u) (Higham, "Accuracy
/// and Stability of Numerical Algorithms", 2002).
pub(in crate::primitives) fn gamma(roundings: usize) -> f64 {
    let nu = roundings as f64 * 0.5_f64.powi(24);
    nu / (1.0 - nu)
}

/// The work groups of a dispatched scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Groups {
    /// The invocations of a group.
    pub(super) size: usize,
    /// The consecutive texels of an invocation.
    pub(super) per: usize,
}

/// The most groups, whose totals one group scans.
const MOST: usize = 1 << 14;

/// How a panel is divided among groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division {
    pub(super) groups: usize,
    /// Each group takes one tile after the other.
    pub(super) tiles: usize,
}

impl Groups {
    /// Divides the texels of a panel, of which there is at least one.
    pub(super) fn divide(self, texels: usize) -> Division {
        let tile = self.size * self.per;
        let tiles = texels.div_ceil(tile * MOST).max(1);
        Division { groups: texels.div_ceil(tile * tiles).max(1), tiles }
    }

    /// Returns the roundings that a number goes through at most: in each of the two scans over a
    /// group's tiles and in that over the groups.
    pub(super) fn chain(self, panel: usize, panels: usize) -> usize {
        let Division { groups, tiles } = self.divide(panel.div_ceil(4));
        let tree = self.size.ilog2() as usize + 1;
        let own = 2 + self.per + tree + tiles + 4;
        2 * own + groups.div_ceil(self.size) + tree + 2 + panels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_with_one_number() {
        assert_eq!(levels(0), [1]);
        assert_eq!(levels(16), [1]);
        assert_eq!(levels(17), [2, 1]);
        assert_eq!(levels(1 << 20), [1 << 16, 1 << 12, 1 << 8, 1 << 4, 1]);
    }

    #[test]
    fn every_texel_has_a_group_and_every_group_a_texel() {
        for groups in [Groups { size: 256, per: 4 }, Groups { size: 8, per: 1 }] {
            for texels in [1, 7, 8, 9, 1023, 1024, 1025, 1 << 20, (1 << 26) - 1, 1 << 26] {
                let Division { groups: number, tiles } = groups.divide(texels);
                let each = tiles * groups.size * groups.per;
                assert!(number * each >= texels && (number - 1) * each < texels, "{texels}");
                assert!(number <= MOST, "{texels}");
            }
        }
    }
}
