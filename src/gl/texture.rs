//! Textures with a texel type, complete. Row 0 of the data is row 0 of the
//! texture, where `gl_FragCoord.y` is 0.5.

pub(super) mod array;
pub(super) mod field;
pub(super) mod filter;
mod from_buffer;
mod level_texture;
pub(super) mod levels;
mod present;
pub(super) mod raw;
pub(super) mod sampling;
pub(super) mod texel;
pub(super) mod untyped;

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::memory::{self, NoMemory};
use crate::{Extent, Rectangle};

use super::transfer::copies::threads_for;
use super::transfer::readback::Readback;
use raw::Raw;

use super::transfer::read_pixels;
use super::{
    Abilities, Buffer, Context, Element, Error, Filter, Format, Result, Texel, Wrap, buffer,
    transfer,
};

/// A two-dimensional array of texels `T` on the device: the input and the target of passes.
///
/// ```
/// use quadrille::{Context, Extent, Rectangle};
/// let context = Context::headless()?;
/// let mut image = context.texture(Extent::new(3, 2), &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// image.write_rectangle(Rectangle::new(1, 0, 2, 1), &[20.0, 30.0])?;
/// assert_eq!(image.read()?, [1.0, 20.0, 30.0, 4.0, 5.0, 6.0]);
///
/// let colours = context.texture(Extent::new(1, 1), &[[0.1_f32, 0.2, 0.3]])?;
/// assert_eq!(colours.read()?, [[0.1, 0.2, 0.3]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`texture_of`](Context::texture_of) makes one of a field, such as a picture. It is not `Clone`:
/// a pass takes `&Texture` to read and `&mut Texture` to write, so that a feedback loop does not
/// compile. Like its context it stays on one thread:
///
/// ```compile_fail,E0277
/// fn must_be_send<T: Send>() {}
/// must_be_send::<quadrille::gl::Texture<f32>>();
/// ```
pub struct Texture<T: Texel> {
    raw: Raw,
    texel: PhantomData<T>,
}

/// A texture of any texel, to read from.
pub trait AnyTexture: sealed::HasRaw {
    /// Returns the extent of the texture.
    fn extent(&self) -> Extent {
        self.raw().extent
    }
    /// Returns the format of its texels.
    fn format(&self) -> Format {
        self.raw().format
    }
    /// Returns the number of layers, if it is a texture array.
    fn layers(&self) -> Option<u32> {
        self.raw().layers
    }
}

/// A texture of any texel, to write into.
pub trait Target: AnyTexture {}

pub(super) mod sealed {
    pub trait HasRaw {
        #[allow(private_interfaces)] // Sealed: no one else can name it.
        fn raw(&self) -> &super::Raw;
    }
}

impl<T: Texel> sealed::HasRaw for Texture<T> {
    #[allow(private_interfaces)] // Sealed: no one else can name it.
    fn raw(&self) -> &Raw {
        &self.raw
    }
}

impl<T: Texel> AnyTexture for Texture<T> {}

impl<T: Texel> Target for Texture<T> {}

impl Context {
    /// Makes a texture of these texels, given row by row.
    ///
    /// # Errors
    /// [`Error::Length`] if there are not `width * height` texels, and as
    /// [`uninit`](Context::uninit).
    pub fn texture<T: Texel>(&self, extent: Extent, texels: &[T]) -> Result<Texture<T>> {
        let mut texture = self.uninit(extent)?;
        texture.write(texels)?;
        Ok(texture)
    }

    /// Makes a texture whose texels are uninitialized: a target to draw into.
    ///
    /// # Errors
    /// [`Error::TooLarge`] over the device's limit, [`Error::Empty`] without a texel,
    /// [`Error::OutOfMemory`], [`Error::ContextLost`].
    pub fn uninit<T: Texel>(&self, extent: Extent) -> Result<Texture<T>> {
        let raw = Raw::new(self, extent, T::FORMAT)?;
        Ok(Texture { raw, texel: PhantomData })
    }
}

/// The way that texels take to a texture. [`Texture::write`] chooses by itself;
/// [`Texture::write_by`] takes one that is named, to measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upload {
    /// Uploads from the host's memory, while the host waits.
    Direct,
    /// Uploads through a buffer, which hardware fetches at two to four times the rate
    /// (docs/measured.md); for a software renderer it is one copy more.
    Buffer,
    /// Uploads through buffers that stay mapped, which this number of threads fills.
    Mapped(usize),
}

