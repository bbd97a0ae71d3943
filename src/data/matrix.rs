//! A dense matrix on the host.

#[cfg(any(feature = "ndarray", test))]
mod ndarray;
pub(super) mod number;

use std::fmt;
use std::ops::Range;

use super::nine_banded::zeros;
use super::split_mix::SplitMix64;
use super::{ArrayError, Number, Result};
use crate::{NoMemory, Shape, memory};

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
    pub(super) shape: Shape,
    pub(super) elements: Vec<T>,
}

impl<T: Number> Matrix<T> {
    /// Creates a matrix of elements given row by row.
    ///
    /// # Errors
    /// [`ArrayError::MatrixLength`] if there are not `rows * cols` elements.
    pub fn new(shape: Shape, elements: Vec<T>) -> Result<Matrix<T>> {
        if shape.len() != Some(elements.len()) {
            return Err(ArrayError::MatrixLength { shape, got: elements.len() }.into());
        }
        Ok(Matrix { shape, elements })
    }

    /// Creates a matrix of rows that are all of one length, as one writes them down.
    ///
    /// ```
    /// use quadrille::data::Matrix;
    /// let matrix = Matrix::from_slices(&[&[1, 2, 3], &[4, 5, 6]])?;
    /// assert_eq!(matrix.transposed(), Matrix::from_slices(&[&[1, 4], &[2, 5], &[3, 6]])?);
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// A row has another length than the first.
    pub fn from_slices(rows: &[&[T]]) -> Result<Matrix<T>> {
        let cols = rows.first().map_or(0, |first| first.len());
        match rows.iter().position(|row| row.len() != cols) {
            None => Matrix::new(Shape::new(rows.len(), cols), rows.concat()),
            Some(row) => {
                Err(ArrayError::RowLength { row, expected: cols, got: rows[row].len() }.into())
            }
        }
    }

    /// Creates a matrix of zeros; an error where the host has no memory for it.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn zeros(shape: Shape) -> Result<Matrix<T>> {
        let elements = zeros(shape.len().ok_or(NoMemory::of::<T>(usize::MAX))?)?;
        Ok(Matrix { shape, elements })
    }

    /// Returns a copy; an error where the host has no memory for it.
    pub(crate) fn copied(&self) -> Result<Matrix<T>> {
        Ok(Matrix { shape: self.shape, elements: memory::copied(&self.elements)? })
    }

    /// Returns the square matrix with ones on its diagonal and zeros elsewhere.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn identity(n: usize) -> Result<Matrix<T>> {
        Matrix::from_fn(Shape::new(n, n), |row, col| if row == col { T::ONE } else { T::default() })
    }

    /// Creates a matrix of random numbers, row by row from the generator SplitMix64: floats uniform
    /// in [-1, 1), integers over their full range. The same seed gives the same matrix everywhere.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn random(shape: Shape, seed: u64) -> Result<Matrix<T>> {
        let mut generator = SplitMix64::new(seed);
        Matrix::from_fn(shape, |_, _| T::from_random_bits(generator.next()))
    }

    /// Creates a matrix of the results of a function of row and column.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn from_fn(shape: Shape, mut element: impl FnMut(usize, usize) -> T) -> Result<Matrix<T>> {
        let mut matrix = Matrix::zeros(shape)?;
        for row in 0..shape.rows {
            for (col, slot) in matrix.row_mut(row).iter_mut().enumerate() {
                *slot = element(row, col);
            }
        }
        Ok(matrix)
    }

    /// Returns the numbers of rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the transpose. As for a clone, the process ends if there is no memory for it.
    pub fn transposed(&self) -> Matrix<T> {
        let Shape { rows, cols } = self.shape;
        let down = |col| (0..rows).map(move |row| self.elements[row * cols + col]);
        Matrix { shape: Shape::new(cols, rows), elements: (0..cols).flat_map(down).collect() }
    }

    /// Returns all elements, row by row.
    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    /// Returns all elements, row by row, to change them.
    pub fn elements_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// Converts the matrix to its elements.
    pub fn into_elements(self) -> Vec<T> {
        self.elements
    }

    /// Returns the element at a row and a column, both from 0; `None` outside.
    pub fn at(&self, row: usize, col: usize) -> Option<T> {
        if col < self.shape.cols { self.row(row).get(col).copied() } else { None }
    }

    /// Returns a row; an empty one outside.
    pub fn row(&self, row: usize) -> &[T] {
        self.elements.get(self.places_of(row)).unwrap_or(&[])
    }

    fn row_mut(&mut self, row: usize) -> &mut [T] {
        let places = self.places_of(row);
        self.elements.get_mut(places).unwrap_or(&mut [])
    }

    /// Returns the range of a row's elements; empty for a row outside of the matrix.
    fn places_of(&self, row: usize) -> Range<usize> {
        let Shape { rows, cols } = self.shape;
        if row < rows { row * cols..(row + 1) * cols } else { 0..0 }
    }
}

