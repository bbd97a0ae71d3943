//! The axes along which a grid becomes coarser, and the sweeps that suit them.

use std::f64::consts::PI;

use crate::data::GridMatrix;
use crate::data::grid3::matrix::Row;
use crate::data::grid3::{MIDDLE, step};

/// Grids of at most so many points are solved by an inverse.
pub const COARSEST: usize = 256;

/// The step along each axis to the next points that stay: 2 where the grid becomes coarser, else 1.
pub type Steps = [usize; 3];

/// A grid becomes coarser along an axis whose couplings are at least this part of the strongest ones.
const AS_STRONG: f64 = 0.5;
/// The most that a point counts for: where no row is dominated by its couplings it has no effect.
const MOST: f64 = 4.0;
/// The factor by which couplings along one axis must be stronger for a point to count as one-sided.
const STRONGER: f64 = 4.0;

/// Returns the sums of magnitudes of a row's couplings to both sides of each axis, added up across it.
fn sides(row: &Row) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let side = |side: isize| {
            let towards = (0..row.len()).filter(|k| step(*k)[axis] == side);
            towards.map(|k| row[k]).sum::<f64>().abs()
        };
        side(-1) + side(1)
    })
}

/// Returns the strengths of couplings along each axis: sums over all points, relative to the diagonal.
pub fn strengths(matrix: &GridMatrix) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for (place, count) in matrix.representatives() {
        let row = matrix.row(place);
        let count = count as f64;
        for (sum, side) in sums.iter_mut().zip(sides(&row)) {
            if row[MIDDLE] != 0.0 {
                *sum += count * (side / row[MIDDLE].abs()).min(MOST);
            }
        }
    }
    sums
}

/// Returns the fraction of points whose couplings along one axis are much stronger than along another, of those axes
/// that have several points.
pub fn one_sided(matrix: &GridMatrix) -> f64 {
    let mut found = 0;
    for (place, count) in matrix.representatives() {
        let sides = sides(&matrix.row(place));
        let along = (0..3).filter(|axis| matrix.grid().points()[*axis] > 1).map(|axis| sides[axis]);
        let (least, most) = along.fold((f64::INFINITY, 0.0_f64), |(least, most), side| {
            (least.min(side), most.max(side))
        });
        if most > STRONGER * least {
            found += count;
        }
    }
    found as f64 / matrix.n() as f64
}

/// Chooses the axes along which a grid of these points becomes coarser by the strengths of couplings; `None` where
/// there are few points, or no axis has points to lose. A periodic axis needs an even number of them.
pub fn steps(points: [usize; 3], periodic: [bool; 3], strengths: [f64; 3]) -> Option<Steps> {
    let can = [0, 1, 2].map(|axis| points[axis] > 1 && !(periodic[axis] && points[axis] % 2 == 1));
    let most = (0..3).filter(|axis| can[*axis]).map(|axis| strengths[axis]).fold(0.0, f64::max);
    let steps =
        [0, 1, 2].map(|axis| 1 + usize::from(can[axis] && strengths[axis] >= AS_STRONG * most));
    (points.iter().product::<usize>() > COARSEST && steps != [1; 3]).then_some(steps)
}

/// The fraction of one-sided points from which on more sweeps are worth their time, on the finest level and on others.
const ON_THE_FINEST: f64 = 0.5;
const ON_OTHERS: f64 = 0.1;

/// Returns the factors of the sweeps in each half of a cycle on a level: two, and eight where the grid becomes coarser
/// along all axes though points are coupled more strongly along some, others along others.
pub fn dampings(
    points: [usize; 3],
    steps: Steps,
    symmetric: bool,
    one_sided: f64,
    is_finest: bool,
) -> Vec<f64> {
    if !symmetric {
        return vec![1.2, 1.9];
    }
    let is_full = points.iter().zip(steps).all(|(points, step)| step == 2 || *points == 1);
    let enough = if is_finest { ON_THE_FINEST } else { ON_OTHERS };
    match is_full && one_sided > enough {
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
