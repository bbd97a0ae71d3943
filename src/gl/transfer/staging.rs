//! Memory of the host that the device transfers by itself.

use crate::memory;

use super::mapped::{Mapped, Use};
use super::read_pixels::{ReadFormat, read_format, to_buffer};
use crate::gl::buffer::BufferId;
use crate::gl::draw::{Fenced, Hosted};
use crate::gl::texture::raw::Raw;
use crate::gl::texture::sealed::HasRaw;
use crate::gl::{Context, Result, Texel, Texture};

/// A block of texels in memory of the host from which a GPU fetches, and into which it writes, at
/// the speed of the bus: fill them and upload them, or read a texture into them, without a copy
/// between. Transfers from and to a slice need that copy.
///
/// Transfers return at once. A slice is lent once the device is done with it: the host waits where
/// it must, and cannot change what is on its way.
///
/// ```
/// use quadrille::{Context, Extent};
/// let context = Context::headless()?;
/// let mut staging = context.staging::<f32>(4)?;
/// for (index, number) in staging.as_mut_slice()?.iter_mut().enumerate() {
///     *number = index as f32;
/// }
/// let mut texture = context.uninit(Extent::new(2, 2))?;
/// texture.write_from(&staging)?;
/// let mut back = context.staging(4)?;
/// texture.read_to(&mut back)?; // returns at once
/// assert_eq!(back.as_slice()?, [0.0, 1.0, 2.0, 3.0]); // waits
/// # Ok::<(), quadrille::gl::Error>(())
/// ```
///
/// Where the context has no [mapped buffers](crate::gl::Abilities::mapped_buffers), the memory is
/// ordinary, and transfers wait for their end; so are three channels, which the device stores as
/// four. Memory is reused: what a new `Staging` holds is unspecified.
pub struct Staging<T: Texel> {
    context: Context,
    length: usize,
    memory: Memory<T>,
}

enum Memory<T> {
    Mapped(Mapped),
    Ordinary(Vec<T>),
}

impl Context {
    /// Makes room for this number of texels, which are unspecified until they are written.
    ///
    /// # Errors
    /// [`Error::TooLarge`](crate::gl::Error::TooLarge) for 2 GiB or more, [`Error::OutOfMemory`](crate::gl::Error::OutOfMemory), [`Error::HostMemory`](crate::gl::Error::HostMemory),
    /// [`Error::ContextLost`](crate::gl::Error::ContextLost).
    pub fn staging<T: Texel>(&self, length: usize) -> Result<Staging<T>> {
        let bytes = length.saturating_mul(size_of::<T>());
        let mapped = self.abilities().mapped_buffers && !T::FORMAT.is_padded() && length > 0;
        let memory = match mapped {
            true => Memory::Mapped(Mapped::take(self, bytes)?),
            false => Memory::Ordinary(memory::zeroed(length)?),
        };
        Ok(Staging { context: self.clone(), length, memory })
    }
}

impl<T: Texel> Staging<T> {
    /// Returns the number of texels.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether it has none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the texels, once a texture that is read into them has arrived.
    ///
    /// # Errors
    /// [`Error::ContextLost`](crate::gl::Error::ContextLost).
    pub fn as_slice(&self) -> Result<&[T]> {
        match &self.memory {
            Memory::Mapped(stage) => Ok(bytemuck::cast_slice(stage.bytes()?)),
            Memory::Ordinary(texels) => Ok(texels),
        }
    }

    /// Returns the texels, to be changed, once the device neither reads nor writes them.
    ///
    /// # Errors
    /// [`Error::ContextLost`](crate::gl::Error::ContextLost).
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        match &mut self.memory {
            Memory::Mapped(stage) => Ok(bytemuck::cast_slice_mut(stage.bytes_mut()?)),
            Memory::Ordinary(texels) => Ok(texels),
        }
    }

    /// Returns the buffer for a dispatch to use; `None` if the memory is ordinary.
    pub(crate) fn as_buffer(&self, fenced: Fenced) -> Option<(BufferId, Hosted<'_>)> {
        match &self.memory {
            Memory::Mapped(stage) => Some((BufferId(stage.name()), Hosted(stage, fenced))),
            Memory::Ordinary(_) => None,
        }
    }

    /// Returns the context it lives in.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    fn must_fit(&self, what: &str, raw: &Raw) -> Result<()> {
        raw.must_contain(what, raw.extent.rectangle(), self.length)?;
        raw.owned.must_live_in(&self.context, what)
    }
}

impl<T: Texel> Texture<T> {
    /// Replaces all texels, and returns at once: the device fetches them before it does what it is
    /// given later.
    ///
    /// # Errors
    /// [`Error::Length`](crate::gl::Error::Length) if there are not as many texels, [`Error::Foreign`](crate::gl::Error::Foreign) for those of another
    /// context, [`Error::ContextLost`](crate::gl::Error::ContextLost).
    pub fn write_from(&mut self, staging: &Staging<T>) -> Result<()> {
        staging.must_fit("writing into a texture", self.raw())?;
        let stage = match &staging.memory {
            Memory::Mapped(stage) => stage,
            Memory::Ordinary(texels) => return self.write(texels),
        };
        let from = glow::PixelUnpackData::BufferOffset(0);
        let place = self.extent().rectangle();
        let sent = self.raw().upload(place, from, Some(stage.name()), 0);
        stage.used(Use::Reads).and(sent)
    }

    /// Starts to read all texels and returns at once; [`Staging::as_slice`] waits for them. What is
    /// read is what the texture holds after the passes given so far.
    ///
    /// # Errors
    /// As [`write_from`](Texture::write_from), and [`Error::Unsupported`](crate::gl::Error::Unsupported) for 32-bit floats on a
    /// device that cannot draw into them.
    pub fn read_to(&self, staging: &mut Staging<T>) -> Result<()> {
        staging.must_fit("reading a texture", self.raw())?;
        match &mut staging.memory {
            Memory::Mapped(stage) if read_format(self.raw())? == ReadFormat::Exact => {
                let place = self.extent().rectangle();
                let started = to_buffer(self.raw(), place, ReadFormat::Exact, stage.name(), 0);
                stage.used(Use::Writes).and(started)
            }
            _ => self.read_into(staging.as_mut_slice()?),
        }
    }
}