impl<T: Number> fmt::Debug for Matrix<T> {
    /// Returns the shape alone: the elements may be millions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Matrix<{}>({})", T::NAME, self.shape)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::Error;

    #[test]
    fn rows_of_different_lengths_are_refused_by_number() {
        let error = Matrix::from_slices(&[&[1, 2][..], &[3, 4], &[5]]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected 2 elements in each row, got 1 in row 2 (rows count from 0)"
        );
        assert_eq!(Matrix::<f32>::from_slices(&[]).unwrap().shape(), Shape::new(0, 0));
        assert_eq!(Matrix::<f32>::from_slices(&[&[], &[]]).unwrap().shape(), Shape::new(2, 0));
    }

    #[test]
    fn rows_and_elements_outside_are_none() {
        let matrix = Matrix::from_slices(&[&[1, 2, 3], &[4, 5, 6]]).unwrap();
        assert_eq!(matrix.row(1), [4, 5, 6]);
        for row in [2, usize::MAX / 3, usize::MAX - 1, usize::MAX] {
            assert!(matrix.row(row).is_empty());
            assert_eq!(matrix.at(row, 0), None);
        }
        assert_eq!(matrix.at(0, usize::MAX), None);
    }

    #[test]
    fn shapes_that_cannot_be_counted_are_refused() {
        let vast = Shape::new(usize::MAX / 2 + 1, 2);
        assert_eq!(vast.len(), None);
        // The product wraps to 0.
        let error = Matrix::<i32>::new(vast, Vec::new()).unwrap_err();
        assert!(matches!(error, Error::Array(ArrayError::MatrixLength { got: 0, .. })), "{error}");
        assert!(matches!(Matrix::<i32>::zeros(vast), Err(Error::NoMemory(_))));
    }

    #[test]
    fn transposing_turns_rows_into_columns_and_back() {
        for (rows, cols) in [(0, 0), (0, 3), (3, 0), (1, 5), (17, 257)] {
            let matrix = Matrix::<i32>::random(Shape::new(rows, cols), 1).unwrap();
            let turned = matrix.transposed();
            assert_eq!(turned.shape(), Shape::new(cols, rows));
            assert!(
                (0..rows)
                    .all(|row| (0..cols).all(|col| turned.at(col, row) == matrix.at(row, col)))
            );
            assert_eq!(turned.transposed(), matrix);
        }
    }

    #[test]
    fn an_identity_has_ones_on_its_diagonal_alone() {
        let expected = Matrix::from_slices(&[&[1, 0, 0], &[0, 1, 0], &[0, 0, 1_i16]]).unwrap();
        assert_eq!(Matrix::identity(3).unwrap(), expected);
        assert!(Matrix::<f32>::identity(0).unwrap().shape().is_empty());
    }

    #[test]
    fn random_numbers_fill_their_range_and_depend_on_the_seed_alone() {
        let shape = Shape::new(100, 100);
        let floats = Matrix::<f32>::random(shape, 3).unwrap();
        assert_eq!(floats, Matrix::random(shape, 3).unwrap());
        assert_ne!(floats, Matrix::random(shape, 4).unwrap());
        assert!(floats.elements().iter().all(|x| (-1.0..1.0).contains(x)));
        let mean = floats.elements().iter().sum::<f32>() / 1e4;
        assert!(mean.abs() < 0.02, "{mean}");
        let shorts = Matrix::<i16>::random(shape, 3).unwrap();
        let extremes = |x: &&i16| x.unsigned_abs() > 32_000;
        assert!(shorts.elements().iter().filter(extremes).count() > 100);
        // The first number of seed 1234567 is 6457827717110365317 = 0x599e_d017_fb08_fc85.
        let first = Matrix::<i32>::random(Shape::new(1, 1), 1234567).unwrap();
        assert_eq!(first.elements(), [0x599e_d017]);
    }
}
