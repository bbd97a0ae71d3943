//! The result of a solver.

pub(super) mod ending;
pub(super) mod recorder;

use super::{Ending, Error, Precision, Times};

/// A solution, or the last iterate. `X` is `()` where x is in a grid of the caller's, on a device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solution<X = Vec<f64>> {
    /// The solution x, in double precision.
    pub x: X,
    /// The 2-norm of b - A x over that of b, in double precision, for the matrix as it was given
    /// and this x; 0 if b is zero. A mean that was removed from b is not in it. Where x is a grid,
    /// in 32-bit floats on the device, and for the matrix as the device holds it.
    pub residual: f64,
    /// The residual to reach.
    pub tolerance: f64,
    /// The steps of the method, with those of what was chosen before and given up.
    pub iterations: u64,
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
    /// The mean of the right-hand side, where it was removed because no x has a product with a
    /// mean: [`Solver::has_constant_null_space`](super::Solver::has_constant_null_space).
    pub removed_mean: Option<f64>,
    /// The time that it took, by parts.
    pub times: Times,
}

impl<X> Solution<X> {
    /// Returns the solution with x in another form.
    pub(crate) fn with<Y>(self, x: Y) -> Solution<Y> {
        Solution {
            x,
            residual: self.residual,
            tolerance: self.tolerance,
            iterations: self.iterations,
            applications: self.applications,
            corrections: self.corrections,
            ending: self.ending,
            precision: self.precision,
            gave_up: self.gave_up,
            curvature: self.curvature,
            removed_mean: self.removed_mean,
            times: self.times,
        }
    }

    /// Returns whether the residual meets the tolerance.
    pub fn converged(&self) -> bool {
        self.ending == Ending::Converged
    }

    /// Returns the factor by which an iteration multiplied the residual, as a geometric mean, if
    /// the first began at x = 0, whose residual is 1; `None` without an iteration.
    pub fn convergence_factor(&self) -> Option<f64> {
        (self.iterations > 0).then(|| self.residual.powf(1.0 / self.iterations as f64))
    }

    /// Returns the solution if it converged.
    ///
    /// # Errors
    ///
    /// [`Error::Unsolved`] with the residual that was reached, and why the iteration ended.
    pub fn into_converged(self) -> Result<Solution<X>, Error> {
        match self.unsolved() {
            None => Ok(self),
            Some(error) => Err(error),
        }
    }

    /// Returns the error of a solution that did not converge.
    pub fn unsolved(&self) -> Option<Error> {
        let Solution { ending, iterations, residual, tolerance, precision, .. } = *self;
        let Solution { gave_up, curvature, .. } = *self;
        let error = Error::Unsolved {
            ending,
            iterations,
            residual,
            tolerance,
            precision,
            gave_up,
            curvature,
        };
        (!self.converged()).then_some(error)
    }
}
