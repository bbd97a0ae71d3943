//! Packing of matrices into buffers, padded with zeros, and back.

use super::stored::Stored;
use crate::Shape;
use crate::data::{Matrix, zeros};
use crate::linalg::matmul::Result;

/// Returns the matrix row by row, padded to this shape.
pub(super) fn by_rows<T: Stored>(matrix: &Matrix<T>, padded: Shape) -> Result<Vec<T::Word>> {
    let mut words = all_zeros(padded)?;
    for (row, words) in words.chunks_exact_mut(padded.cols).take(matrix.shape().rows).enumerate() {
        for (word, element) in words.iter_mut().zip(matrix.row(row)) {
            *word = element.word();
        }
    }
    Ok(words)
}

/// Returns a matrix of zeros.
fn all_zeros<W: bytemuck::Zeroable>(padded: Shape) -> Result<Vec<W>> {
    Ok(zeros(padded.len().unwrap_or(usize::MAX))?)
}

/// The side of the blocks that are transposed at a time, which stay in a cache.
const PATCH: usize = 32;

/// Returns the matrix column by column, padded to this shape.
pub(super) fn by_columns<T: Stored>(matrix: &Matrix<T>, padded: Shape) -> Result<Vec<T::Word>> {
    let mut words = all_zeros(padded)?;
    let Shape { rows, cols } = matrix.shape();
    for first_row in (0..rows).step_by(PATCH) {
        let patch_rows = first_row..rows.min(first_row + PATCH);
        for first_col in (0..cols).step_by(PATCH) {
            for row in patch_rows.clone() {
                let elements = matrix.row(row).iter().skip(first_col).take(PATCH);
                // The places of one row's elements, a column of the buffer's matrix apart.
                let places =
                    words.iter_mut().skip(first_col * padded.rows + row).step_by(padded.rows);
                for (word, element) in places.zip(elements) {
                    *word = element.word();
                }
            }
        }
    }
    Ok(words)
}

/// Returns the first rows and columns of a matrix that is stored row by row.
pub(super) fn unpack<T: Stored>(
    words: &[T::Word],
    padded: Shape,
    shape: Shape,
) -> Result<Matrix<T>> {
    let mut matrix = Matrix::zeros(shape)?;
    unpack_to(words, padded.cols, matrix.elements_mut(), shape.cols);
    Ok(matrix)
}

/// Unpacks the first elements of rows, for as many rows as there is room for.
pub(super) fn unpack_to<T: Stored>(words: &[T::Word], stored: usize, to: &mut [T], width: usize) {
    for (elements, words) in to.chunks_exact_mut(width).zip(words.chunks_exact(stored)) {
        for (element, word) in elements.iter_mut().zip(words) {
            *element = T::from_word(*word);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn matrix(rows: usize, cols: usize) -> Matrix<i16> {
        Matrix::from_fn(Shape::new(rows, cols), |row, col| (100 * row + col) as i16 - 50).unwrap()
    }

    #[test]
    fn rows_are_filled_up_with_zeros() {
        let words = by_rows(&matrix(2, 3), Shape::new(3, 4)).unwrap();
        assert_eq!(words, [-50, -49, -48, 0, 50, 51, 52, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn columns_are_filled_up_with_zeros() {
        let words = by_columns(&matrix(2, 3), Shape::new(3, 4)).unwrap();
        assert_eq!(words, [-50, 50, 0, -49, 51, 0, -48, 52, 0, 0, 0, 0]);
    }

    #[test]
    fn patches_join() {
        for (rows, cols) in [(1, 1), (1, 70), (70, 1), (33, 65), (64, 32)] {
            let matrix = matrix(rows, cols);
            let padded = Shape::new(rows + 3, cols + 1);
            let words = by_columns(&matrix, padded).unwrap();
            for row in 0..padded.rows {
                for col in 0..padded.cols {
                    let inside = row < rows && col < cols;
                    let expected = if inside { matrix.at(row, col).unwrap() } else { 0 };
                    assert_eq!(words[col * padded.rows + row], i32::from(expected), "{row}, {col}");
                }
            }
        }
    }

    #[test]
    fn what_was_packed_comes_back() {
        let matrix = matrix(3, 5);
        let padded = Shape::new(4, 8);
        let back =
            unpack::<i16>(&by_rows(&matrix, padded).unwrap(), padded, matrix.shape()).unwrap();
        assert_eq!(back, matrix);
    }
}
