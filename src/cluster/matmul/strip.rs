//! A strip of a panel: what a row of tiles takes of A, or a column of tiles of B.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::Shape;
use crate::data::Block;
use crate::gl::{self, Context, Staging};
use crate::linalg::DeviceMatrix;
use crate::linalg::matmul::Element;

use super::{Error, Source};

/// A strip on its way to a device: one set of staging memory is filled for the next step while the device still takes from the other.
pub(super) struct Strip<T: Element> {
    shape: Shape,
    staging: [Staging<T>; 2],
    pub(super) matrix: DeviceMatrix<T>,
}

impl<T: Element> Strip<T> {
    pub(super) fn new(context: &Context, shape: Shape) -> Result<Strip<T>, Error> {
        let make = || context.staging(shape.len().unwrap_or(usize::MAX));
        let staging = [make()?, make()?];
        Ok(Strip { shape, staging, matrix: DeviceMatrix::unset(context, shape)? })
    }

    /// Fills the staging memory of a step with a block, which may be smaller than the strip, and zeros.
    pub(super) fn fill(
        &mut self,
        step: usize,
        source: &mut dyn Source<T>,
        block: &Block,
    ) -> Result<(), Error> {
        let Shape { rows, cols } = self.shape;
        let to = self.staging[step % 2].as_mut_slice()?;
        if (block.rows.len(), block.columns.len()) != (rows, cols) {
            to.fill(T::default());
        }
        if block.rows.is_empty() || block.columns.is_empty() {
            return Ok(());
        }
        source.read(block, to, cols)
    }

    /// The bytes of a step, to be sent.
    pub(super) fn bytes(&self, step: usize) -> Result<&[u8], gl::Error> {
        Ok(cast_slice(self.staging[step % 2].as_slice()?))
    }

    /// Where the bytes of a step are received.
    pub(super) fn bytes_mut(&mut self, step: usize) -> Result<&mut [u8], gl::Error> {
        Ok(cast_slice_mut(self.staging[step % 2].as_mut_slice()?))
    }

    /// Starts to upload a step.
    pub(super) fn upload(&mut self, step: usize) -> Result<(), Error> {
        match self.matrix.texture_mut() {
            Some(texture) => Ok(texture.write_from(&self.staging[step % 2])?),
            None => Ok(()),
        }
    }
}
