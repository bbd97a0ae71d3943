//! Jacobi's iteration with Chebyshev's damping: all points at once.

use crate::reference::multigrid::damping;

use super::points::Sweeps;

pub(super) fn sweeps(symmetric: bool) -> Sweeps {
    let all = damping(symmetric).map(|factor| [[factor as f32; 4]; 2]).to_vec();
    [all.clone(), all]
}
