//! Textures typed by texel: nearest, clamped, complete, one level, no flip. Row 0 of the data is
//! row 0 of the texture, and `gl_FragCoord.y` is 0.5 there.

use std::cell::OnceCell;
use std::marker::PhantomData;

use glow::HasContext;

use crate::memory;
use crate::{Extent, Rectangle};

use super::context::Shared;
use super::owned::Owned;
use super::readback::{self, Readback};
use super::texel::Wide;
use super::{Buffer, Context, Element, Error, Filter, Format, Texel, buffer, framebuffer};

/// A texture of texels `T`. Not `Clone`: passes take `&Texture` to read and `&mut Texture` to
/// write, so that reading what is being written does not compile.
pub struct Texture<T: Texel> {
    raw: Raw,
    texel: PhantomData<T>,
}

/// The part of a texture that does not know its type.
pub(super) struct Raw {
    pub(super) owned: Owned<glow::Texture>,
    pub(super) extent: Extent,
    pub(super) format: Format,
    framebuffer: OnceCell<Owned<glow::Framebuffer>>,
}

/// A texture of any texel, to read from.
pub trait AnyTexture: sealed::HasRaw {
    /// Its extent.
    fn extent(&self) -> Extent;
    /// How its texels lie.
    fn format(&self) -> Format;
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

impl<T: Texel> AnyTexture for Texture<T> {
    fn extent(&self) -> Extent {
        self.raw.extent
    }
    fn format(&self) -> Format {
        T::FORMAT
    }
}

impl<T: Texel> Target for Texture<T> {}

impl Context {
    /// A texture with these texels, row by row.
    pub fn texture<T: Texel>(&self, extent: Extent, texels: &[T]) -> Result<Texture<T>, Error> {
        let mut texture = self.empty(extent)?;
        texture.write(texels)?;
        Ok(texture)
    }

    /// A texture whose texels are not set yet.
    pub fn empty<T: Texel>(&self, extent: Extent) -> Result<Texture<T>, Error> {
        let raw = Raw::new(self, extent, T::FORMAT)?;
        Ok(Texture { raw, texel: PhantomData })
    }
}

/// How texels come from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// From the host's memory, while the host waits.
    Straight,
    /// By a buffer, which hardware fetches at two to four times the rate (docs/measured.md); for a
    /// software renderer it is one copy more.
    Buffer,
}

/// Fewer bytes are there sooner than a buffer for them is made.
const WORTH_A_BUFFER: usize = 1 << 18;

impl<T: Texel> Texture<T> {
    /// Its width and height in texels.
    pub fn extent(&self) -> Extent {
        self.raw.extent
    }

    /// The context it lives in.
    pub fn context(&self) -> Context {
        self.raw.owned.context()
    }

    /// Replaces all texels.
    pub fn write(&mut self, texels: &[T]) -> Result<(), Error> {
        self.write_rectangle(self.raw.extent.rectangle(), texels)
    }

    /// Replaces the texels of a rectangle, given row by row.
    pub fn write_rectangle(&mut self, place: Rectangle, texels: &[T]) -> Result<(), Error> {
        let software = self.raw.shared().abilities().software;
        let by_buffer = !software && size_of_val(texels) >= WORTH_A_BUFFER;
        let route = if by_buffer { Route::Buffer } else { Route::Straight };
        self.write_by(route, place, texels)
    }

