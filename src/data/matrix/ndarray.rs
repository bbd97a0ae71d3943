//! Matrices from and to the crate ndarray.

use ndarray::{Array2, ArrayView2, ShapeError};

use crate::Shape;
use crate::data::{Matrix, Number};

impl<T: Number> Matrix<T> {
    /// Returns the matrix as the crate ndarray sees one, without a copy. ndarray refuses sides
    /// whose product overflows, which only a matrix of no element can have.
    ///
    /// # Errors
    /// ndarray's `ShapeError` for such a shape.
    pub fn view(&self) -> Result<ArrayView2<'_, T>, ShapeError> {
        let Shape { rows, cols } = self.shape();
        ArrayView2::from_shape((rows, cols), self.elements())
    }
}

impl<T: Number> From<ArrayView2<'_, T>> for Matrix<T> {
    /// Copies a view, whatever its strides.
    fn from(view: ArrayView2<'_, T>) -> Matrix<T> {
        let (rows, cols) = view.dim();
        Matrix { shape: Shape::new(rows, cols), elements: view.iter().copied().collect() }
    }
}

impl<T: Number> TryFrom<Matrix<T>> for Array2<T> {
    type Error = ShapeError;

    /// Converts the matrix without a copy; see [`Matrix::view`] for the errors.
    fn try_from(matrix: Matrix<T>) -> Result<Array2<T>, ShapeError> {
        let Shape { rows, cols } = matrix.shape();
        Array2::from_shape_vec((rows, cols), matrix.into_elements())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use ndarray::s;

    #[test]
    fn a_view_is_the_matrix_and_back() {
        for (rows, cols) in [(0, 0), (0, 3), (3, 0), (1, 1), (5, 7)] {
            let matrix = Matrix::<f32>::random(Shape::new(rows, cols), 1).unwrap();
            let view = matrix.view().unwrap();
            assert!(view.indexed_iter().all(|((row, col), x)| matrix.at(row, col) == Some(*x)));
            assert_eq!(Matrix::from(view), matrix);
            let owned = Array2::try_from(matrix.clone()).unwrap();
            assert_eq!(Matrix::from(owned.view()), matrix);
        }
    }

    #[test]
    fn strides_are_followed_also_backwards() {
        let array = Array2::from_shape_fn((6, 4), |(row, col)| (10 * row + col) as i32);
        let turned = Matrix::from(array.t());
        assert_eq!((turned.shape(), turned.at(3, 5)), (Shape::new(4, 6), Some(53)));
        let skipping = Matrix::from(array.slice(s![..;-2, 1..3]));
        assert_eq!(skipping, Matrix::from_slices(&[&[51, 52], &[31, 32], &[11, 12]]).unwrap());
    }

    #[test]
    fn sides_that_overflow_are_an_error() {
        let long = Matrix::<i16>::new(Shape::new(0, usize::MAX), Vec::new()).unwrap();
        assert!(long.view().is_err() && Array2::try_from(long).is_err());
    }
}
