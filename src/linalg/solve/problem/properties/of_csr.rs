//! The properties of a sparse matrix without the structure of a grid.

use super::Properties;
use crate::data::cancellation::{Addition, Sums};
use crate::data::{Csr, Float};
use crate::memory::host_threads::in_ranges;
use crate::{NoMemory, memory};

/// Rows that a thread takes at a time.
const ROWS: usize = 1 << 10;

impl Properties {
    /// Finds the properties of a square sparse matrix.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn of_csr<T: Float>(matrix: &Csr<T>) -> Result<Properties, NoMemory> {
        let n = matrix.shape().rows;
        let of = |rows: std::ops::Range<usize>| {
            rows.fold(Properties::NONE, |found, row| found.combined(of_row(matrix, row, found)))
        };
        let found = in_ranges(n, ROWS, of);
        let mut found = found.into_iter().fold(Properties::NONE, Properties::combined);
        if found.has_constant_null_space() {
            found.sums = of_columns(matrix)?.and(Sums(found.sums)).0;
        }
        Ok(found)
    }
}

fn of_row<T: Float>(matrix: &Csr<T>, row: usize, before: Properties) -> Properties {
    let (columns, values) = matrix.row(row);
    let mut found = Properties::NONE;
    let (mut diagonal, mut beside, mut largest) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (column, value) in columns.iter().zip(values) {
        let (column, value): (_, f64) = (*column as usize, (*value).into());
        largest = largest.max(value.abs());
        if column == row {
            diagonal = value;
            continue;
        }
        beside += value.abs();
        found.note_pair([row, column], value, matrix.entry(column, row).into());
    }
    let Properties { asymmetric, mirrored, .. } = found;
    let of_row = Properties::of_one_row(row, diagonal, beside);
    let mut found = Properties { asymmetric, mirrored, couples_across_ends: 1, largest, ..of_row };
    if largest > 0.0 {
        (found.least_row, found.most_row) = (largest, largest);
    }
    if !Sums(before.sums).is_beyond() {
        let others = columns.iter().zip(values).filter(|(column, _)| **column as usize != row);
        found.sums = Sums::of_row(diagonal, others.map(|(_, value)| (*value).into())).0;
    }
    found
}

fn of_columns<T: Float>(matrix: &Csr<T>) -> Result<Sums, NoMemory> {
    let mut sums = memory::filled(Addition::default(), matrix.shape().cols)?;
    for row in 0..matrix.shape().rows {
        let (columns, values) = matrix.row(row);
        for (column, value) in columns.iter().zip(values) {
            let sum = &mut sums[*column as usize];
            *sum = sum.with((*value).into());
        }
    }
    Ok(sums.into_iter().map(Addition::beyond).fold(Sums::NONE, Sums::and))
}