    /// As [`write_rectangle`](Texture::write_rectangle), in a way that is named.
    #[doc(hidden)]
    pub fn write_by(&mut self, route: Route, place: Rectangle, texels: &[T]) -> Result<(), Error> {
        self.raw.must_contain("writing into a texture", place, texels.len())?;
        let bytes: &[u8] = bytemuck::cast_slice(texels);
        let size = bytes.len() as u64;
        if route == Route::Buffer && i32::try_from(size).is_ok() {
            match buffer::stage(&self.context(), bytes) {
                Ok(staged) => {
                    let from = glow::PixelUnpackData::BufferOffset(0);
                    return self.raw.upload(place, from, Some(staged.name()), size);
                }
                // There may be room for the texture alone.
                Err(Error::OutOfMemory { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.raw.upload(place, glow::PixelUnpackData::Slice(Some(bytes)), None, size)
    }

    /// Gives every texel this value.
    pub fn fill(&mut self, value: T) -> Result<(), Error> {
        self.raw.fill(value.to_wide())
    }

    /// Says what a sample between centres gives; the nearest texel unless told. Integers cannot be
    /// filtered, and 32-bit floats not by every device.
    pub fn set_filter(&mut self, filter: Filter) -> Result<(), Error> {
        self.raw.set_filter(filter)
    }

    /// Takes over all texels of a texture of the same extent, on the device.
    pub fn copy_from(&mut self, other: &Texture<T>) -> Result<(), Error> {
        if self.extent() != other.extent() {
            return Err(Error::Length {
                what: format!("copying {} to {}", other.extent(), self.extent()),
                expected: self.extent().texels(),
                got: other.extent().texels(),
            });
        }
        other.raw.owned.must_live_in(&self.context(), "the texture to copy")?;
        self.raw.copy_from(&other.raw)
    }

    /// Takes over the elements of a buffer of as many, on the device.
    pub fn copy_from_buffer(&mut self, buffer: &Buffer<T>) -> Result<(), Error>
    where
        T: Element,
    {
        let what = || format!("copying a buffer to {}", self.extent());
        let (expected, got) = (self.extent().texels(), buffer.len());
        if got != expected {
            return Err(Error::Length { what: what(), expected, got });
        }
        let buffer = buffer.id_in(&self.context(), "the buffer to copy")?;
        let from = glow::PixelUnpackData::BufferOffset(0);
        self.raw.upload(self.raw.extent.rectangle(), from, Some(buffer.0), 0)
    }

    /// Reads all texels, row by row. Waits for the passes that write them.
    pub fn read(&self) -> Result<Vec<T>, Error> {
        self.read_rectangle(self.raw.extent.rectangle())
    }

    /// Reads the texels of a rectangle, row by row.
    pub fn read_rectangle(&self, place: Rectangle) -> Result<Vec<T>, Error> {
        self.raw.must_contain("reading a texture", place, place.texels())?;
        let mut texels = memory::zeroed(place.texels())?;
        readback::read(&self.raw, place, &mut texels)?;
        Ok(texels)
    }

    /// Reads all texels, row by row, into a slice that holds just them: repeated reads of a large
    /// texture spend more time on fresh memory than on the texels.
    pub fn read_into(&self, texels: &mut [T]) -> Result<(), Error> {
        let place = self.raw.extent.rectangle();
        self.raw.must_contain("reading a texture", place, texels.len())?;
        readback::read(&self.raw, place, texels)
    }

    /// Starts to read all texels and returns at once; other work may go on meanwhile. What is read
    /// is what the texture holds after the passes given so far.
    pub fn read_later(&self) -> Result<Readback<T>, Error> {
        Readback::start(&self.raw, self.raw.extent.rectangle())
    }
}

impl<T: Texel> std::fmt::Debug for Texture<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Texture({}, {})", self.raw.extent, T::FORMAT.name)
    }
}

impl Raw {
    fn new(context: &Context, extent: Extent, format: Format) -> Result<Raw, Error> {
        must_fit(context, extent)?;
        // SAFETY: `make` enters the context.
        let owned = Owned::make(context, |gl| unsafe { gl.create_texture() })?;
        let gl = context.shared.enter()?;
        // SAFETY: entered; the texture is alive.
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(owned.name()));
            for (name, value) in PARAMETERS {
                gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            }
            allocate(&gl, format.internal, format.layout, format.component, extent);
        }
        let bytes = extent.texels() as u64 * format.bytes as u64;
        let what = format!("a texture of {extent} ({})", format.name);
        context.shared.check_allocation(&what, bytes)?;
        owned.takes(bytes);
        Ok(Raw { owned, extent, format, framebuffer: OnceCell::new() })
    }

    pub(super) fn shared(&self) -> &Shared {
        self.owned.shared()
    }

    fn must_contain(&self, what: &str, place: Rectangle, got: usize) -> Result<(), Error> {
        if !place.fits(self.extent) {
            let (what, extent) = (what.to_owned(), self.extent);
            return Err(Error::Outside { what, rectangle: place, extent });
        }
        let expected = place.texels();
        if got == expected {
            return Ok(());
        }
        Err(Error::Length { what: format!("{what} ({place})"), expected, got })
    }

