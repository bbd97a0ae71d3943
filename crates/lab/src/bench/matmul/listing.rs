//! Plain loops on the host beside the library's own: the serial one of the tutorial "Parallel
//! programming using CUDA" (2010), as printed, and one that is blocked for the cache, as slide 9 of
//! Fatahalian, Sugerman and Hanrahan (2004) describes.

use crate::Result;
use quadrille::Shape;
use quadrille::data::{Matrix, Number};

/// The order in which a product is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `Multiply_Host`: for each row i, for each column j, a sum over k, which reads B by columns.
    ByColumns,
    /// Parts of B that the first cache holds, each with all rows of A and C.
    Blocked,
}

/// C = A B by three loops.
pub(super) struct Listing<T: Number> {
    order: Order,
    a: Matrix<T>,
    b: Matrix<T>,
    c: Matrix<T>,
}

impl<T: Number> Listing<T> {
    /// Makes a product of matrices of these shapes. What it multiplies is zeros until it is loaded.
    pub(super) fn new(order: Order, a: Shape, b: Shape) -> Result<Listing<T>> {
        let c = Shape::new(a.rows, b.cols);
        Ok(Listing { order, a: Matrix::zeros(a)?, b: Matrix::zeros(b)?, c: Matrix::zeros(c)? })
    }

    /// Copies the operands, which have the shapes that it was made for.
    pub(super) fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) {
        self.a.elements_mut().copy_from_slice(a.elements());
        self.b.elements_mut().copy_from_slice(b.elements());
    }

    pub(super) fn run(&mut self) {
        let Listing { order, a, b, c } = self;
        match order {
            Order::ByColumns => by_columns(a, b, c),
            Order::Blocked => blocked(a, b, c),
        }
    }

    pub(super) fn result(&self) -> &Matrix<T> {
        &self.c
    }
}

fn by_columns<T: Number>(a: &Matrix<T>, b: &Matrix<T>, c: &mut Matrix<T>) {
    let columns = b.shape().cols.max(1);
    for (i, sums) in c.elements_mut().chunks_mut(columns).enumerate() {
        for (j, element) in sums.iter_mut().enumerate() {
            let column = b.elements().iter().skip(j).step_by(columns);
            let products = a.row(i).iter().zip(column);
            *element = products.fold(T::default(), |sum, (x, y)| sum.plus_product(*x, *y));
        }
    }
}

/// Rows and columns of a part of B: 16 KB of floats.
const PART: [usize; 2] = [32, 128];

/// The products of an element are added in the order of k, as in the other loops, so the results
/// are the same bits.
fn blocked<T: Number>(a: &Matrix<T>, b: &Matrix<T>, c: &mut Matrix<T>) {
    let (inner, columns) = (b.shape().rows, b.shape().cols.max(1));
    c.elements_mut().fill(T::default());
    for left in (0..columns).step_by(PART[1]) {
        let part = left..columns.min(left + PART[1]);
        for top in (0..inner).step_by(PART[0]) {
            let rows = top..inner.min(top + PART[0]);
            for (i, sums) in c.elements_mut().chunks_mut(columns).enumerate() {
                for (x, k) in a.row(i)[rows.clone()].iter().zip(rows.clone()) {
                    let products = sums[part.clone()].iter_mut().zip(&b.row(k)[part.clone()]);
                    products.for_each(|(sum, y)| *sum = sum.plus_product(*x, *y));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::internal::host::matmul::multiply;

    #[test]
    fn sums_are_those_of_the_other_order_of_loops() {
        for (m, k, n) in [(1, 1, 1), (3, 5, 7), (17, 2, 9), (8, 33, 1), (2, 65, 129), (3, 64, 300)]
        {
            for order in [Order::ByColumns, Order::Blocked] {
                let a = Matrix::<f32>::random(Shape::new(m, k), 1).unwrap();
                let b = Matrix::<f32>::random(Shape::new(k, n), 2).unwrap();
                let mut listing = Listing::new(order, a.shape(), b.shape()).unwrap();
                listing.load(&a, &b);
                // Twice: what the first run left must not matter.
                listing.run();
                listing.run();
                let mut expected = Matrix::zeros(Shape::new(m, n)).unwrap();
                multiply(&a, &b, &mut expected);
                assert_eq!(listing.result(), &expected, "{m} x {k} x {n}, {order:?}");
            }
        }
    }
}
