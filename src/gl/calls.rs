//! Sequences of calls that several files need, on a context that is current.

use glow::HasContext;

use crate::Extent;

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
        // has. Desktop GL has it from 4.2 on and does not require it.
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
