//! The matrix of a grid that is coarser along one axis.

use crate::data::Result;
use crate::data::grid3::matrix::{GridMatrix, Row};
use crate::data::grid3::{neighbour, step};

use super::Weights;

/// Returns R A P, where P interpolates along an axis with the weights `p`, and R is the transpose of the interpolation
/// with the weights `r`.
///
/// # Errors
/// Out of memory, and a product that is not finite.
pub fn coarser(matrix: &GridMatrix, r: &Weights, p: &Weights, axis: usize) -> Result<GridMatrix> {
    let (grid, periodic) = (p.grid, matrix.periodic());
    let row = |place: [usize; 3]| row(matrix, r, p, axis, place);
    match matrix.is_stored() {
        true => GridMatrix::by_rows(grid, periodic, row),
        false => GridMatrix::by_kinds(grid, periodic, row),
    }
}

/// Returns the weight of a coarse point at the fine point that is a step away.
fn weight_at([before, behind]: [f64; 2], step: isize) -> f64 {
    match step {
        -1 => before,
        0 => 1.0,
        _ => behind,
    }
}

/// Returns a row of the coarse matrix: each number is a sum over the fine points around the coarse one, and over the
/// neighbours of these that the coarse neighbour enters.
fn row(matrix: &GridMatrix, r: &Weights, p: &Weights, axis: usize, place: [usize; 3]) -> Row {
    let mut fine = place;
    fine[axis] = 2 * place[axis] + 1;
    let here = r.at(place);
    let around = [-1, 0, 1].map(|i| {
        let mut by = [0; 3];
        by[axis] = i;
        matrix.beside(fine, by).map(|from| (i, matrix.row(from)))
    });
    std::array::from_fn(|k| {
        let to = step(k);
        let Some(there) = p.grid.beside(matrix.periodic(), place, to) else { return 0.0 };
        let weights = p.at(there);
        let mut sum = 0.0;
        for (i, numbers) in around.iter().flatten() {
            for next in [-1, 0, 1] {
                // Where that neighbour is, seen from the coarse one.
                let from_there = i + next - 2 * to[axis];
                if from_there.abs() <= 1 {
                    let mut step = to;
                    step[axis] = next;
                    sum += weight_at(here, *i)
                        * numbers[neighbour(step)]
                        * weight_at(weights, from_there);
                }
            }
        }
        sum
    })
}
