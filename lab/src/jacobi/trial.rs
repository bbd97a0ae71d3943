//! A random system, and the expected result of a few iterations.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use quadrille::data::{NineBanded, random_couplings};
use quadrille::internal::memory;

use super::super::Error;
use super::super::twin::{self, Expected};

/// Iterations before a result is compared with its twin: the rounding of a few is all there is.
pub(super) const CHECKED: u64 = 4;

/// A system with what a few steps of it should give.
pub(super) struct Trial {
    pub(super) matrix: NineBanded,
    pub(super) side: Vec<f32>,
    pub(super) start: Vec<f32>,
    pub(super) expected: Expected,
}

impl Trial {
    pub(super) fn new(n: usize, seed: u64) -> Result<Trial, Error> {
        let mut generator = Pcg64Mcg::seed_from_u64(seed);
        let mut next = || generator.random_range(-1.0..1.0_f32);
        let m = width(n);
        let matrix = random_couplings(n, m, &mut next)?;
        let side = memory::collected(n, (0..n).map(|_| next()))?;
        let start = memory::collected(n, (0..n).map(|_| next()))?;
        let expected = twin::iterate(&matrix, &side, &start, CHECKED)?;
        Ok(Trial { matrix, side, start, expected })
    }
}

/// The width of the grid: the square root of the number of unknowns, as in the paper.
pub(super) fn width(n: usize) -> usize {
    n.isqrt().max(quadrille::data::MIN_WIDTH)
}
