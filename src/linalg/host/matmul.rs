//! Matrix multiply on the host, in the numbers' own type.

use crate::data::{Matrix, Number};

/// Computes C = A B by the three loops of the CUDA tutorial's `Multiply_Host`, with those over j
/// and k exchanged, so that both operands are read along their rows; each element of C adds its
/// products in the order of k. The inner dimensions and the shape of C must agree; the rest is
/// ignored.
pub fn multiply<T: Number>(a: &Matrix<T>, b: &Matrix<T>, c: &mut Matrix<T>) {
    let cols = c.shape().cols.max(1);
    c.elements_mut().fill(T::default());
    for (i, sums) in c.elements_mut().chunks_mut(cols).enumerate() {
        for (k, x) in a.row(i).iter().enumerate() {
            for (sum, y) in sums.iter_mut().zip(b.row(k)) {
                *sum = sum.plus_product(*x, *y);
            }
        }
    }
}
