//! The properties of a sparse matrix without the structure of a grid.

use super::{EPSILONS, NONE, Properties, ROUNDED};
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
            rows.fold(Properties::NONE, |found, row| found.combined(of_row(matrix, row)))
        };
        let found = in_ranges(n, ROWS, of);
        let mut found = found.into_iter().fold(Properties::NONE, Properties::combined);
        if found.has_a_sum == 0 && has_a_column_with_a_sum(matrix)? {
            found.has_a_sum = 1;
        }
        Ok(found)
    }
}

fn of_row<T: Float>(matrix: &Csr<T>, row: usize) -> Properties {
    let (columns, values) = matrix.row(row);
    let mut found = Properties { unknowns: 1, couples_across_ends: 1, ..Properties::NONE };
    let (mut diagonal, mut beside, mut sum, mut largest) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for (column, value) in columns.iter().zip(values) {
        let (column, value): (_, f64) = (*column as usize, (*value).into());
        sum += value;
        largest = largest.max(value.abs());
        if column == row {
            diagonal = value;
            continue;
        }
        beside += value.abs();
        let mirrored: f64 = matrix.entry(column, row).into();
        let differ = (value - mirrored).abs() > ROUNDED * value.abs().max(mirrored.abs());
        if differ && found.asymmetric[0] == NONE {
            // Of a pair the one above the diagonal, wherever it was found.
            (found.asymmetric, found.mirrored) = match column > row {
                true => ([row as u64, column as u64], [value, mirrored]),
                false => ([column as u64, row as u64], [mirrored, value]),
            };
        }
    }
    if diagonal <= 0.0 {
        (found.not_positive, found.diagonal) = (row as u64, diagonal);
    }
    if diagonal == 0.0 {
        found.zero_diagonal = row as u64;
    }
    if diagonal.abs() < beside {
        found.not_dominant = row as u64;
    }
    found.largest = largest;
    (found.least, found.most) = (diagonal.abs(), diagonal.abs());
    found.gershgorin = (diagonal.abs() + beside) / diagonal.abs();
    if largest > 0.0 {
        (found.least_row, found.most_row) = (largest, largest);
    }
    found.has_a_sum = u64::from(!cancel(sum, diagonal.abs() + beside, columns.len()));
    found
}

fn has_a_column_with_a_sum<T: Float>(matrix: &Csr<T>) -> Result<bool, NoMemory> {
    let n = matrix.shape().cols;
    let mut sums: Vec<(f64, f64, usize)> = memory::filled((0.0, 0.0, 0), n)?;
    for row in 0..matrix.shape().rows {
        let (columns, values) = matrix.row(row);
        for (column, value) in columns.iter().zip(values) {
            let (sum, value) = (&mut sums[*column as usize], (*value).into());
            *sum = (sum.0 + value, sum.1 + value.abs(), sum.2 + 1);
        }
    }
    Ok(sums.into_iter().any(|(sum, magnitude, count)| !cancel(sum, magnitude, count)))
}

/// Returns whether there are entries, and their sum is zero up to rounding.
fn cancel(sum: f64, magnitude: f64, count: usize) -> bool {
    sum.abs() <= (EPSILONS + 2 * count) as f64 * f64::EPSILON * magnitude && magnitude > 0.0
}
