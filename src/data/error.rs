//! The errors of matrices, stencils, vectors and fields.

use std::ops::Range;

use super::{Band, MAX_UNKNOWNS, MIN_WIDTH};
use crate::error::{Kind, a_matrix, failure};
use crate::{Extent, NoMemory, Shape};

/// An error of the data of a matrix or a field. Rows, columns and entries count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The outer bands are too close to the inner ones.
    #[error(
        "expected a width m of at least {MIN_WIDTH}, got {m}: below {MIN_WIDTH} some of the nine bands (offsets 0, \
         +-1, +-(m-1), +-m, +-(m+1)) are the same diagonal"
    )]
    WidthTooSmall {
        /// The width that was given.
        m: usize,
    },
    /// The matrix has no row.
    #[error("expected a matrix of at least one row, got bands of length 0")]
    Empty,
    /// A matrix with more unknowns, or a wider grid, than quadrille indexes.
    #[error(
        "{what} is {got}, the most is {MAX_UNKNOWNS} (2^30), far above what one texture holds: use a smaller system, or parts of it"
    )]
    TooLarge {
        /// The number that is too large.
        what: &'static str,
        /// The value of that number; saturated where it does not fit.
        got: usize,
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
    /// The host has no memory for the numbers.
    #[error(transparent)]
    NoMemory(#[from] NoMemory),
    /// A grid for whose solution the host has no memory.
    #[error(
        "not enough memory: {stencil} takes {} MiB for its coefficients, a right-hand side and its solution; {} points \
         would fit",
        bytes >> 20, vec![side.to_string(); *axes].join(" x ")
    )]
    NoRoom {
        /// The stencil.
        stencil: String,
        /// The bytes that it takes.
        bytes: usize,
        /// The side of the largest square or cube that fits.
        side: usize,
        /// The axes of the grid.
        axes: usize,
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
    /// A coefficient of diffusion that is zero, negative or not finite.
    #[error(
        "expected coefficients above 0, got {value} at column {column}, row {row} (both count from 0)"
    )]
    Coefficient {
        /// The column, from 0.
        column: usize,
        /// The row, from 0.
        row: usize,
        /// The coefficient.
        value: f64,
    },
    /// A coefficient of diffusion at a face that is negative or not finite, or zero inside the grid.
    #[error(
        "expected coefficients above 0 between neighbours along {along}, and at the sides of the grid 0 (closed) or above, \
         got {value} at column {column}, row {row} of those along {along} (both count from 0)"
    )]
    FaceCoefficient {
        /// The axis that the flux goes along: `x` or `y`.
        along: char,
        /// The column of the face, from 0.
        column: usize,
        /// The row of the face, from 0.
        row: usize,
        /// The coefficient.
        value: f64,
    },
    /// Coefficients at faces along x and along y that belong to different grids.
    #[error(
        "expected coefficients at the faces of one grid of W x H points, (W+1) x H along x and W x (H+1) along y, got {} \
         x {} along x and {} x {} along y",
        x.cols, x.rows, y.cols, y.rows
    )]
    Faces {
        /// The shape of those along x.
        x: Shape,
        /// The shape of those along y.
        y: Shape,
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
    /// A matrix given with too many or too few elements.
    #[error(
        "expected {} elements for {}, got {got}",
        shape.rows.saturating_mul(shape.cols),
        a_matrix(shape)
    )]
    MatrixLength {
        /// The shape of the matrix.
        shape: Shape,
        /// The number of elements that were given.
        got: usize,
    },
    /// A matrix given by rows of different lengths.
    #[error("expected {expected} elements in each row, got {got} in row {row} (rows count from 0)")]
    RowLength {
        /// The first row that differs, from 0.
        row: usize,
        /// The length of row 0.
        expected: usize,
        /// The length of this row.
        got: usize,
    },
    /// No stencil of that name.
    #[error("unknown stencil `{got}`: the stencils are {known}")]
    UnknownStencil {
        /// The name that was given.
        got: String,
        /// The names there are, each with an example.
        known: String,
    },
    /// A stencil's size or option is invalid.
    #[error("stencil `{stencil}`: expected {expected}, got `{got}`")]
    BadStencil {
        /// The whole text that was given.
        stencil: String,
        /// The text that is expected.
        expected: String,
        /// The text that was found.
        got: String,
    },
    /// A grid of three dimensions without points.
    #[error("expected a grid of at least one point along each axis, got {} x {} x {}", points[0], points[1], points[2])]
    EmptyGrid {
        /// The points along x, y and z.
        points: [usize; 3],
    },
    /// Coefficients for another number of points than a grid has.
    #[error(
        "expected {} coefficients, one for each point of a grid of {} x {} x {}, got {got}",
        grid.iter().product::<usize>(), grid[0], grid[1], grid[2]
    )]
    CoefficientsOfGrid {
        /// The points along x, y and z.
        grid: [usize; 3],
        /// The number that was given.
        got: usize,
    },
    /// A coefficient of diffusion that is zero, negative or not finite.
    #[error(
        "expected coefficients above zero, got {value} at the point x {}, y {}, z {} (from 0)", place[0], place[1], place[2]
    )]
    CoefficientAt {
        /// The point.
        place: [usize; 3],
        /// The coefficient.
        value: f64,
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
    /// A field without cells.
    #[error("expected a grid of at least one cell, got {} x {}", extent.width, extent.height)]
    FieldEmpty {
        /// The extent that was given.
        extent: Extent,
    },
    /// An array that is no grid of cells.
    #[error(
        "expected an array of one axis, two, or three of which the last has 1 to 4 numbers (a grid's cells), such as \
         (height, width, 3); got the shape {got:?}"
    )]
    FieldShape {
        /// The shape that was given.
        got: Vec<usize>,
    },
    /// A field of more numbers a cell than a texel holds.
    #[error("expected 1 to 4 numbers in each cell, got {got}")]
    FieldChannels {
        /// The number that was given.
        got: usize,
    },
    /// A field given with too many or too few numbers.
    #[error(
        "expected {} numbers for {} x {} cells of {channels}, got {got}",
        extent.texels().saturating_mul(*channels), extent.width, extent.height
    )]
    FieldLength {
        /// The extent of the field.
        extent: Extent,
        /// The numbers of a cell.
        channels: usize,
        /// The number of values that were given.
        got: usize,
    },
    /// A number that another type does not have.
    #[error("expected numbers that {holds} holds, got {number} at index {index}")]
    Inexact {
        /// The place of the number, from 0.
        index: usize,
        /// The number.
        number: f64,
        /// The type.
        holds: &'static str,
    },
    /// A histogram of no bins, or of more than can be counted.
    #[error("a histogram: expected 1 to {most} bins, got {got}")]
    Bins {
        /// The most bins.
        most: usize,
        /// The number that was given.
        got: usize,
    },
    /// A histogram of a range that has no such bins.
    #[error(
        "a histogram: expected a range from a finite number to a greater one, whose {bins} bins have edges that differ \
         in single precision; got {low} to {high}"
    )]
    Range {
        /// The number of bins.
        bins: usize,
        /// The start of the range.
        low: f32,
        /// Its end.
        high: f32,
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

failure!(Error: NoMemory; kinds {
    Error::NoRoom { .. } => Kind::OutOfMemory,
});
