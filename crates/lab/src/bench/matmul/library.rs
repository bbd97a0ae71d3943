//! The crate gemm, as what a host can do: its part for single precision alone, which is compiled in a
//! fraction of the time of all.

use gemm_common::Parallelism;

use super::Threads;
use crate::{Error, Result};
use quadrille::Shape;
use quadrille::data::Matrix;

/// C = A B for square matrices of floats.
pub(super) struct Product {
    n: usize,
    a: Vec<f32>,
    b: Vec<f32>,
    c: Matrix<f32>,
    threads: Parallelism,
}

impl Product {
    /// Makes a product of matrices with `n` rows and columns. What it multiplies is zeros until it
    /// is loaded.
    pub(super) fn new(n: usize, threads: Threads) -> Result<Product> {
        let threads = match threads {
            Threads::One => Parallelism::None,
            Threads::All => Parallelism::Rayon(0),
        };
        let zeros = || Ok::<_, Error>(Matrix::zeros(Shape::new(n, n))?);
        let (a, b) = (zeros()?.into_elements(), zeros()?.into_elements());
        Ok(Product { n, a, b, c: zeros()?, threads })
    }

    /// The numbers of A and B row by row, as many as it was made for.
    pub(super) fn load(&mut self, a: &[f32], b: &[f32]) {
        self.a.copy_from_slice(a);
        self.b.copy_from_slice(b);
    }

    /// The crate has no other interface than pointers. Its products are of columns: the transposed
    /// C is the transposed B by the transposed A, whose columns are the rows here.
    #[allow(unsafe_code, reason = "a library without a safe interface, to compare with")]
    pub(super) fn run(&mut self) {
        let (n, row, column) = (self.n, self.n as isize, 1);
        let c = self.c.elements_mut().as_mut_ptr();
        let (a, b) = (self.a.as_ptr(), self.b.as_ptr());
        // SAFETY: `new` made n x n numbers behind each pointer, which is what these sizes and
        // strides reach, and C is borrowed mutably and is none of the others.
        unsafe {
            gemm_f32::gemm::f32::get_gemm_fn()(
                n,
                n,
                n,
                c,
                row,
                column,
                false,
                b,
                row,
                column,
                a,
                row,
                column,
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
