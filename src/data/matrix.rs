//! A dense matrix on the host.

use std::fmt;

use super::nine_banded::zeros;
use super::{Error, Number, Result};
use crate::Shape;

/// A dense matrix, row by row. Any shape, also with no row or no column.
///
/// ```
/// use quadrille::{Shape, data::Matrix};
/// let matrix = Matrix::new(Shape::new(2, 3), vec![1, 2, 3, 4, 5, 6])?;
/// assert_eq!(matrix.at(1, 0), Some(4));
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Matrix<T: Number> {
    shape: Shape,
    elements: Vec<T>,
}

impl<T: Number> Matrix<T> {
    /// A matrix of elements given row by row.
    pub fn new(shape: Shape, elements: Vec<T>) -> Result<Matrix<T>> {
        if shape.rows.checked_mul(shape.cols) != Some(elements.len()) {
            return Err(Error::MatrixLength { shape, got: elements.len() });
        }
        Ok(Matrix { shape, elements })
    }

    /// A matrix of zeros; an error where the host has no memory for it.
    pub fn zeros(shape: Shape) -> Result<Matrix<T>> {
        let count = shape.rows.checked_mul(shape.cols);
        let elements = zeros(count.ok_or(Error::NoMemory { numbers: usize::MAX })?)?;
        Ok(Matrix { shape, elements })
    }

    /// A matrix whose elements a function gives by row and column, for instance from a random
    /// generator.
    pub fn from_fn(shape: Shape, mut element: impl FnMut(usize, usize) -> T) -> Result<Matrix<T>> {
        let mut matrix = Matrix::zeros(shape)?;
        for row in 0..shape.rows {
            for (col, slot) in matrix.row_mut(row).iter_mut().enumerate() {
                *slot = element(row, col);
            }
        }
        Ok(matrix)
    }

    /// Rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All elements, row by row.
    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    /// All elements, row by row, to change them.
    pub fn elements_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// Gives the elements away.
    pub fn into_elements(self) -> Vec<T> {
        self.elements
    }

    /// The element at a row and a column, both from 0; none outside.
    pub fn at(&self, row: usize, col: usize) -> Option<T> {
        if col < self.shape.cols { self.row(row).get(col).copied() } else { None }
    }

    /// A row; an empty one outside.
    pub fn row(&self, row: usize) -> &[T] {
        let cols = self.shape.cols;
        self.elements.get(row * cols..(row + 1) * cols).unwrap_or(&[])
    }

    fn row_mut(&mut self, row: usize) -> &mut [T] {
        let cols = self.shape.cols;
        self.elements.get_mut(row * cols..(row + 1) * cols).unwrap_or(&mut [])
    }
}

impl<T: Number> fmt::Debug for Matrix<T> {
    /// The shape alone: the elements may be millions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Matrix<{}>({})", T::NAME, self.shape)
    }
}
