//! The result of a solver.

pub(super) mod ending;
pub(super) mod not_converged;
pub(super) mod recorder;

use super::{Ending, Precision, Times};

/// A solution, or in [`NotConverged`](super::NotConverged) the iterate with the least residual.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// The solution x, in double precision; empty where it is in a grid of the caller's, on a device.
    pub x: Vec<f64>,
    /// The 2-norm of b - A x over that of b, in double precision, for the matrix and the b as they
    /// were given and this x; 0 if b is zero. Where x is a grid, in 32-bit floats on the device, and
    /// for the matrix as the device holds it.
    pub residual: f64,
    /// The same for b without its mean, over the 2-norm of that, where the matrix takes constants to zero and
    /// [`Options::project`](super::Options::project) asked for it: this is what meets the tolerance then.
    pub projected_residual: Option<f64>,
    /// The residual to reach.
    pub tolerance: f64,
    /// The steps of the method, with those of what was chosen before and given up.
    pub iterations: u64,
    /// The steps after which x was reached: no look at a later x found a smaller residual.
    pub reached_at: u64,
    /// The products with the matrix in 32-bit floats, with those of the preconditioner.
    pub applications: u64,
    /// The residuals that were computed from x.
    pub corrections: u64,
    /// The reason why the iteration ended.
    pub ending: Ending,
    /// The precision of the answer.
    pub precision: Precision,
    /// The ending of multigrid, if it was chosen and did not converge, for this right-hand side or
    /// one before it.
    pub gave_up: Option<Ending>,
    /// The product p . A p, not positive, by which conjugate gradients found that the matrix is not
    /// positive definite, if they were chosen: BiCGSTAB has taken their place.
    pub curvature: Option<f64>,
    /// The mean of the right-hand side, where it was removed because no x has a product with a mean
    /// ([`Solver::has_constant_null_space`](super::Solver::has_constant_null_space)), and is more than rounding.
    pub removed_mean: Option<f64>,
    /// The time that it took, by parts.
    pub times: Times,
}

impl Solution {
    /// Returns the residual that the tolerance is of: the projected one, if there is one.
    pub fn deciding_residual(&self) -> f64 {
        self.projected_residual.unwrap_or(self.residual)
    }

    /// Returns whether the residual meets the tolerance.
    pub fn converged(&self) -> bool {
        self.ending == Ending::Converged
    }

    /// Returns the factor by which an iteration multiplied the residual, as a geometric mean, if
    /// the first began at x = 0, whose residual is 1; `None` without an iteration.
    pub fn convergence_factor(&self) -> Option<f64> {
        (self.iterations > 0).then(|| self.deciding_residual().powf(1.0 / self.iterations as f64))
    }
}
