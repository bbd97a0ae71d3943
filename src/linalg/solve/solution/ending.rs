//! The reasons why an iteration ends.

use crate::linalg::krylov::Breakdown;

/// The reason why an iteration ended.
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

impl Ending {
    /// Returns the name as text.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Converged => "converged",
            Ending::Iterations => "not converged",
            Ending::Stopped => "stopped",
            Ending::Stagnated => "stagnated",
            Ending::Diverged => "diverged",
            Ending::Breakdown(_) => "broke down",
        }
    }
}

/// Writes the ending as the predicate of a sentence.
impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Ending::Iterations => "did not converge",
            Ending::Stopped => "was stopped",
            other => other.name(),
        })
    }
}
