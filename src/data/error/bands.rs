//! The errors of nine-banded matrices, and of operators on grids of two dimensions.

use std::ops::Range;

use crate::data::{Band, MIN_WIDTH};
use crate::error::failure;

/// An error of a matrix with nine diagonals, or of a block of its grid. Rows, columns and entries count
/// from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BandError {
    /// The outer bands are too close to the inner ones.
    #[error(
        "expected a width m of at least {MIN_WIDTH}, got {m}: below {MIN_WIDTH} some of the nine bands (offsets 0, \
         +-1, +-(m-1), +-m, +-(m+1)) are the same diagonal"
    )]
    WidthTooSmall {
        /// The width that was given.
        m: usize,
    },
    /// A coupling that a block of a grid cannot have.
    #[error(
        "row {row} is coupled to column {column} across the end of a row of {width} (all count from 0): a block of such a grid has whole \
         rows"
    )]
    AcrossEnds {
        /// The row of the matrix.
        row: usize,
        /// The column of the matrix.
        column: usize,
        /// The numbers in a row of the grid.
        width: usize,
    },
    /// A part of a grid that is empty or is not in it.
    #[error(
        "expected a block of columns in 0..{width} and rows in 0..{}, got columns {:?} and rows {:?}",
        numbers.div_ceil(*width), columns, rows
    )]
    Block {
        /// The columns that were given.
        columns: Range<usize>,
        /// The rows that were given.
        rows: Range<usize>,
        /// The numbers of the grid.
        numbers: usize,
        /// The width of a row.
        width: usize,
    },
    /// Bands of different lengths.
    #[error(
        "expected all nine bands to have the length {expected} of band DD, got {got} in band {band}"
    )]
    BandLength {
        /// The first band that differs.
        band: Band,
        /// The length of DD.
        expected: usize,
        /// The length of this band.
        got: usize,
    },
    /// NaN or infinity in a band.
    #[error("expected finite numbers, got {value} in band {band} at row {row} (rows count from 0)")]
    NotFinite {
        /// The band of the number.
        band: Band,
        /// The row, from 0.
        row: usize,
        /// The number.
        value: f64,
    },
    /// An entry whose column does not exist.
    #[error(
        "band {band} has {value} at row {row}, which would be column {column} of a matrix with columns 0 to {last}: \
         entries outside the matrix must be 0"
    )]
    Outside {
        /// The band.
        band: Band,
        /// The row, from 0.
        row: usize,
        /// The column that the entry would have.
        column: isize,
        /// The last column there is.
        last: usize,
        /// The number.
        value: f64,
    },
    /// An entry outside the nine diagonals.
    #[error(
        "not nine-banded, as operators on grids of 5 or 9 points are: the entry in row {row}, column {column} (both count from 0) is on diagonal {diagonal:+}, {why}"
    )]
    NotNineBanded {
        /// The row of the entry, from 0.
        row: usize,
        /// The column of the entry, from 0.
        column: usize,
        /// Column minus row.
        diagonal: isize,
        /// The diagonals that are possible, and the reason.
        why: String,
    },
    /// A matrix with entries on the three middle diagonals alone, which do not determine the width.
    #[error(
        "the width of the grid is unknown, because the matrix has entries on the three middle diagonals alone: give the width of the \
         grid, {}", widths(*n)
    )]
    WidthOpen {
        /// The number of rows.
        n: usize,
    },
    /// An entry whose row or column does not exist.
    #[error(
        "expected entries in rows and columns 0 to {last}, got one in row {row}, column {column}"
    )]
    EntryOutside {
        /// The row of the entry, from 0.
        row: usize,
        /// The column of the entry, from 0.
        column: usize,
        /// The last row and column there are.
        last: usize,
    },
    /// An entry that a single-precision number cannot hold.
    #[error(
        "{value:e} in band {band} at row {row} does not fit single precision (largest 3.4028235e38): scale the matrix"
    )]
    Overflow {
        /// The band.
        band: Band,
        /// The row, from 0.
        row: usize,
        /// The entry in double precision.
        value: f64,
    },
    /// A diagonal entry that single precision, or a device that knows no subnormal numbers, takes
    /// for zero.
    #[error(
        "the diagonal has {value:e} at row {row} (rows count from 0), which is zero or subnormal in single precision \
         (least 1.1754944e-38): scale the matrix"
    )]
    SmallDiagonal {
        /// The row, from 0.
        row: usize,
        /// The entry in double precision.
        value: f64,
    },
    /// A matrix that is no constant operator on a rectangle.
    #[error(
        "expected the same couplings at every point of a grid, symmetric in x and in y, with zeros around it or no flux over its edges: {why}"
    )]
    NotConstant {
        /// What is not so, with its numbers.
        why: String,
    },
    /// Nine bands, of an operator on a grid that closes to a ring.
    #[error(
        "the sides along {axis} are periodic, and nine bands hold no coupling from the last point to the first"
    )]
    Periodic {
        /// The axis, `x` or `y`.
        axis: &'static str,
    },
}

/// Returns the widths that a matrix of n rows with the three middle diagonals alone may have.
pub(crate) fn widths(n: usize) -> String {
    let side = n.isqrt();
    match side * side == n && side >= MIN_WIDTH {
        true => {
            format!("at least {MIN_WIDTH} (each fits this matrix; {side} is that of a square grid)")
        }
        false => format!("at least {MIN_WIDTH} (each fits this matrix)"),
    }
}

failure!(BandError);
