//! WalkSAT on many candidates at once, wholly on the device; only the winner is read back.
//!
//! **A candidate is a bit.** The assignments are texels of four 32-bit masks: a column for each
//! variable and a row for each group of 128 candidates. Three fetches and a few ands and ors so
//! evaluate a clause for 128 candidates, where a row for each candidate would take three fetches
//! for one. A formula with more variables than a texture is wide wraps each group over several
//! rows.
//!
//! A step is six passes:
//!
//! 1. evaluate: each clause for each group, where it is not satisfied and where by one literal
//!    alone;
//! 2. fold, twice: which blocks of clauses, and of blocks, hold an unsatisfied one, so that a
//!    candidate finds one by looking at three short rows;
//! 3. choose: each candidate the variable to flip, by WalkSAT/SKC;
//! 4. slice: the choices by bits, so that
//! 5. flip: compares a variable's number with 128 choices at once.
//!
//! The host checks only every [`CHECK_INTERVAL`] steps whether a candidate is a model, so that the
//! result depends on no clock; where steps are slow it asks the observer more often.
//! [`reference::walk`](crate::reference::walk) is its twin, which chooses alike bit for bit.

mod kernels;
mod layout;
mod search;
mod state;

pub(crate) use kernels::sources;
pub use layout::{GROUP, default_candidates};
pub use search::{CHECK_INTERVAL, Walk, solve};

/// The options of a walk.
///
/// ```
/// use quadrille_vp::sat::walk::Options;
/// let options = Options::new(1024).seed(42).noise(0.4);
/// assert_eq!(options.candidates, 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// The number of candidates, rounded up to a multiple of [`GROUP`].
    pub candidates: usize,
    /// The seed of all random numbers. The same seed and number of candidates give the same search
    /// on every device.
    pub seed: u64,
    /// The probability of a random choice where every choice would break a clause.
    pub noise: f64,
}

impl Options {
    /// Makes the options of a walk with this number of candidates, such as [`default_candidates`],
    /// the seed 0, and [`NOISE`].
    pub fn new(candidates: usize) -> Options {
        Options { candidates, seed: 0, noise: NOISE }
    }

    /// Sets the seed.
    pub fn seed(self, seed: u64) -> Options {
        Options { seed, ..self }
    }

    /// Sets the noise.
    pub fn noise(self, noise: f64) -> Options {
        Options { noise, ..self }
    }
}

/// The noise that is near the best for random formulas of three literals per clause.
pub const NOISE: f64 = 0.5;
