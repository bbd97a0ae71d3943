//! Why an iteration ended.

use crate::linalg::krylov::Breakdown;

/// Why an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// The residual met the tolerance.
    Converged,
    /// The iterations that were allowed are done.
    Iterations,
    /// The observer stopped it.
    Stopped,
    /// The residual falls no further.
    Stagnated,
    /// The residual grew beyond all bounds, again after restarts.
    Diverged,
    /// The method broke down, again after restarts.
    Breakdown(Breakdown),
}
