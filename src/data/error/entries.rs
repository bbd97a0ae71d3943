//! The errors of sparse matrices by rows, and of those on grids of three dimensions.

use crate::error::failure;

/// An error of the entries of a matrix by rows, or on a grid of three dimensions.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The arrays of a sparse matrix have lengths that do not fit each other.
    #[error(
        "a matrix of {rows} rows needs {} row starts, of which the last is the number of columns and of values; got {starts} row \
         starts, the last {last}, {columns} columns and {values} values",
        rows + 1
    )]
    CsrLengths {
        /// The rows of the matrix.
        rows: usize,
        /// The row starts that were given.
        starts: usize,
        /// The last of them.
        last: usize,
        /// The columns that were given.
        columns: usize,
        /// The values that were given.
        values: usize,
    },
    /// The rows of a sparse matrix do not follow each other.
    #[error(
        "row starts begin with 0 and never fall: expected at least {before} for row {row} (rows count from 0), got {got}"
    )]
    RowStarts {
        /// The row, from 0; the end counts as one more.
        row: usize,
        /// The start of the row before, or 0.
        before: usize,
        /// The start that was given.
        got: usize,
    },
    /// An entry of a sparse matrix in a column that does not exist.
    #[error(
        "row {row} has an entry in column {column}, and the matrix has {columns} columns (rows and columns count from 0)"
    )]
    ColumnOutside {
        /// The row of the entry, from 0.
        row: usize,
        /// The column of the entry, from 0.
        column: usize,
        /// The number of columns.
        columns: usize,
    },
    /// An entry of a sparse matrix in a row that does not exist.
    #[error(
        "an entry is in row {row}, column {column}, and the matrix has {rows} rows (rows and columns count from 0)"
    )]
    RowOutside {
        /// The row of the entry, from 0.
        row: usize,
        /// The column of the entry, from 0.
        column: usize,
        /// The number of rows.
        rows: usize,
    },
    /// NaN or infinity in a sparse matrix, or beyond the largest number of its type.
    #[error(
        "expected finite numbers, got {value} in row {row}, column {column} (both count from 0)"
    )]
    EntryNotFinite {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The number; an infinity where it exceeds the type of the matrix.
        value: f64,
    },
    /// A grid of three dimensions without points.
    #[error("expected a grid of at least one point along each axis, got {} x {} x {}", points[0], points[1], points[2])]
    EmptyGrid {
        /// The points along x, y and z.
        points: [usize; 3],
    },
    /// An entry that couples points which are no neighbours on a grid of three dimensions.
    #[error(
        "row {row} is coupled to column {column}: on a grid of {} x {} x {} these are the points {from:?} and {to:?} (x, y, z \
         from 0), which are no neighbours",
        grid[0], grid[1], grid[2]
    )]
    NotNeighbours {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The point of the row.
        from: [usize; 3],
        /// The point of the column.
        to: [usize; 3],
        /// The points along x, y and z.
        grid: [usize; 3],
    },
    /// NaN or infinity in a matrix on a grid of three dimensions.
    #[error(
        "expected finite numbers, got {value} in row {row} for the neighbour at {step:?} along x, y and z (rows count from 0)"
    )]
    CouplingNotFinite {
        /// The row, from 0.
        row: usize,
        /// The step to the neighbour.
        step: [isize; 3],
        /// The number.
        value: f64,
    },
}

failure!(EntryError);
