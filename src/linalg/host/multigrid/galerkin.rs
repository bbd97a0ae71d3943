//! The matrix of the coarse grid.

use super::Nine;
use super::nine::neighbours;
use crate::linalg::multigrid::plan::Coarsening;

/// Returns the Galerkin product R A P, where R is the transpose of the interpolation with the
/// weights `r`.
pub fn galerkin(r: &Nine, a: &Nine, p: &Nine, coarsening: Coarsening) -> Nine {
    Nine::by_points(coarsening.coarse(a.extent()), |x, y| {
        let product = row_of_product(r, a, coarsening, (x, y));
        let mut row = [0.0; 9];
        for ((across, up), sum) in neighbours().zip(&mut row) {
            let Some(weights) = p.row(x + across, y + up) else { continue };
            let (from_x, from_y) = (coarsening.x as isize * across, coarsening.y as isize * up);
            for ((i, j), weight) in neighbours().zip(weights) {
                let (i, j) = (from_x + i, from_y + j);
                if i.abs() <= REACH && j.abs() <= REACH {
                    *sum += product[place(i, j)] * weight;
                }
            }
        }
        row
    })
}

/// How far along each axis the neighbours of the fine points around a coarse one are.
const REACH: isize = 2;
const SIDE: isize = 2 * REACH + 1;

fn place(i: isize, j: isize) -> usize {
    (SIDE * (j + REACH) + i + REACH) as usize
}

/// Returns the row of R A of a coarse point: what each fine point around it enters with.
fn row_of_product(
    r: &Nine,
    a: &Nine,
    coarsening: Coarsening,
    (x, y): (isize, isize),
) -> [f64; (SIDE * SIDE) as usize] {
    let (fine_x, fine_y) = coarsening.fine(x, y);
    let mut product = [0.0; (SIDE * SIDE) as usize];
    for ((i, j), weight) in neighbours().zip(r.row(x, y).into_iter().flatten()) {
        let Some(couplings) = a.row(fine_x + i, fine_y + j) else { continue };
        for ((k, l), coupling) in neighbours().zip(couplings) {
            product[place(i + k, j + l)] += weight * coupling;
        }
    }
    product
}