/// Fewer bytes are there sooner than a buffer for them is ready.
const WORTH_A_BUFFER: usize = 1 << 18;

/// Returns whether a buffer is worthwhile for this number of bytes: a software renderer copies by
/// itself, and a buffer is one copy more.
fn pays(abilities: &Abilities, bytes: usize) -> bool {
    !abilities.software && bytes >= WORTH_A_BUFFER
}

impl<T: Texel> Texture<T> {
    /// Returns the width and height in texels.
    pub fn extent(&self) -> Extent {
        self.raw.extent
    }

    /// Returns the context it lives in.
    pub fn context(&self) -> Context {
        self.raw.owned.context()
    }

    /// Replaces all texels.
    ///
    /// # Errors
    /// [`Error::Length`] if there are not as many texels, [`Error::OutOfMemory`],
    /// [`Error::ContextLost`].
    pub fn write(&mut self, texels: &[T]) -> Result<()> {
        self.write_rectangle(self.raw.extent.rectangle(), texels)
    }

    /// Replaces the texels of a rectangle, given row by row.
    ///
    /// # Errors
    /// [`Error::Outside`] if the rectangle exceeds the texture, and as [`write`](Texture::write).
    pub fn write_rectangle(&mut self, place: Rectangle, texels: &[T]) -> Result<()> {
        let (abilities, bytes) = (self.raw.shared().abilities(), size_of_val(texels));
        let by = match pays(abilities, bytes) {
            true if abilities.mapped_buffers => Upload::Mapped(threads_for(bytes)),
            true => Upload::Buffer,
            false => Upload::Direct,
        };
        self.write_by(by, place, texels)
    }

