//! How strongly points are coupled along each axis, by which levels are planned.

use crate::data::GridMatrix;
use crate::data::grid3::matrix::Row;
use crate::data::grid3::{MIDDLE, PLANES};

/// The most that a point counts for: where no row is dominated by its couplings it has no effect.
const MOST: f64 = 4.0;
/// The factor by which couplings along one axis must be stronger for a point to count as one-sided.
const STRONGER: f64 = 4.0;

/// Returns the sums of magnitudes of a row's couplings to both sides of each axis, added up across it.
fn sides(row: &Row) -> [f64; 3] {
    PLANES.map(|[before, _, behind]| {
        [before, behind].map(|plane| plane.map(|k| row[k]).iter().sum::<f64>().abs()).iter().sum()
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
