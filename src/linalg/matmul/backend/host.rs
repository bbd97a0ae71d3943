//! The method `serial`: three loops on one core.

use crate::Shape;
use crate::data::{Matrix, Number};
use crate::gl::Texel;
use crate::linalg::host::matmul::multiply;

use super::Backend;
use crate::linalg::matmul::Result;

/// Operands and result on the host.
pub(crate) struct Serial<T: Number + Texel> {
    a: Matrix<T>,
    b: Matrix<T>,
    c: Matrix<T>,
}

impl<T: Number + Texel> Serial<T> {
    pub(crate) fn new(a: Shape, b: Shape) -> Result<Serial<T>> {
        let c = Shape::new(a.rows, b.cols);
        Ok(Serial { a: Matrix::zeros(a)?, b: Matrix::zeros(b)?, c: Matrix::zeros(c)? })
    }
}

impl<T: Number + Texel> Backend<T> for Serial<T> {
    fn load_a(&mut self, a: &Matrix<T>) -> Result<()> {
        self.a.elements_mut().copy_from_slice(a.elements());
        Ok(())
    }

    fn load_b(&mut self, b: &Matrix<T>) -> Result<()> {
        self.b.elements_mut().copy_from_slice(b.elements());
        Ok(())
    }

    fn run(&mut self) -> Result<()> {
        multiply(&self.a, &self.b, &mut self.c);
        Ok(())
    }

    fn read(&self) -> Result<Matrix<T>> {
        Ok(self.c.copied()?)
    }

    fn stored(&self) -> Shape {
        self.c.shape()
    }

    fn fetched_bytes(&self) -> u64 {
        let Shape { rows, cols } = self.c.shape();
        2 * (rows * cols * self.a.shape().cols * size_of::<T>()) as u64
    }

    fn options(&self) -> String {
        String::new()
    }
}
