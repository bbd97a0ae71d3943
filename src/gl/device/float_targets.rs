//! Finds out by trying whether floats can be drawn into and blended: extensions and versions are
//! not reliable.

use glow::HasContext;

use crate::Extent;

use crate::gl::calls::{allocate, attach_all, clear_errors};
use crate::gl::{Format, Texel};

/// Returns whether a texture of floats can be drawn into, by trying: the extension's name is not
/// listed where the ability is core.
pub(super) fn can_draw_floats(gl: &glow::Context) -> bool {
    [f32::FORMAT, <[f32; 2]>::FORMAT, <[f32; 4]>::FORMAT].into_iter().all(|format| {
        // Beyond the range and the precision of a byte or a half.
        with_scratch(gl, format, || unsafe {
            gl.clear_buffer_f32_slice(glow::COLOR, 0, &[123456.75; 4]);
            read_one(gl) == Some(123456.75)
        })
    })
}

/// Returns whether blending adds into floats without clamping.
pub(super) fn can_blend_floats(gl: &glow::Context) -> bool {
    // Only a draw blends, and a draw needs a program; this one has
    // four lines.
    with_scratch(gl, f32::FORMAT, || unsafe { blend_once(gl) == Some(3.0) })
}

/// Makes a 1 x 1 texture and its framebuffer for one test, and deletes them.
fn with_scratch(gl: &glow::Context, format: Format, ask: impl FnOnce() -> bool) -> bool {
    // SAFETY: the builder made the context current; both objects are deleted before returning.
    unsafe {
        let (Ok(texture), Ok(framebuffer)) = (gl.create_texture(), gl.create_framebuffer()) else {
            return false;
        };
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, glow::NEAREST as i32);
        allocate(gl, format, Extent::new(1, 1), None, 1);
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        attach_all(gl, &[texture]);
        let complete = gl.check_framebuffer_status(glow::FRAMEBUFFER) == glow::FRAMEBUFFER_COMPLETE;
        let answer = complete && ask();
        gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        gl.delete_framebuffer(framebuffer);
        gl.delete_texture(texture);
        clear_errors(gl) && answer
    }
}

/// # Safety
/// The context is current and a complete framebuffer is bound.
unsafe fn read_one(gl: &glow::Context) -> Option<f32> {
    let mut bytes = [0; 16];
    let pixels = glow::PixelPackData::Slice(Some(&mut bytes));
    unsafe { gl.read_pixels(0, 0, 1, 1, glow::RGBA, glow::FLOAT, pixels) };
    bytes.first_chunk().map(|red| f32::from_ne_bytes(*red))
}

const BLEND_PROBE: [&str; 2] = [
    include_str!("../../../glsl/probe/blend.vert"),
    include_str!("../../../glsl/probe/blend.frag"),
];

/// Draws the value 1.5 twice with additive blending.
///
/// # Safety
/// The context is current and a complete framebuffer is bound.
unsafe fn blend_once(gl: &glow::Context) -> Option<f32> {
    let version =
        if gl.version().is_embedded { "#version 300 es\n" } else { "#version 330 core\n" };
    unsafe {
        let program = gl.create_program().ok()?;
        let array = gl.create_vertex_array().ok()?;
        for (stage, text) in
            [glow::VERTEX_SHADER, glow::FRAGMENT_SHADER].into_iter().zip(BLEND_PROBE)
        {
            let shader = gl.create_shader(stage).ok()?;
            gl.shader_source(shader, &format!("{version}{text}"));
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        gl.use_program(Some(program));
        gl.bind_vertex_array(Some(array));
        gl.viewport(0, 0, 1, 1);
        gl.clear_buffer_f32_slice(glow::COLOR, 0, &[0.0; 4]);
        gl.enable(glow::BLEND);
        gl.blend_func(glow::ONE, glow::ONE);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.disable(glow::BLEND);
        gl.use_program(None);
        gl.delete_program(program);
        gl.delete_vertex_array(array);
        read_one(gl)
    }
}
