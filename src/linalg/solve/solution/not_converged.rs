//! The error of an iteration that did not converge.

use super::super::{Ending, Precision, Solution};
use crate::error::{Kind, failure};
use crate::linalg::krylov::Breakdown;

/// The error of an iteration that ended before its residual met the tolerance, with what it reached.
#[derive(Clone, thiserror::Error)]
#[error("{}{}", prefix(name.as_deref()), text(solution))]
#[non_exhaustive]
pub struct NotConverged {
    /// The name of the right-hand side, of [several](super::super::Side::named).
    pub name: Option<String>,
    /// The iterate with the least residual: `x`, `residual`, and the reason why the iteration ended, `ending`. `x` is
    /// empty where it is in a grid of the caller's, on a device.
    pub solution: Box<Solution>,
}

// `Cancelled` if an observer stopped the iteration.
failure!(NotConverged; kinds {
    NotConverged { solution, .. } => match solution.ending {
        Ending::Stopped => Kind::Cancelled,
        _ => Kind::Failed,
    },
});

impl Solution {
    /// Returns the solution, or the error if it did not converge.
    pub(crate) fn or_not_converged(self) -> Result<Solution, NotConverged> {
        match self.converged() {
            true => Ok(self),
            false => Err(NotConverged { name: None, solution: Box::new(self) }),
        }
    }
}

/// Without x, which may have millions of numbers.
impl std::fmt::Debug for NotConverged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NotConverged({self})")
    }
}

fn prefix(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!("{name}: "))
}

fn text(solution: &Solution) -> String {
    let Solution { ending, precision, gave_up, curvature, .. } = *solution;
    let reached = reached(solution);
    unsolved(ending, reached, solution.deciding_residual(), precision) + &tried(gave_up, curvature)
}

/// Below this a residual that falls no further is no sign of a singular matrix.
const SMALL: f64 = 1e-12;

/// Says how near the nearest x is.
fn reached(solution: &Solution) -> String {
    let Solution { reached_at, iterations, tolerance, .. } = *solution;
    let residual = solution.deciding_residual();
    let of_b = format!("{residual:.3e} times the right-hand side, above {tolerance:.3e}");
    match reached_at {
        0 if iterations > 0 => format!(
            "none of {iterations} iterations has a smaller residual than the first x: {of_b}"
        ),
        at if at < iterations => {
            format!("it was least after {at} of {iterations} iterations: {of_b}")
        }
        _ => format!("after {iterations} iterations the residual is {of_b}"),
    }
}

fn unsolved(ending: Ending, reached: String, residual: f64, precision: Precision) -> String {
    match ending {
        Ending::Breakdown(Breakdown::Curvature { value }) => format!(
            "p . A p is {value:.3e} for a direction p: the matrix is not positive definite, or so near to a singular one that it \
             is not when it is rounded to 32-bit floats; bicgstab needs no definiteness. {reached}"
        ),
        Ending::Breakdown(Breakdown::Orthogonal) => {
            format!(
                "the method breaks down, again after restarts: the matrix is singular, or so near to it that rounding to 32-bit \
                 floats is the cause. {reached}"
            )
        }
        Ending::Diverged => {
            format!(
                "the residual grows, again after restarts: the method does not converge for this matrix. {reached}"
            )
        }
        Ending::Stagnated if precision == Precision::Single => {
            format!("32-bit floats reduce the residual no further; mixed precision does. {reached}")
        }
        Ending::Stagnated if residual < SMALL => {
            format!(
                "the residual falls no further: rounding in double precision is all that is left of it. {reached}"
            )
        }
        Ending::Stagnated => format!(
            "the residual falls no further: rounding hides the rest, as where the matrix is singular or nearly so, or numbers are below \
             the normal ones of double precision. {reached}"
        ),
        _ => reached,
    }
}

fn tried(gave_up: Option<Ending>, curvature: Option<f64>) -> String {
    let multigrid = gave_up.map_or_else(String::new, |ending| {
        format!(
            "; the preconditioner multigrid was tried first and {ending}, then the preconditioner jacobi"
        )
    });
    let cg = curvature.map_or_else(String::new, |value| {
        format!(
            "; cg was tried first, and p . A p is {value:.3e} for a direction p, so that the matrix is not positive definite; then \
             bicgstab"
        )
    });
    multigrid + &cg
}
