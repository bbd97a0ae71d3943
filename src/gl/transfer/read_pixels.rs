//! Reading texels by `glReadPixels`: the formats in which drivers return them, and reading at once.

use glow::HasContext;

use crate::shader::Api;
use crate::{Rectangle, memory};

use crate::gl::texture::raw::Raw;
use crate::gl::texture::texel::Wide;
use crate::gl::{Class, Format, Result, Texel};

/// The format in which the driver returns texels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadFormat {
    /// The texels in their own format.
    Exact,
    /// All four channels in the widest type of their class, which ES promises for every format.
    Wide,
}

/// Chooses the format of a read. Desktop GL converts to any format. ES gives four channels, and one
/// pair of its own choice, which is used when it is the texture's.
///
/// # Safety
/// The context is current and the texture's framebuffer is bound.
unsafe fn chosen_format(gl: &glow::Context, raw: &Raw) -> ReadFormat {
    if raw.format.is_padded() {
        return ReadFormat::Wide;
    }
    if raw.shared().abilities().api == Api::Gl {
        return ReadFormat::Exact;
    }
    let (layout, component) = unsafe {
        (
            gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_FORMAT) as u32,
            gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_TYPE) as u32,
        )
    };
    if (layout, component) == (raw.format.layout, raw.format.component) {
        ReadFormat::Exact
    } else {
        ReadFormat::Wide
    }
}

/// Returns the format in which the driver returns the texels of this texture.
pub(super) fn read_format(raw: &Raw) -> Result<ReadFormat> {
    let framebuffer = raw.framebuffer()?;
    let gl = raw.shared().enter()?;
    // SAFETY: entered; the framebuffer is alive.
    Ok(unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        chosen_format(&gl, raw)
    })
}

pub(super) fn wide_bytes(format: Format) -> usize {
    if format.wide == glow::UNSIGNED_BYTE { 4 } else { 16 }
}

/// # Safety
/// The context is current, the texture's framebuffer is bound, the rectangle is inside it, and
/// the destination holds it.
unsafe fn issue(
    gl: &glow::Context,
    raw: &Raw,
    place: Rectangle,
    format: ReadFormat,
    destination: glow::PixelPackData,
) {
    let (layout, component) = match format {
        ReadFormat::Exact => (raw.format.layout, raw.format.component),
        ReadFormat::Wide => (raw.format.wide_layout(), raw.format.wide),
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

/// Starts to read a rectangle inside the texture to a place in a buffer that has room for it in
/// this format.
pub(crate) fn to_buffer(
    raw: &Raw,
    place: Rectangle,
    format: ReadFormat,
    buffer: glow::Buffer,
    offset: usize,
) -> Result<()> {
    let framebuffer = raw.framebuffer()?;
    let gl = raw.shared().enter()?;
    let to = glow::PixelPackData::BufferOffset(offset as u32);
    // SAFETY: entered; the caller checked the rectangle and the room.
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer));
        issue(&gl, raw, place, format, to);
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
    }
    raw.shared().check(|| "reading a texture".into())
}

/// Reads a rectangle inside the texture into a slice that holds it.
pub(crate) fn read<T: Texel>(raw: &Raw, place: Rectangle, texels: &mut [T]) -> Result<()> {
    if place.texels() == 0 {
        return Ok(());
    }
    let framebuffer = raw.framebuffer()?;
    let gl = raw.shared().enter()?;
    // SAFETY: entered; both destinations hold the rectangle, which the caller checked.
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        match chosen_format(&gl, raw) {
            ReadFormat::Exact => {
                let bytes = bytemuck::cast_slice_mut(texels);
                issue(&gl, raw, place, ReadFormat::Exact, glow::PixelPackData::Slice(Some(bytes)));
            }
            ReadFormat::Wide => {
                let mut wide = memory::zeroed(place.texels() * wide_bytes(raw.format))?;
                issue(
                    &gl,
                    raw,
                    place,
                    ReadFormat::Wide,
                    glow::PixelPackData::Slice(Some(&mut wide)),
                );
                select(&wide, texels);
            }
        }
    }
    raw.shared().check_reset()?;
    raw.shared().check(|| "reading a texture".into())
}

/// Extracts each texel's own channels from the four that were read.
pub(super) fn select<T: Texel>(wide: &[u8], texels: &mut [T]) {
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
