//! Blending, for each draw buffer if the version has that.

use glow::HasContext;

use super::version::Version;

/// The blending of each draw buffer.
pub(super) struct Blending {
    /// Whether each draw buffer has its own functions and equations.
    several: bool,
    buffers: Vec<One>,
}

struct One {
    on: bool,
    /// The factors in the order of `FUNCTIONS`.
    functions: [u32; 4],
    equations: [u32; 2],
}

const FUNCTIONS: [u32; 4] =
    [glow::BLEND_SRC_RGB, glow::BLEND_DST_RGB, glow::BLEND_SRC_ALPHA, glow::BLEND_DST_ALPHA];
const EQUATIONS: [u32; 2] = [glow::BLEND_EQUATION_RGB, glow::BLEND_EQUATION_ALPHA];

impl Blending {
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn save(gl: &glow::Context, version: Version) -> Blending {
        let several = version.has((4, 0), (3, 2));
        unsafe {
            let count = if several { gl.get_parameter_i32(glow::MAX_DRAW_BUFFERS) } else { 1 };
            let get = |name, index| match several {
                true => gl.get_parameter_indexed_i32(name, index) as u32,
                false => gl.get_parameter_i32(name) as u32,
            };
            let one = |index| One {
                on: get(glow::BLEND, index) != 0,
                functions: FUNCTIONS.map(|name| get(name, index)),
                equations: EQUATIONS.map(|name| get(name, index)),
            };
            Blending { several, buffers: (0..count.max(1) as u32).map(one).collect() }
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn clear(&self, gl: &glow::Context) {
        unsafe {
            gl.disable(glow::BLEND);
            gl.blend_equation(glow::FUNC_ADD);
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn restore(&self, gl: &glow::Context) {
        for (index, one) in self.buffers.iter().enumerate() {
            let [source, target, source_alpha, target_alpha] = one.functions;
            let [rgb, alpha] = one.equations;
            let index = index as u32;
            unsafe {
                if self.several {
                    gl.blend_func_separate_draw_buffer(
                        index,
                        source,
                        target,
                        source_alpha,
                        target_alpha,
                    );
                    gl.blend_equation_separate_draw_buffer(index, rgb, alpha);
                } else {
                    gl.blend_func_separate(source, target, source_alpha, target_alpha);
                    gl.blend_equation_separate(rgb, alpha);
                }
                match (self.several, one.on) {
                    (true, true) => gl.enable_draw_buffer(glow::BLEND, index),
                    (true, false) => gl.disable_draw_buffer(glow::BLEND, index),
                    (false, true) => gl.enable(glow::BLEND),
                    (false, false) => gl.disable(glow::BLEND),
                }
            }
        }
    }
}
