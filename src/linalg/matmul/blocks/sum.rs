//! The sum of partial products, on the device.

use std::ops::Range;

use crate::Shape;
use crate::data::Matrix;
use crate::gl::Context;
use crate::linalg::DeviceMatrix;
use crate::linalg::matmul::backend::Backend;
use crate::linalg::matmul::backend::number::of_type;
use crate::linalg::matmul::{Element, Result};
use crate::shader::{Source, Stage};
use crate::stream::Kernel;

/// A sum, to which products are added one after the other.
pub(in super::super) struct Sum<T: Element> {
    kernel: Kernel,
    total: DeviceMatrix<T>,
    next: DeviceMatrix<T>,
    part: DeviceMatrix<T>,
}

impl<T: Element> Sum<T> {
    pub(crate) fn new(context: &Context, shape: Shape) -> Result<Sum<T>> {
        let make = || DeviceMatrix::unset(context, shape);
        let kernel = context.kernel(source::<T>()?)?;
        Ok(Sum { kernel, total: make()?, next: make()?, part: make()? })
    }

    /// Adds what a backend has multiplied; the first product replaces what there was.
    pub(crate) fn add(&mut self, product: &dyn Backend<T>, is_first: bool) -> Result<()> {
        if is_first {
            return product.write_to(&mut self.total);
        }
        product.write_to(&mut self.part)?;
        let Sum { kernel, total, next, part } = self;
        if let (Some(sum), Some(part), Some(to)) =
            (total.texture(), part.texture(), next.texture_mut())
        {
            kernel.pass().input("sum", sum).input("part", part).draw(to)?;
        }
        std::mem::swap(total, next);
        Ok(())
    }

    pub(crate) fn read_rows(&self, rows: Range<usize>, to: &mut [T]) -> Result<()> {
        Ok(self.total.read_rows(rows, to)?)
    }

    pub(crate) fn read(&self) -> Result<Matrix<T>> {
        Ok(self.total.read()?)
    }
}

fn source<T: Element>() -> Result<Source> {
    Ok(of_type::<T>(Source::library(Stage::Fragment, "matmul/add.frag")?))
}

/// Returns the shader of the sum for each type of number, for the test that compiles every shader.
pub(in super::super) fn sources() -> Result<Vec<Source>> {
    Ok(vec![source::<f32>()?, source::<i32>()?, source::<i16>()?])
}
