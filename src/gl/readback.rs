//! Reading texels back, at once or later through a pixel buffer and a fence.

use std::marker::PhantomData;
use std::time::Duration;

use glow::HasContext;

use crate::Rectangle;
use crate::memory;
use crate::shader::Api;

use super::mapping::{copy_out, to_i32};
use super::owned::Owned;
use super::raw_texture::Raw;
use super::sync::Fence;
use super::texel::Wide;
use super::{Class, Error, Format, Texel};

/// The form in which the driver returns texels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// As they are.
    Exact,
    /// All four channels in the widest type of their class, which ES promises for every format.
    Wide,
}

/// Desktop GL converts to any format. ES gives four channels, and one pair of its own choice,
/// which is used when it is the texture's.
///
/// # Safety
/// The context is current and the texture's framebuffer is bound.
unsafe fn form(gl: &glow::Context, raw: &Raw) -> Form {
    if raw.format.channels == 3 {
        return Form::Wide;
    }
    if raw.shared().abilities().api == Api::Gl {
        return Form::Exact;
    }
    let (layout, component) = unsafe {
        (
            gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_FORMAT) as u32,
            gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_TYPE) as u32,
        )
    };
    if (layout, component) == (raw.format.layout, raw.format.component) {
        Form::Exact
    } else {
        Form::Wide
    }
}

fn wide_bytes(format: Format) -> usize {
    if format.wide == glow::UNSIGNED_BYTE { 4 } else { 16 }
}

/// # Safety
/// The context is current, the texture's framebuffer is bound, the rectangle is inside it, and
/// the destination holds it.
unsafe fn issue(
    gl: &glow::Context,
    raw: &Raw,
    place: Rectangle,
    form: Form,
    destination: glow::PixelPackData,
) {
    let (layout, component) = match form {
        Form::Exact => (raw.format.layout, raw.format.component),
        Form::Wide => (raw.format.wide_layout(), raw.format.wide),
    };
    let (x, y, width, height) = (place.x, place.y, place.width, place.height);
    unsafe {
        gl.read_pixels(
            x as i32,
            y as i32,
            width as i32,
            height as i32,
            layout,
            component,
            destination,
        );
    }
}

/// Reads a rectangle inside the texture into a slice that holds it.
pub(super) fn read<T: Texel>(raw: &Raw, place: Rectangle, texels: &mut [T]) -> Result<(), Error> {
    if place.texels() == 0 {
        return Ok(());
    }
    let framebuffer = raw.framebuffer()?;
    let gl = raw.shared().enter()?;
    // SAFETY: entered; both destinations hold the rectangle, which the caller checked.
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        match form(&gl, raw) {
            Form::Exact => {
                let bytes = bytemuck::cast_slice_mut(texels);
                issue(&gl, raw, place, Form::Exact, glow::PixelPackData::Slice(Some(bytes)));
            }
            Form::Wide => {
                let mut wide = memory::zeroed(place.texels() * wide_bytes(raw.format))?;
                issue(&gl, raw, place, Form::Wide, glow::PixelPackData::Slice(Some(&mut wide)));
                select(&wide, texels);
            }
        }
    }
    raw.shared().check_reset()?;
    raw.shared().check(|| "reading a texture".into())
}

/// Extracts each texel's own channels from the four that were read.
fn select<T: Texel>(wide: &[u8], texels: &mut [T]) {
    for (texel, bytes) in texels.iter_mut().zip(wide.chunks_exact(wide_bytes(T::FORMAT))) {
        *texel = T::from_wide(widen(T::FORMAT, bytes));
    }
}

fn widen(format: Format, bytes: &[u8]) -> Wide {
    if format.wide == glow::UNSIGNED_BYTE {
        let channel = |i: usize| bytes.get(i).map_or(0.0, |byte| f32::from(*byte) / 255.0);
        return Wide::Float([0, 1, 2, 3].map(channel));
    }
    match format.class {
        Class::Float => Wide::Float(bytemuck::pod_read_unaligned(bytes)),
        Class::Int => Wide::Int(bytemuck::pod_read_unaligned(bytes)),
        Class::Uint => Wide::Uint(bytemuck::pod_read_unaligned(bytes)),
    }
}

/// A readback in progress. Dropping it early loses only the numbers.
pub struct Readback<T: Texel> {
    buffer: Owned<glow::Buffer>,
    fence: Fence,
    form: Form,
    bytes: usize,
    texel: PhantomData<T>,
}

impl<T: Texel> Readback<T> {
    pub(super) fn start(raw: &Raw, place: Rectangle) -> Result<Self, Error> {
        let context = raw.owned.context();
        let framebuffer = raw.framebuffer()?;
        // SAFETY: `make` enters the context.
        let buffer = Owned::make(&context, |gl| unsafe { gl.create_buffer() })?;
        let gl = context.shared.enter()?;
        // SAFETY: entered; the framebuffer is alive.
        let form = unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            form(&gl, raw)
        };
        let size = if form == Form::Exact { raw.format.bytes } else { wide_bytes(raw.format) };
        let bytes = place.texels() * size;
        // Before the buffer is bound, which redirects all reads.
        let length = to_i32(bytes)?;
        // SAFETY: entered; the buffer is made large enough for the rectangle.
        unsafe {
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer.name()));
            gl.buffer_data_size(glow::PIXEL_PACK_BUFFER, length, glow::STREAM_READ);
            issue(&gl, raw, place, form, glow::PixelPackData::BufferOffset(0));
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        }
        context.shared.check_allocation("a pixel buffer", bytes as u64)?;
        buffer.takes(bytes as u64);
        let fence = Fence::new(&context)?;
        context.flush()?;
        Ok(Readback { buffer, fence, form, bytes, texel: PhantomData })
    }

    /// Whether the texels have arrived.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its scope.
    pub fn is_ready(&self) -> Result<bool, Error> {
        self.fence.is_signaled()
    }

    /// Waits for the texels, at most this long; returns whether they have arrived.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its scope.
    pub fn wait(&self, limit: Duration) -> Result<bool, Error> {
        self.fence.wait(limit)
    }

    /// Waits for the texels and returns them, row by row.
    ///
    /// # Errors
    /// [`Error::HostMemory`], and as [`wait`](Readback::wait).
    pub fn read(self) -> Result<Vec<T>, Error> {
        let mut texels = memory::zeroed(self.texels())?;
        self.read_into(&mut texels)?;
        Ok(texels)
    }

    /// The same, into a slice of their number.
    ///
    /// # Errors
    /// [`Error::Length`] if the slice is shorter or longer, and as [`wait`](Readback::wait).
    pub fn read_into(self, texels: &mut [T]) -> Result<(), Error> {
        let (expected, got) = (self.texels(), texels.len());
        if got != expected {
            return Err(Error::Length { what: "reading a texture".into(), expected, got });
        }
        while !self.fence.wait(Duration::from_secs(1))? {}
        let context = self.buffer.context();
        let copy = |bytes: &mut [u8]| {
            copy_out(&context, self.buffer.name(), glow::PIXEL_PACK_BUFFER, bytes)
        };
        if self.form == Form::Exact {
            return copy(bytemuck::cast_slice_mut(texels));
        }
        let mut wide = memory::zeroed(self.bytes)?;
        copy(&mut wide)?;
        select(&wide, texels);
        Ok(())
    }

    fn texels(&self) -> usize {
        let each = if self.form == Form::Exact { size_of::<T>() } else { wide_bytes(T::FORMAT) };
        self.bytes / each
    }
}
