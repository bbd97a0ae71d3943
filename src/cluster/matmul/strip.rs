//! A strip of a panel: what a row of tiles takes of A, or a column of tiles of B.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::Shape;
use crate::data::Block;
use crate::gl::{self, Context, Staging};
use crate::linalg::DeviceMatrix;
use crate::linalg::matmul::Element;

use super::{Result, Source};

/// A strip on its way to a device, in three steps at once: it is read for one, exchanged for the
/// one before, and uploaded for the one before that.
pub(super) struct Strip<T: Element> {
    shape: Shape,
    staging: [Staging<T>; 3],
    pub(super) matrix: DeviceMatrix<T>,
}

impl<T: Element> Strip<T> {
    pub(super) fn new(context: &Context, shape: Shape) -> Result<Strip<T>> {
        let staging = || context.staging(shape.len().unwrap_or(usize::MAX));
        let staging = [staging()?, staging()?, staging()?];
        Ok(Strip { shape, staging, matrix: DeviceMatrix::unset(context, shape)? })
    }

    /// Returns the memory of the step before, to be exchanged, and that of a step, to be read.
    pub(super) fn memory(&mut self, step: usize) -> [Memory<'_, T>; 2] {
        let pitch = self.shape.cols;
        let [first, second, third] = self.staging.each_mut();
        let both = match step % 3 {
            0 => [third, first],
            1 => [first, second],
            _ => [second, third],
        };
        both.map(|staging| Memory { staging, pitch })
    }

    /// Starts to upload a step.
    pub(super) fn upload(&mut self, step: usize) -> Result<()> {
        match self.matrix.texture_mut() {
            Some(texture) => Ok(texture.write_from(&self.staging[step % 3])?),
            None => Ok(()),
        }
    }
}

/// The memory of a strip in one step.
pub(super) struct Memory<'a, T: Element> {
    staging: &'a mut Staging<T>,
    pitch: usize,
}

impl<'a, T: Element> Memory<'a, T> {
    /// Returns the bytes, to be sent.
    pub(super) fn bytes(&self) -> Result<&[u8], gl::Error> {
        Ok(cast_slice(self.staging.as_slice()?))
    }

    /// Returns the memory that bytes are received in.
    pub(super) fn bytes_mut(&mut self) -> Result<&mut [u8], gl::Error> {
        Ok(cast_slice_mut(self.staging.as_mut_slice()?))
    }

    /// Returns the place that a block is read into, once the device is done with its old contents.
    pub(super) fn place(self, block: Block) -> Result<Place<'a, T>, gl::Error> {
        Ok(Place { to: self.staging.as_mut_slice()?, pitch: self.pitch, block })
    }
}

/// The place that a block is read into, which may be smaller than the strip.
pub(super) struct Place<'a, T> {
    to: &'a mut [T],
    pitch: usize,
    block: Block,
}

impl<T: Element> Place<'_, T> {
    /// Reads the block, and zeros around it.
    pub(super) fn fill(self, source: &mut dyn Source<T>) -> Result<()> {
        let Place { to, pitch, block } = self;
        if block.columns.len() != pitch || block.rows.len() * pitch != to.len() {
            to.fill(T::default());
        }
        if block.rows.is_empty() || block.columns.is_empty() {
            return Ok(());
        }
        source.read(&block, to, pitch)
    }
}
