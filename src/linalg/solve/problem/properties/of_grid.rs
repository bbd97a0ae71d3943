//! The properties of a matrix on a grid of three dimensions.

use super::{NONE, Properties};
use crate::data::GridMatrix;
use crate::data::cancellation::{Addition, Sums};
use crate::data::grid3::matrix::Row;
use crate::data::grid3::{MIDDLE, NEIGHBOURS, step};
use crate::memory::host_threads::in_ranges;

impl Properties {
    /// Finds the properties of a matrix on a grid of three dimensions. It counts as a grid's, with the structure that
    /// multigrid needs.
    pub(crate) fn of_grid(matrix: &GridMatrix) -> Properties {
        let found = match matrix.kinds() {
            Some(_) => {
                let rows = matrix.representatives().map(|(place, _)| of_row(matrix, place));
                rows.fold(Properties::NONE, Properties::combined)
            }
            None => {
                let of = |at: usize| of_row(matrix, matrix.grid().place(at));
                let parts = in_ranges(matrix.n(), 1 << 12, |rows| {
                    rows.map(of).fold(Properties::NONE, Properties::combined)
                });
                parts.into_iter().fold(Properties::NONE, Properties::combined)
            }
        };
        Properties { unknowns: matrix.n() as u64, ..found }
    }
}

fn of_row(matrix: &GridMatrix, place: [usize; 3]) -> Properties {
    let index = matrix.grid().index(place);
    let mut found = Properties::NONE;
    let (mut numbers, mut column): (Row, Row) = ([0.0; NEIGHBOURS], [0.0; NEIGHBOURS]);
    let neighbours = matrix.neighbours();
    for (at, k) in neighbours.iter().enumerate() {
        let Some(there) = matrix.beside(place, step(*k)) else { continue };
        // From the other end the list begins with the way back.
        let back = neighbours.len() - 1 - at;
        let (value, mirrored) = (matrix.number(place, at), matrix.number(there, back));
        (numbers[*k], column[*k]) = (value, mirrored);
        if *k != MIDDLE {
            found.note_pair([index, matrix.grid().index(there)], value, mirrored);
        }
    }
    let diagonal = numbers[MIDDLE];
    let beside = numbers.iter().map(|number| number.abs()).sum::<f64>() - diagonal.abs();
    let Properties { asymmetric, mirrored, .. } = found;
    let of_row = Properties::of_one_row(index, diagonal, beside);
    let mut found = Properties { asymmetric, mirrored, ..of_row };
    if diagonal.abs() >= beside * (1.0 - 4.0 * f64::EPSILON) {
        found.not_dominant = NONE;
    }
    found.largest = numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    numbers[MIDDLE] = 0.0;
    let others = numbers.into_iter().filter(|number| *number != 0.0);
    found.sums = Sums::of_row(diagonal, others).and(Addition::of(column).beyond()).0;
    found
}