    /// Replaces a rectangle of texels as [`write_rectangle`](Texture::write_rectangle) does, in a
    /// way that is named.
    ///
    /// # Errors
    ///
    /// Those of [`write_rectangle`](Texture::write_rectangle).
    #[doc(hidden)]
    pub fn write_by(&mut self, by: Upload, place: Rectangle, texels: &[T]) -> Result<()> {
        self.raw.must_contain("writing into a texture", place, texels.len())?;
        let bytes = stored(texels)?;
        let direct = glow::PixelUnpackData::Slice(Some(&bytes));
        match self.write_by_buffer(by, place, &bytes) {
            // There may be room for the texture alone.
            Ok(false) | Err(Error::OutOfMemory { .. }) => {
                self.raw.upload(place, direct, None, bytes.len() as u64)
            }
            Ok(true) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Writes bytes through a buffer, and returns whether it did.
    fn write_by_buffer(&self, by: Upload, place: Rectangle, bytes: &[u8]) -> Result<bool> {
        match by {
            Upload::Mapped(threads) => transfer::upload(&self.raw, place, bytes, threads)?,
            Upload::Buffer
                if i32::try_from(bytes.len()).is_ok() && from_buffer::works(&self.context())? =>
            {
                let staged = buffer::stage(&self.context(), bytes)?;
                let from = glow::PixelUnpackData::BufferOffset(0);
                self.raw.upload(place, from, Some(staged.name()), bytes.len() as u64)?;
            }
            Upload::Buffer | Upload::Direct => return Ok(false),
        }
        Ok(true)
    }

    /// Sets every texel to this value.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for 32-bit floats on a device that cannot draw into them,
    /// [`Error::ContextLost`].
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.raw.fill(value.to_wide())
    }

    /// Sets the filter, as in `context.texture(extent, &texels)?.with_filter(Filter::Linear)?`.
    ///
    /// # Errors
    /// As [`set_filter`](Texture::set_filter).
    pub fn with_filter(self, filter: Filter) -> Result<Texture<T>> {
        self.raw.set_filter(filter)?;
        Ok(self)
    }

    /// Sets the wrap mode.
    pub fn with_wrap(self, wrap: Wrap) -> Texture<T> {
        self.raw.set_wrap(wrap);
        self
    }

    /// Sets how `texture()` samples between the centres of texels: [`Filter::Nearest`] by default.
    /// `READ` and the other words of the prelude read texels exactly, whatever the filter is.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for integers, and for 32-bit floats on devices that cannot filter
    /// them.
    pub fn set_filter(&mut self, filter: Filter) -> Result<()> {
        self.raw.set_filter(filter)
    }

    /// Sets how `texture()` samples outside of the texture: [`Wrap::Clamp`] by default. The words
    /// of the prelude do not depend on it: `READ_CLAMPED` clamps, and `READ_WRAPPED` repeats.
    pub fn set_wrap(&mut self, wrap: Wrap) {
        self.raw.set_wrap(wrap);
    }

    /// Takes over the filter and the wrap mode of a texture of the same type.
    pub(crate) fn sample_as(&mut self, other: &Texture<T>) {
        self.raw.wanted.set(other.raw.wanted.get());
    }

    /// Copies all texels of a texture of the same extent, on the device.
    ///
    /// # Errors
    /// [`Error::Length`] for another extent, [`Error::Foreign`] for a texture of another context,
    /// [`Error::ContextLost`].
    pub fn copy_from(&mut self, other: &Texture<T>) -> Result<()> {
        if self.extent() != other.extent() {
            return Err(Error::Length {
                what: format!("copying {} to {} texels", other.extent(), self.extent()),
                expected: self.extent().texels(),
                got: other.extent().texels(),
            });
        }
        other.raw.owned.must_live_in(&self.context(), "the texture to copy")?;
        self.raw.copy_from((0, 0), &other.raw, other.extent().rectangle())
    }

    /// Copies a rectangle of another texture to one of the same size, on the device. It takes
    /// `&self` for what is no part of a value, such as a halo.
    pub(crate) fn copy_part(
        &self,
        target: Rectangle,
        other: &Texture<T>,
        source: Rectangle,
    ) -> Result<()> {
        self.raw.copy_part(target, &other.raw, source)
    }

    /// Copies all texels to a buffer, from this element on, on the device. Texels have four
    /// channels: all drivers return those as they are.
    pub(crate) fn copy_to_buffer(&self, buffer: &Buffer<T>, start: usize) -> Result<()>
    where
        T: Element,
    {
        let (expected, got) = (start + self.extent().texels(), buffer.len());
        if got < expected {
            let what = format!("copying {} texels to a buffer", self.extent());
            return Err(Error::Length { what, expected, got });
        }
        let buffer = buffer.id_in(&self.context(), "the buffer to copy to")?;
        let (place, format) = (self.extent().rectangle(), read_pixels::ReadFormat::Wide);
        read_pixels::to_buffer(&self.raw, place, format, buffer.0, start * size_of::<T>())
    }

    /// Reads all texels, row by row. Waits for the passes that write them.
    ///
    /// # Errors
    /// [`Error::HostMemory`], [`Error::Unsupported`] for 32-bit floats on a device that cannot draw
    /// into them, [`Error::ContextLost`].
    pub fn read(&self) -> Result<Vec<T>> {
        self.read_rectangle(self.raw.extent.rectangle())
    }

    /// Reads the texels of a rectangle, row by row.
    ///
    /// # Errors
    /// [`Error::Outside`] if the rectangle exceeds the texture, and as [`read`](Texture::read).
    pub fn read_rectangle(&self, place: Rectangle) -> Result<Vec<T>> {
        self.raw.must_contain("reading a texture", place, place.texels())?;
        let mut texels = memory::zeroed(place.texels())?;
        self.read_place(place, &mut texels)?;
        Ok(texels)
    }

    /// Reads all texels, row by row, into a slice that holds just them: repeated reads of a large
    /// texture spend more time on fresh memory than on the texels.
    ///
    /// # Errors
    /// [`Error::Length`] if the slice is shorter or longer, and as [`read`](Texture::read).
    pub fn read_into(&self, texels: &mut [T]) -> Result<()> {
        let place = self.raw.extent.rectangle();
        self.raw.must_contain("reading a texture", place, texels.len())?;
        self.read_place(place, texels)
    }

    /// Reads a rectangle, row by row, into a slice that holds just it.
    pub(crate) fn read_rectangle_into(&self, place: Rectangle, texels: &mut [T]) -> Result<()> {
        self.raw.must_contain("reading a texture", place, texels.len())?;
        self.read_place(place, texels)
    }

    fn read_place(&self, place: Rectangle, texels: &mut [T]) -> Result<()> {
        let (abilities, bytes) = (self.raw.shared().abilities(), size_of_val(texels));
        let mapped = pays(abilities, bytes) && abilities.mapped_buffers;
        if mapped && self.read_by_mapped(threads_for(bytes), place, texels)? {
            return Ok(());
        }
        read_pixels::read(&self.raw, place, texels)
    }

    /// Reads by mapped buffers and this number of threads, or does nothing and returns false: the
    /// driver may return the texels in another form, and may have no memory for a buffer. It
    /// measures this way by itself; [`read_into`](Texture::read_into) chooses.
    ///
    /// # Errors
    ///
    /// [`Error::Outside`] and [`Error::Length`] if the rectangle or the number of texels does not
    /// fit, and errors of the device.
    #[doc(hidden)]
    pub fn read_by_mapped(
        &self,
        threads: usize,
        place: Rectangle,
        texels: &mut [T],
    ) -> Result<bool> {
        self.raw.must_contain("reading a texture", place, texels.len())?;
        if !transfer::returns_exact(&self.raw)? {
            return Ok(false);
        }
        match transfer::read(&self.raw, place, bytemuck::cast_slice_mut(texels), threads) {
            Err(Error::OutOfMemory { .. }) => Ok(false),
            result => result.map(|()| true),
        }
    }

    /// Starts to read all texels and returns at once; other work may go on meanwhile. The texels
    /// are those after all passes issued before.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], and as [`read`](Texture::read).
    pub fn read_async(&self) -> Result<Readback<T>> {
        Readback::start(&self.raw, self.raw.extent.rectangle())
    }
}

/// Returns the bytes that the device stores of texels: those of three channels have a 1 in a
/// fourth.
pub(super) fn stored<T: Texel>(texels: &[T]) -> Result<Cow<'_, [u8]>, NoMemory> {
    let bytes = bytemuck::cast_slice(texels);
    if !T::FORMAT.is_padded() {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut padded = memory::with_room(texels.len().saturating_mul(T::FORMAT.bytes))?;
    for texel in bytes.chunks_exact(size_of::<T>()) {
        padded.extend_from_slice(texel);
        padded.extend_from_slice(T::FORMAT.one());
    }
    Ok(Cow::Owned(padded))
}

impl<T: Texel> std::fmt::Debug for Texture<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Texture({}, {})", self.raw.extent, T::FORMAT.name)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::texel::Wide;
    use super::*;

