//! What is decided for a level, on the device and on the host: the axes along which its grid becomes coarser, and the sweeps that
//! suit it. The tests have these numbers once more.

use std::f64::consts::PI;

use crate::data::GridMatrix;
use crate::linalg::host::grid3::{one_sided, strengths};
use crate::linalg::multigrid::plan::{WITHOUT_SYMMETRY, is_many};
use crate::linalg::multigrid::{COARSEST, CoarsenAlong};

/// The step along each axis to the next points that stay: 2 where the grid becomes coarser, else 1.
pub(crate) type Steps = [usize; 3];

/// A grid becomes coarser along an axis whose couplings are at least this part of the strongest ones.
const AS_STRONG: f64 = 0.5;

/// The plan of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelPlan {
    /// `None` on the last.
    pub steps: Option<Steps>,
    /// The factors of the sweeps in each half of a cycle.
    pub dampings: Vec<f64>,
}

/// Plans a level by its matrix on the host.
pub(crate) fn plan(
    matrix: &GridMatrix,
    symmetric: bool,
    along: CoarsenAlong,
    is_finest: bool,
) -> LevelPlan {
    let points = matrix.grid().points();
    let strengths = match along {
        CoarsenAlong::Strong => strengths(matrix),
        CoarsenAlong::Both => [1.0; 3],
    };
    let steps = steps(points, matrix.periodic(), strengths);
    let dampings = |steps| dampings(points, steps, symmetric, one_sided(matrix), is_finest);
    LevelPlan { steps, dampings: steps.map(dampings).unwrap_or_default() }
}

/// Chooses the axes along which a grid of these points becomes coarser by the strengths of couplings; `None` where
/// there are few points, or no axis has points to lose. A periodic axis needs an even number of them.
pub(crate) fn steps(points: [usize; 3], periodic: [bool; 3], strengths: [f64; 3]) -> Option<Steps> {
    let can = [0, 1, 2].map(|axis| points[axis] > 1 && !(periodic[axis] && points[axis] % 2 == 1));
    let most = (0..3).filter(|axis| can[*axis]).map(|axis| strengths[axis]).fold(0.0, f64::max);
    let steps =
        [0, 1, 2].map(|axis| 1 + usize::from(can[axis] && strengths[axis] >= AS_STRONG * most));
    (points.iter().product::<usize>() > COARSEST && steps != [1; 3]).then_some(steps)
}

/// Returns the factors of the sweeps in each half of a cycle on a level: two, and eight where the grid becomes coarser
/// along all axes though points are coupled more strongly along some, others along others.
pub(crate) fn dampings(
    points: [usize; 3],
    steps: Steps,
    symmetric: bool,
    one_sided: f64,
    is_finest: bool,
) -> Vec<f64> {
    if !symmetric {
        return WITHOUT_SYMMETRY.to_vec();
    }
    let is_full = points.iter().zip(steps).all(|(points, step)| step == 2 || *points == 1);
    match is_full && is_many(one_sided, is_finest) {
        true => chebyshev(1.0 / 50.0, 8),
        false => chebyshev(1.0 / 6.0, 2),
    }
}

/// Returns the reciprocals of the roots of Chebyshev's polynomial on the interval from `least` to 1.
fn chebyshev(least: f64, sweeps: usize) -> Vec<f64> {
    let (middle, half) = ((1.0 + least) / 2.0, (1.0 - least) / 2.0);
    let root = |i: usize| middle + half * (PI * (2 * i + 1) as f64 / (2 * sweeps) as f64).cos();
    (0..sweeps).map(|i| 1.0 / root(i)).collect()
}
