//! Reading texels back later, through a buffer and a fence.

use std::marker::PhantomData;
use std::time::Duration;

use glow::HasContext;

use crate::{Rectangle, memory};

use super::Arriving;
use super::copies::threads_for;
use super::read_pixels::{ReadFormat, read_format, select, to_buffer, wide_bytes};
#[cfg(doc)]
use crate::gl::Error;
use crate::gl::buffer::mapping::{copy_out, to_i32};
use crate::gl::object::owned::Owned;
use crate::gl::sync::Fence;
use crate::gl::texture::raw::Raw;
use crate::gl::{Context, Result, Texel, must_be};

/// A readback in progress. Dropping it early loses only the numbers.
pub struct Readback<T: Texel> {
    store: Store,
    format: ReadFormat,
    bytes: usize,
    texel: PhantomData<T>,
}

/// The memory that the device writes the texels to.
enum Store {
    /// The host's memory.
    Mapped(Arriving),
    /// A buffer of the driver, to be mapped once the device has written it.
    Buffer(Owned<glow::Buffer>, Fence),
}

impl<T: Texel> Readback<T> {
    pub(in crate::gl) fn start(raw: &Raw, place: Rectangle) -> Result<Self> {
        let context = raw.owned.context();
        let format = read_format(raw)?;
        let size =
            if format == ReadFormat::Exact { raw.format.bytes } else { wide_bytes(raw.format) };
        let bytes = place.texels() * size;
        let store = match context.abilities().mapped_buffers {
            true => {
                Store::Mapped(Arriving::start(raw, place, format, place.width as usize * size)?)
            }
            false => by_buffer(&context, raw, place, format, bytes)?,
        };
        Ok(Readback { store, format, bytes, texel: PhantomData })
    }

    /// Returns whether the texels have arrived.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its
    /// scope.
    pub fn is_ready(&self) -> Result<bool> {
        self.wait(Duration::ZERO)
    }

    /// Waits for the texels, at most this long; returns whether they have arrived.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its
    /// scope.
    pub fn wait(&self, limit: Duration) -> Result<bool> {
        match &self.store {
            Store::Mapped(arriving) => arriving.wait(limit),
            Store::Buffer(_, fence) => fence.wait(limit),
        }
    }

    /// Waits for the texels and returns them, row by row.
    ///
    /// # Errors
    /// [`Error::HostMemory`], and as [`wait`](Readback::wait).
    pub fn read(self) -> Result<Vec<T>> {
        let mut texels = memory::zeroed(self.texels())?;
        self.read_into(&mut texels)?;
        Ok(texels)
    }

    /// Waits for the texels and copies them into a slice of the same length.
    ///
    /// # Errors
    /// [`Error::Length`] if the slice is shorter or longer, and as [`wait`](Readback::wait).
    pub fn read_into(self, texels: &mut [T]) -> Result<()> {
        must_be(self.texels(), texels.len(), "reading a texture")?;
        match self.format {
            ReadFormat::Exact => self.copy(bytemuck::cast_slice_mut(texels)),
            ReadFormat::Wide => {
                let mut wide = memory::zeroed(self.bytes)?;
                self.copy(&mut wide)?;
                select(&wide, texels);
                Ok(())
            }
        }
    }

    /// Waits for the device, and copies the bytes.
    fn copy(&self, to: &mut [u8]) -> Result<()> {
        match &self.store {
            Store::Mapped(arriving) => arriving.copy_to(to, threads_for(to.len())),
            Store::Buffer(buffer, fence) => {
                fence.wait_long()?;
                copy_out(&buffer.context(), buffer.name(), glow::PIXEL_PACK_BUFFER, to)
            }
        }
    }

    fn texels(&self) -> usize {
        let each =
            if self.format == ReadFormat::Exact { size_of::<T>() } else { wide_bytes(T::FORMAT) };
        self.bytes / each
    }
}

fn by_buffer(
    context: &Context,
    raw: &Raw,
    place: Rectangle,
    format: ReadFormat,
    bytes: usize,
) -> Result<Store> {
    // Before the buffer is bound, which redirects all reads.
    let length = to_i32(bytes)?;
    // SAFETY: `make` enters the context.
    let buffer = Owned::make(context, |gl| unsafe { gl.create_buffer() })?;
    let gl = context.shared.enter()?;
    // SAFETY: entered; the buffer was just made.
    unsafe {
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer.name()));
        gl.buffer_data_size(glow::PIXEL_PACK_BUFFER, length, glow::STREAM_READ);
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
    }
    drop(gl);
    context.shared.check_allocation("a pixel buffer", bytes as u64)?;
    buffer.takes(bytes as u64);
    to_buffer(raw, place, format, buffer.name(), 0)?;
    let fence = Fence::new(context)?;
    context.flush()?;
    Ok(Store::Buffer(buffer, fence))
}
