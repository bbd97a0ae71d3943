//! Sequences of calls that several files need, on a context that is current.

use std::ptr::NonNull;

use glow::HasContext;

use crate::Extent;

use super::Format;

/// # Safety
/// The context is current, a framebuffer is bound and the textures are alive.
pub(super) unsafe fn attach_all(gl: &glow::Context, textures: &[glow::Texture]) {
    let points: Vec<u32> =
        (0..textures.len() as u32).map(|slot| glow::COLOR_ATTACHMENT0 + slot).collect();
    unsafe {
        for (point, texture) in points.iter().zip(textures) {
            let texture = Some(*texture);
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, *point, glow::TEXTURE_2D, texture, 0);
        }
        gl.draw_buffers(&points);
    }
}

/// Allocates a texture, or a texture array of this many layers.
///
/// # Safety
/// The context is current and a texture of the kind is bound.
pub(super) unsafe fn allocate(
    gl: &glow::Context,
    Format { internal, layout, component, .. }: Format,
    extent: Extent,
    layers: Option<u32>,
    levels: u32,
) {
    let (flat, array) = (glow::TEXTURE_2D, glow::TEXTURE_2D_ARRAY);
    let layers = layers.map(|layers| layers as i32);
    unsafe {
        // ES writes images in compute shaders only where the storage is immutable, which ES 3.0
        // has. Desktop GL has it from 4.2 on and does not require it.
        if gl.version().is_embedded {
            let (levels, width, height) =
                (levels as i32, extent.width as i32, extent.height as i32);
            return match layers {
                None => gl.tex_storage_2d(flat, levels, internal, width, height),
                Some(layers) => gl.tex_storage_3d(array, levels, internal, width, height, layers),
            };
        }
        for level in 0..levels {
            let Extent { width, height } = extent.level(level);
            let (at, kind, wide, high) =
                (level as i32, internal as i32, width as i32, height as i32);
            let none = glow::PixelUnpackData::Slice(None);
            match layers {
                None => {
                    gl.tex_image_2d(flat, at, kind, wide, high, 0, layout, component, none);
                }
                Some(deep) => {
                    gl.tex_image_3d(array, at, kind, wide, high, deep, 0, layout, component, none);
                }
            }
        }
    }
}

/// Memory of the host that both sides read and write; each sees what the other wrote without
/// further calls.
const SHARED: u32 =
    glow::MAP_READ_BIT | glow::MAP_WRITE_BIT | glow::MAP_PERSISTENT_BIT | glow::MAP_COHERENT_BIT;

/// A multiple of the alignment of every texel; GL promises 64.
const ALIGNMENT: usize = 16;

/// Allocates a buffer and maps it for as long as it lives.
///
/// # Safety
/// The context is current and has buffer storage, the buffer is new, and the length is positive.
pub(super) unsafe fn allocate_mapped(
    gl: &glow::Context,
    buffer: glow::Buffer,
    length: i32,
) -> Option<NonNull<u8>> {
    let target = glow::COPY_WRITE_BUFFER;
    unsafe {
        gl.bind_buffer(target, Some(buffer));
        gl.buffer_storage(target, length, None, SHARED | glow::CLIENT_STORAGE_BIT);
        let address = gl.map_buffer_range(target, 0, length, SHARED);
        gl.bind_buffer(target, None);
        NonNull::new(address).filter(|address| address.addr().get() % ALIGNMENT == 0)
    }
}

/// Returns whether a buffer can stay mapped, found by mapping one: some drivers list what fails.
/// The context is current.
pub(super) fn can_stay_mapped(gl: &glow::Context) -> bool {
    // SAFETY: the builder made the context current; the buffer is deleted once, which ends its
    // mapping.
    unsafe {
        let Ok(buffer) = gl.create_buffer() else { return false };
        let address = allocate_mapped(gl, buffer, 64);
        gl.delete_buffer(buffer);
        clear_errors(gl) && address.is_some()
    }
}

/// Clears the error flags, of which there may be several; whether none was set.
///
/// # Safety
/// The context is current.
pub(super) unsafe fn clear_errors(gl: &glow::Context) -> bool {
    // A lost context raises errors forever.
    const MOST: usize = 16;
    let next = |_: &usize| unsafe { gl.get_error() } != glow::NO_ERROR;
    (0..MOST).take_while(next).count() == 0
}