    const WAYS: [Upload; 4] =
        [Upload::Direct, Upload::Buffer, Upload::Mapped(1), Upload::Mapped(3)];

    /// Rows of an odd number of bytes, so that alignment would show.
    #[test]
    fn all_ways_bring_the_same_texels_to_the_same_place() {
        let context = Context::headless().unwrap();
        let (extent, place) = (Extent::new(7, 5), Rectangle::new(1, 2, 3, 3));
        let sent: Vec<u8> = (1..=9).collect();
        let mut expected = vec![0_u8; 35];
        for (index, value) in sent.iter().enumerate() {
            expected[(2 + index / 3) * 7 + 1 + index % 3] = *value;
        }
        for upload in WAYS {
            let mut texture = context.texture(extent, &[0_u8; 35]).unwrap();
            texture.write_by(upload, place, &sent).unwrap();
            assert_eq!(texture.read().unwrap(), expected, "{upload:?}");
        }
        assert_eq!(context.objects().unwrap(), super::super::Objects::default());
    }

    #[test]
    fn the_stored_fourth_channel_of_a_colour_reads_as_one() {
        let context = Context::headless().unwrap();
        let colour = context.texture(Extent::new(1, 1), &[[0.0_f32; 3]]).unwrap();
        colour.raw.fill(Wide::Float([1.5, 2.5, 3.5, 0.25])).unwrap();
        let text = "uniform sampler2D image; out vec4 o; void main() { o = READ(image, TEXEL); }";
        let source = crate::shader::Source::fragment("read.frag", text);
        for reads in [crate::shader::Reads::Fetch, crate::shader::Reads::Sample] {
            let kernel = crate::stream::Kernel::from_fragment(&context, &source, reads).unwrap();
            let mut read = context.uninit::<[f32; 4]>(colour.extent()).unwrap();
            kernel.pass().input("image", &colour).draw(&mut read).unwrap();
            assert_eq!(read.read().unwrap(), [[1.5, 2.5, 3.5, 1.0]]);
        }
    }

    #[test]
    fn nothing_is_sent_either_way() {
        let context = Context::headless().unwrap();
        let mut texture = context.texture(Extent::new(1, 1), &[2.5_f32]).unwrap();
        for upload in WAYS {
            texture.write_by(upload, Rectangle::new(0, 0, 0, 0), &[]).unwrap();
        }
        assert_eq!(texture.read().unwrap(), [2.5]);
    }
}
