//! The crate gemm, as what a host can do.

use gemm::Parallelism;

use super::{Error, Threads};
use crate::data::Matrix;

/// C = A B for square matrices of floats.
pub(super) struct Product {
    n: usize,
    a: Vec<f32>,
    b: Vec<f32>,
    c: Matrix<f32>,
    threads: Parallelism,
}

impl Product {
    /// The numbers of A and B row by row.
    pub(super) fn new(
        c: Matrix<f32>,
        a: &[f32],
        b: &[f32],
        threads: Threads,
    ) -> Result<Product, Error> {
        let n = c.shape().rows;
        let square = n * n;
        for numbers in [a.len(), b.len(), c.elements().len()] {
            if numbers != square {
                return Err(
                    crate::data::Error::MatrixLength { shape: c.shape(), got: numbers }.into()
                );
            }
        }
        let threads = match threads {
            Threads::One => Parallelism::None,
            Threads::All => Parallelism::Rayon(0),
        };
        Ok(Product { n, a: a.to_vec(), b: b.to_vec(), c, threads })
    }

    /// The crate has no other interface than pointers.
    #[allow(unsafe_code, reason = "a library without a safe interface, to compare with")]
    pub(super) fn run(&mut self) {
        let (n, row, column) = (self.n, self.n as isize, 1);
        let c = self.c.elements_mut().as_mut_ptr();
        let (a, b) = (self.a.as_ptr(), self.b.as_ptr());
        // SAFETY: `new` saw n x n numbers behind each pointer, which is what these sizes and strides
        // reach, and C is borrowed mutably and is none of the others.
        unsafe {
            gemm::gemm(
                n,
                n,
                n,
                c,
                column,
                row,
                false,
                a,
                column,
                row,
                b,
                column,
                row,
                0.0,
                1.0,
                false,
                false,
                false,
                self.threads,
            );
        }
    }

    pub(super) fn result(&self) -> &Matrix<f32> {
        &self.c
    }
}
