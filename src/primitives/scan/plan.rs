//! The levels of a scan and the roundings behind its results: plain arithmetic, no GL.

use super::super::kit::strips::{Division, Strips};

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

/// Returns the roundings that a number goes through at most in a dispatched scan of panels that are
/// so divided: twice on its way through its row of a strip, and `middle` times in the scan of the
/// totals.
pub(super) fn dispatched_chain(
    strips: Strips,
    division: Division,
    middle: usize,
    panels: usize,
) -> usize {
    let row = 2 + strips.across + strips.per * division.tiles;
    row + middle + row + 1 + 4 + panels
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
}
