//! Interpolation that a matrix induces (Dendy 1982).

use super::Nine;
use super::nine::neighbours;
use crate::linalg::multigrid::plan::Coarsening;

/// A sum of couplings below this fraction of their magnitudes is rounding error in single
/// precision, and no divisor.
const FLOOR: f64 = 1e-6;
/// The largest weight. Those of M-matrices are at most 1; without a bound those of other matrices
/// could grow from level to level.
const LARGEST: f64 = 2.0;

/// Returns the weights with which points of the coarse grid enter those around them on the fine
/// grid: nine numbers for each point of the coarse grid, 1 in the middle.
///
/// At a fine point between two coarse ones the couplings are added up across their axis, so that a
/// row A u = 0 gives u from the two. A point between four takes its row A u = 0 as it is.
pub fn interpolation(a: &Nine, coarsening: Coarsening) -> Nine {
    Nine::new(coarsening.coarse(a.extent()), |x, y, i, j| {
        let (x, y) = coarsening.fine(x, y);
        match (i, j) {
            (0, 0) => 1.0,
            _ if (coarsening.x == 1 && i != 0) || (coarsening.y == 1 && j != 0) => 0.0,
            _ if a.index(x + i, y + j).is_none() => 0.0,
            (_, 0) => along_x(a, (x + i, y), -i),
            (0, _) => along_y(a, (x, y + j), -j),
            _ => diagonally(a, (x + i, y + j), (-i, -j)),
        }
    })
}

/// Returns the weight of the neighbour to the left or right.
fn along_x(a: &Nine, (x, y): (isize, isize), i: isize) -> f64 {
    quotient((-1..=1).map(|j| a.at(x, y, i, j)).sum(), [-1, 0, 1].map(|j| a.at(x, y, 0, j)))
}

/// Returns the weight of the neighbour below or above.
fn along_y(a: &Nine, (x, y): (isize, isize), j: isize) -> f64 {
    quotient((-1..=1).map(|i| a.at(x, y, i, j)).sum(), [-1, 0, 1].map(|i| a.at(x, y, i, 0)))
}

/// Returns the weight of a neighbour on a diagonal: what its own coupling and those of the two
/// points between give it.
fn diagonally(a: &Nine, (x, y): (isize, isize), (i, j): (isize, isize)) -> f64 {
    let beside = a.at(x, y, i, 0) * along_y(a, (x + i, y), j);
    let below = a.at(x, y, 0, j) * along_x(a, (x, y + j), i);
    quotient(a.at(x, y, i, j) + beside + below, [0.0, a.at(x, y, 0, 0), 0.0])
}

/// Minus the coupling over the sum of the others: a half where these cancel, and 0 where there are
/// none.
fn quotient(coupling: f64, others: [f64; 3]) -> f64 {
    let sum: f64 = others.iter().sum();
    let magnitude: f64 = others.iter().map(|other| other.abs()).sum();
    if magnitude == 0.0 {
        return 0.0;
    }
    if sum.abs() <= FLOOR * magnitude {
        return 0.5;
    }
    (-coupling / sum).clamp(-LARGEST, LARGEST)
}

/// Returns P e, the interpolation of e, on a fine grid of this extent.
pub fn prolong(
    weights: &Nine,
    coarsening: Coarsening,
    (width, height): (usize, usize),
    e: &[f64],
) -> Vec<f64> {
    let mut fine = vec![0.0; width * height];
    for_each(weights, coarsening, (width, height), |coarse, at, weight| {
        fine[at] += weight * e[coarse];
    });
    fine
}

/// Returns the transpose of the interpolation with these weights, times r of a fine grid of this
/// extent.
pub fn restrict(
    weights: &Nine,
    coarsening: Coarsening,
    extent: (usize, usize),
    r: &[f64],
) -> Vec<f64> {
    let mut sums = vec![0.0; weights.rows().len()];
    for_each(weights, coarsening, extent, |coarse, at, weight| sums[coarse] += weight * r[at]);
    sums
}

/// Calls a function with the index of each coarse point, of each fine point around it, and the
/// weight.
fn for_each(
    weights: &Nine,
    coarsening: Coarsening,
    (width, height): (usize, usize),
    mut call: impl FnMut(usize, usize, f64),
) {
    let coarse_width = weights.extent().0.max(1);
    for (index, nine) in weights.rows().iter().enumerate() {
        let (x, y) =
            coarsening.fine((index % coarse_width) as isize, (index / coarse_width) as isize);
        for ((i, j), weight) in neighbours().zip(nine) {
            let (x, y) = ((x + i) as usize, (y + j) as usize);
            if x < width && y < height {
                call(index, y * width + x, *weight);
            }
        }
    }
}
