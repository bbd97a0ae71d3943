//! A random system, and the expected result of a few iterations.

use super::super::Error;
use super::super::twin::{Expected, System};

/// Iterations before a result is compared with its twin: the rounding of a few is all there is.
pub(super) const CHECKED: u64 = 4;

/// A system with what a few steps of it should give.
pub(super) struct Trial {
    pub(super) system: System,
    pub(super) expected: Expected,
}

impl Trial {
    pub(super) fn new(n: usize, seed: u64) -> Result<Trial, Error> {
        let system = System::random(n, width(n), seed)?;
        let expected = system.after(CHECKED)?;
        Ok(Trial { system, expected })
    }
}

/// The width of the grid: the square root of the number of unknowns, as in the paper.
pub(super) fn width(n: usize) -> usize {
    n.isqrt().max(quadrille::data::MIN_WIDTH)
}
