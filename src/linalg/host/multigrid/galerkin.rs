//! The matrix of the coarse grid.

use super::Nine;
use super::nine::neighbours;
use crate::linalg::multigrid::plan::Coarsening;

/// Returns the Galerkin product R A P, where R is the transpose of the interpolation with the
/// weights `r`.
pub fn galerkin(r: &Nine, a: &Nine, p: &Nine, coarsening: Coarsening) -> Nine {
    Nine::new(coarsening.coarse(a.extent()), |x, y, across, up| {
        if p.index(x + across, y + up).is_none() {
            return 0.0;
        }
        let (fine_x, fine_y) = coarsening.fine(x, y);
        let mut sum = 0.0;
        for (i, j) in neighbours() {
            let weight = r.at(x, y, i, j);
            if weight == 0.0 {
                continue;
            }
            for (k, l) in neighbours() {
                // Where the column is, seen from the coarse neighbour.
                let i_there = i + k - coarsening.x as isize * across;
                let j_there = j + l - coarsening.y as isize * up;
                if i_there.abs() <= 1 && j_there.abs() <= 1 {
                    let coupling = a.at(fine_x + i, fine_y + j, k, l);
                    sum += weight * coupling * p.at(x + across, y + up, i_there, j_there);
                }
            }
        }
        sum
    })
}
