//! The matrix of a grid that is coarser along one axis.

use crate::data::Result;
use crate::data::grid3::matrix::{GridMatrix, Row};
use crate::data::grid3::{NEIGHBOURS, PLANES, step};

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

/// How far along the axis the neighbours of the fine points around a coarse one are.
const REACH: isize = 2;

/// Returns a row of the coarse matrix. The row of R A has a number for each step along the axis and each place across it; each number
/// of the coarse row is a sum over the fine points that the coarse neighbour enters.
fn row(matrix: &GridMatrix, r: &Weights, p: &Weights, axis: usize, place: [usize; 3]) -> Row {
    let mut fine = place;
    fine[axis] = 2 * place[axis] + 1;
    let [before, behind] = r.at(place);
    let mut product = [[0.0; 9]; 2 * REACH as usize + 1];
    for (i, weight) in [(-1, before), (0, 1.0), (1, behind)] {
        let mut by = [0; 3];
        by[axis] = i;
        let Some(from) = matrix.beside(fine, by) else { continue };
        let numbers = matrix.row(from);
        for (next, plane) in (-1..).zip(PLANES[axis]) {
            let sums = &mut product[(i + next + REACH) as usize];
            sums.iter_mut().zip(plane).for_each(|(sum, k)| *sum += weight * numbers[k]);
        }
    }
    let mut row = [0.0; NEIGHBOURS];
    for (along, plane) in (-1..).zip(PLANES[axis]) {
        for (across, k) in plane.into_iter().enumerate() {
            let Some(there) = p.grid.beside(matrix.periodic(), place, step(k)) else { continue };
            let [before, behind] = p.at(there);
            for (i, weight) in [(-1, before), (0, 1.0), (1, behind)] {
                let from = usize::try_from(2 * along + i + REACH).ok();
                let sums = from.and_then(|from| product.get(from));
                row[k] += sums.map_or(0.0, |sums| weight * sums[across]);
            }
        }
    }
    row
}
