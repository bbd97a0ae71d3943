//! The serial loop of the tutorial "Parallel programming using CUDA" (2010), as printed.

use super::Error;
use quadrille::Shape;
use quadrille::data::{Matrix, Number};

/// C = A B by `Multiply_Host`: for each row i, for each column j, a sum over k, which reads B by columns.
pub(super) struct Listing<T: Number> {
    a: Matrix<T>,
    b: Matrix<T>,
    c: Matrix<T>,
}

impl<T: Number> Listing<T> {
    /// Makes a product of matrices of these shapes. What it multiplies is zeros until it is loaded.
    pub(super) fn new(a: Shape, b: Shape) -> Result<Listing<T>, Error> {
        let c = Shape::new(a.rows, b.cols);
        Ok(Listing { a: Matrix::zeros(a)?, b: Matrix::zeros(b)?, c: Matrix::zeros(c)? })
    }

    /// Copies the operands, which have the shapes that it was made for.
    pub(super) fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) {
        self.a.elements_mut().copy_from_slice(a.elements());
        self.b.elements_mut().copy_from_slice(b.elements());
    }

    pub(super) fn run(&mut self) {
        let Listing { a, b, c } = self;
        let columns = b.shape().cols.max(1);
        for (i, sums) in c.elements_mut().chunks_mut(columns).enumerate() {
            for (j, element) in sums.iter_mut().enumerate() {
                let column = b.elements().iter().skip(j).step_by(columns);
                let products = a.row(i).iter().zip(column);
                *element = products.fold(T::default(), |sum, (x, y)| sum.plus_product(*x, *y));
            }
        }
    }

    pub(super) fn result(&self) -> &Matrix<T> {
        &self.c
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::internal::reference::matmul::multiply;

    #[test]
    fn sums_are_those_of_the_other_order_of_loops() {
        for (m, k, n) in [(1, 1, 1), (3, 5, 7), (17, 2, 9), (8, 33, 1)] {
            let a = Matrix::<i16>::random(Shape::new(m, k), 1).unwrap();
            let b = Matrix::<i16>::random(Shape::new(k, n), 2).unwrap();
            let mut listing = Listing::new(a.shape(), b.shape()).unwrap();
            listing.load(&a, &b);
            listing.run();
            let mut expected = Matrix::zeros(Shape::new(m, n)).unwrap();
            multiply(&a, &b, &mut expected);
            assert_eq!(listing.result(), &expected, "{m} x {k} x {n}");
        }
    }
}
