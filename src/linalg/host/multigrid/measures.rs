//! How strongly points are coupled along x and along y, by which levels are planned.

use super::Nine;
use crate::linalg::multigrid::plan::Measures;

/// The factor by which couplings along one axis must be stronger for a point to count as one-sided.
const STRONGER: f64 = 4.0;

/// Returns the sums over all points.
pub fn measures(a: &Nine) -> Measures {
    let mut measures = Measures { strengths: (0.0, 0.0), one_sided: 0.0 };
    for (x, y) in a.rows().iter().map(strengths_at) {
        measures.strengths.0 += x;
        measures.strengths.1 += y;
        measures.one_sided += f64::from(u8::from(x > STRONGER * y || y > STRONGER * x));
    }
    measures
}

/// The most that a point counts for: where no row is dominated by its couplings it has no effect.
const MOST: f64 = 4.0;

/// Returns the strengths of a point's couplings along x and along y: sums over both neighbours of
/// the magnitudes of couplings added up across the axis, over the diagonal.
fn strengths_at(nine: &[f64; 9]) -> (f64, f64) {
    if nine[4] == 0.0 {
        return (0.0, 0.0);
    }
    let column = |i: usize| (nine[i] + nine[i + 3] + nine[i + 6]).abs();
    let row = |j: usize| (nine[3 * j] + nine[3 * j + 1] + nine[3 * j + 2]).abs();
    let over = |sum: f64| (sum / nine[4].abs()).min(MOST);
    (over(column(0) + column(2)), over(row(0) + row(2)))
}
