//! The errors of dense matrices and of fields.

use crate::error::{a_matrix, failure};
use crate::{Extent, Shape};

/// An error of the numbers of a dense matrix, a field or a histogram.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayError {
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

failure!(ArrayError);
