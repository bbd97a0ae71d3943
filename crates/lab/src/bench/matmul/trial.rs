//! Matrices to multiply, and their expected products.

use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::internal::reference::matmul::{Expected, expected_rows};
use quadrille::internal::reference::signs::Signs;
use quadrille::linalg::matmul::Element;

use crate::Result;

/// Two matrices and what their product should be, and two whose product is exact.
pub struct Trial<T: Element> {
    pub(super) a: Matrix<T>,
    pub(super) b: Matrix<T>,
    pub(super) expected: Expected,
    pub(super) signs: Signs,
}

/// Rows of C that are compared with double precision: all, or this number.
const SAMPLE: usize = 64;

impl<T: Element> Trial<T> {
    pub fn new(n: usize) -> Result<Trial<T>> {
        let shape = Shape::new(n, n);
        let (a, b) = (Matrix::random(shape, 1)?, Matrix::random(shape, 2)?);
        let expected = expected_rows(&a, &b, &sample(n))?;
        Ok(Trial { a, b, expected, signs: Signs::new(shape, shape, 3)? })
    }
}

/// Rows all over a matrix, each at another place of the blocks that methods make.
fn sample(n: usize) -> Vec<usize> {
    if n <= 2 * SAMPLE {
        return (0..n).collect();
    }
    let apart = n / SAMPLE;
    (0..SAMPLE).map(|i| i * apart + i % apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_meets_every_place_of_a_block() {
        for n in [1024, 2048, 4096] {
            let rows = sample(n);
            assert_eq!(rows.len(), SAMPLE);
            assert_eq!((rows[0], rows[SAMPLE - 1] / 8), (0, (n - 1) / 8));
            for place in 0..16 {
                assert!(rows.iter().any(|row| row % 16 == place), "{place} of {n}");
            }
        }
        assert_eq!(sample(5), [0, 1, 2, 3, 4]);
    }
}
