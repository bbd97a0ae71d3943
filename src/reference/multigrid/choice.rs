//! Chooses the smoother that suits a level.

use super::{Nine, Smoother};

/// The factor by which couplings along one axis must be stronger for a point to count as one-sided.
const STRONGER: f64 = 4.0;

/// Returns whether couplings that are as [`strong`](super::strengths) as this along x and y are
/// one-sided.
pub fn is_one_sided((along_x, along_y): (f64, f64)) -> bool {
    along_x > STRONGER * along_y || along_y > STRONGER * along_x
}

/// Returns the fraction of points with one-sided couplings.
pub fn one_sided(a: &Nine) -> f64 {
    let count = a.rows().iter().filter(|nine| is_one_sided(super::strengths_at(nine))).count();
    count as f64 / a.rows().len().max(1) as f64
}

/// The fraction of one-sided points from which on lines are worth their time: sweeps by lines take
/// several times that of sweeps by points, which on a coarse level is little.
const ON_THE_FINEST: f64 = 0.5;
const ON_OTHERS: f64 = 0.1;

/// Returns the smoother of a level that becomes coarser along both axes, though points are
/// one-sided: some along x, others along y. There points would leave errors that the coarser level
/// cannot have.
pub fn suits(one_sided: f64, is_finest: bool) -> Smoother {
    let enough = if is_finest { ON_THE_FINEST } else { ON_OTHERS };
    if one_sided > enough { Smoother::LineJacobi } else { Smoother::Jacobi }
}