    /// From a slice, or from a buffer where one is named; either holds the rectangle.
    fn upload(
        &self,
        place: Rectangle,
        from: glow::PixelUnpackData<'_>,
        buffer: Option<glow::Buffer>,
        bytes: u64,
    ) -> Result<(), Error> {
        if place.texels() == 0 {
            return Ok(());
        }
        let gl = self.shared().enter()?;
        // SAFETY: entered; what is copied holds the rectangle, which lies inside the texture.
        unsafe {
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, buffer);
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.owned.name()));
            gl.tex_sub_image_2d(
                glow::TEXTURE_2D,
                0,
                place.x as i32,
                place.y as i32,
                place.width as i32,
                place.height as i32,
                self.format.layout,
                self.format.component,
                from,
            );
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
        }
        self.shared().check_allocation("an upload", bytes)
    }

    fn fill(&self, value: Wide) -> Result<(), Error> {
        let framebuffer = self.framebuffer()?;
        let gl = self.shared().enter()?;
        // SAFETY: entered; the framebuffer is complete.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            match value {
                Wide::Float(value) => gl.clear_buffer_f32_slice(glow::COLOR, 0, &value),
                Wide::Int(value) => gl.clear_buffer_i32_slice(glow::COLOR, 0, &value),
                Wide::Uint(value) => gl.clear_buffer_u32_slice(glow::COLOR, 0, &value),
            }
        }
        self.shared().check(|| "filling a texture".into())
    }

    fn copy_from(&self, other: &Raw) -> Result<(), Error> {
        let framebuffer = other.framebuffer()?;
        let gl = self.shared().enter()?;
        let (width, height) = (self.extent.width as i32, self.extent.height as i32);
        // SAFETY: entered; the framebuffer is complete, and both textures have this extent.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.owned.name()));
            gl.copy_tex_sub_image_2d(glow::TEXTURE_2D, 0, 0, 0, 0, 0, width, height);
        }
        self.shared().check(|| "copying a texture".into())
    }

    /// Its own framebuffer, made now if it has none.
    pub(super) fn framebuffer(&self) -> Result<glow::Framebuffer, Error> {
        if let Some(owned) = self.framebuffer.get() {
            return Ok(owned.name());
        }
        self.must_be_drawable()?;
        let made = framebuffer::single(&self.owned.context(), self.owned.name())?;
        Ok(self.framebuffer.get_or_init(|| made).name())
    }

    pub(super) fn must_be_drawable(&self) -> Result<(), Error> {
        if self.shared().abilities().float_targets || !self.format.is_float() {
            return Ok(());
        }
        Err(Error::Unsupported {
            wish: "computing in 32-bit floats".into(),
            lacks: "float render targets (core in OpenGL 3.3; GL_EXT_color_buffer_float in ES 3.0)"
                .into(),
            device: self.shared().device_name(),
            way_out:
                "choose another device (`quadrille doctor` lists them); Mesa's llvmpipe has them"
                    .into(),
        })
    }
}

const PARAMETERS: [(u32, u32); 5] = [
    (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
    (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
    (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
    (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
    // The default asks for mipmaps that do not exist, and an incomplete texture reads as zeros.
    (glow::TEXTURE_MAX_LEVEL, 0),
];

/// # Safety
/// The context is current and a texture is bound.
pub(super) unsafe fn allocate(
    gl: &glow::Context,
    internal: u32,
    layout: u32,
    component: u32,
    extent: Extent,
) {
    let (width, height) = (extent.width as i32, extent.height as i32);
    unsafe {
        // ES writes images in compute shaders only where the storage is immutable, which ES 3.0
        // has. Desktop GL has it from 4.2 on and does not ask for it.
        if gl.version().is_embedded {
            gl.tex_storage_2d(glow::TEXTURE_2D, 1, internal, width, height);
            return;
        }
        let nothing = glow::PixelUnpackData::Slice(None);
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            internal as i32,
            width,
            height,
            0,
            layout,
            component,
            nothing,
        );
    }
}

fn must_fit(context: &Context, extent: Extent) -> Result<(), Error> {
    if extent.width == 0 || extent.height == 0 {
        return Err(Error::Empty { what: "a texture".into(), extent });
    }
    let limit = context.abilities().max_texture_size;
    if extent.width <= limit && extent.height <= limit {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "a texture".into(),
        wish: extent.to_string(),
        limit: limit.into(),
        fits: format!("up to {limit} x {limit} texels fit"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Rows of an odd number of bytes, so that alignment would show.
    #[test]
    fn both_routes_bring_the_same_texels_to_the_same_place() {
        let context = Context::headless().unwrap();
        let (extent, place) = (Extent::new(7, 5), Rectangle::new(1, 2, 3, 3));
        let sent: Vec<u8> = (1..=9).collect();
        let mut expected = vec![0_u8; 35];
        for (index, value) in sent.iter().enumerate() {
            expected[(2 + index / 3) * 7 + 1 + index % 3] = *value;
        }
        for route in [Route::Straight, Route::Buffer] {
            let mut texture = context.texture(extent, &[0_u8; 35]).unwrap();
            texture.write_by(route, place, &sent).unwrap();
            assert_eq!(texture.read().unwrap(), expected, "{route:?}");
        }
        assert_eq!(context.objects().unwrap(), super::super::Objects::default());
    }

    #[test]
    fn nothing_is_sent_by_either_route() {
        let context = Context::headless().unwrap();
        let mut texture = context.texture(Extent::new(1, 1), &[2.5_f32]).unwrap();
        for route in [Route::Straight, Route::Buffer] {
            texture.write_by(route, Rectangle::new(0, 0, 0, 0), &[]).unwrap();
        }
        assert_eq!(texture.read().unwrap(), [2.5]);
    }
}
