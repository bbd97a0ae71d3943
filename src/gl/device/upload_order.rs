//! Finds out by trying whether an upload waits for the commands before it: on zink of Mesa 25.0 it
//! may overtake them.
//!
//! Mesa collects commands for a second thread (`u_threaded_context.c`), and uploads more than 320
//! bytes at once if no command that is still to be executed uses the texture. What it looks at says
//! the contrary of the truth for a while: `tc_resource_batch_usage_test_busy` of 25.0.7 returns
//! `last_completed >= last_batch_usage` where it should return `<`. A draw into the texture, or a
//! read of it, that was asked for before the upload then comes after it. Only zink uploads so, on
//! every Vulkan device with `VK_EXT_host_image_copy`; Mesa 26.2.6 does it rightly.

use glow::HasContext;

use crate::Extent;
use crate::gl::Texel;
use crate::gl::calls::{allocate, attach_all, clear_errors};

/// 1 KiB of texels: an upload of up to 320 bytes always waits.
const SIDE: u32 = 8;
/// A single attempt shows it in 99 of 100 contexts, two in all of 50.
const ATTEMPTS: usize = 8;

/// Returns whether a texture that was cleared and uploaded then holds what was uploaded.
pub(super) fn uploads_wait(gl: &glow::Context) -> bool {
    // SAFETY: the builder made the context current; all objects are deleted before returning.
    unsafe {
        let Some(targets) = Targets::make(gl) else { return false };
        let right = (0..ATTEMPTS).all(|_| targets.hold_what_is_uploaded(gl));
        targets.delete(gl);
        clear_errors(gl) && right
    }
}

/// Two textures with a framebuffer each: what is still bound is not overtaken.
struct Targets([(glow::Texture, glow::Framebuffer); 2]);

impl Targets {
    /// # Safety
    /// The context is current.
    unsafe fn make(gl: &glow::Context) -> Option<Targets> {
        let extent = Extent::new(SIDE, SIDE);
        let target = || unsafe {
            let (texture, framebuffer) = (gl.create_texture().ok()?, gl.create_framebuffer().ok()?);
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            allocate(gl, <[f32; 4]>::FORMAT, extent, None, 1);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            attach_all(gl, &[texture]);
            Some((texture, framebuffer))
        };
        Some(Targets([target()?, target()?]))
    }

    /// # Safety
    /// The context is current.
    unsafe fn hold_what_is_uploaded(&self, gl: &glow::Context) -> bool {
        const BYTES: usize = (SIDE * SIDE) as usize * 16;
        let (sent, mut got) = (1.0_f32.to_ne_bytes().repeat(BYTES / 4), [0; BYTES]);
        let [(texture, framebuffer), _] = self.0;
        let side = SIDE as i32;
        unsafe {
            // Some commands are executed, and those that follow are not yet.
            gl.finish();
            gl.flush();
            for (_, framebuffer) in self.0 {
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
                gl.clear_buffer_f32_slice(glow::COLOR, 0, &[0.0; 4]);
            }
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            let from = glow::PixelUnpackData::Slice(Some(&sent));
            let (layout, component) = (glow::RGBA, glow::FLOAT);
            gl.tex_sub_image_2d(glow::TEXTURE_2D, 0, 0, 0, side, side, layout, component, from);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let to = glow::PixelPackData::Slice(Some(&mut got));
            gl.read_pixels(0, 0, side, side, layout, component, to);
        }
        got[..] == sent[..]
    }

    /// # Safety
    /// The context is current.
    unsafe fn delete(self, gl: &glow::Context) {
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            for (texture, framebuffer) in self.0 {
                gl.delete_framebuffer(framebuffer);
                gl.delete_texture(texture);
            }
        }
    }
}
