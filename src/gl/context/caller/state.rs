//! A caller's state: saved, set for drawing, and restored. `Context::within` lists it.

mod bindings;
mod blending;
mod names;
mod pixels;
mod switches;
mod units;
mod version;

use glow::HasContext;

use crate::gl::{Error, Result};

use bindings::Bindings;
pub(in crate::gl) use bindings::Range;
use blending::Blending;
use pixels::Pixels;
use switches::Switches;
use units::Units;
use version::Version;

/// All the state that a scope restores.
pub(super) struct State {
    bindings: Bindings,
    blending: Blending,
    pixels: Pixels,
    switches: Switches,
    units: Units,
    viewport: [i32; 4],
    colours: [bool; 4],
    line_width: f32,
    /// Desktop OpenGL's alone.
    polygon_mode: Option<u32>,
}

impl State {
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn save(gl: &glow::Context) -> Result<State> {
        let version = Version::of(gl);
        let mut viewport = [0; 4];
        unsafe {
            must_be_left(gl, version)?;
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
            Ok(State {
                bindings: Bindings::save(gl, version)?,
                blending: Blending::save(gl, version),
                pixels: Pixels::save(gl, version),
                switches: Switches::save(gl, version),
                units: Units::save(gl),
                viewport,
                colours: gl.get_parameter_bool_array(glow::COLOR_WRITEMASK),
                line_width: gl.get_parameter_f32(glow::LINE_WIDTH),
                polygon_mode: (!version.embedded).then(|| polygon_mode(gl)),
            })
        }
    }

    /// Sets the state that draws depend on and do not set themselves.
    ///
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn clear(&self, gl: &glow::Context) {
        unsafe {
            self.bindings.clear(gl);
            self.blending.clear(gl);
            self.pixels.clear(gl);
            self.switches.clear(gl);
            self.units.clear(gl);
            gl.color_mask(true, true, true, true);
            gl.line_width(1.0);
            if self.polygon_mode.is_some() {
                gl.polygon_mode(glow::FRONT_AND_BACK, glow::FILL);
            }
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn restore(&self, gl: &glow::Context) {
        let [x, y, width, height] = self.viewport;
        let [red, green, blue, alpha] = self.colours;
        unsafe {
            self.bindings.restore(gl);
            self.blending.restore(gl);
            self.pixels.restore(gl);
            self.switches.restore(gl);
            self.units.restore(gl);
            gl.viewport(x, y, width, height);
            gl.color_mask(red, green, blue, alpha);
            gl.line_width(self.line_width);
            if let Some(mode) = self.polygon_mode {
                gl.polygon_mode(glow::FRONT_AND_BACK, mode);
            }
        }
    }

    /// Returns the framebuffer that the caller drew into.
    pub(crate) fn screen(&self) -> Option<glow::Framebuffer> {
        self.bindings.screen
    }
}

/// # Safety
/// The context is current and desktop OpenGL's.
unsafe fn polygon_mode(gl: &glow::Context) -> u32 {
    // Old drivers give one for each face.
    let mut modes = [0; 2];
    unsafe { gl.get_parameter_i32_slice(glow::POLYGON_MODE, &mut modes) };
    modes[0] as u32
}

/// Refuses state that glow has no call to change.
///
/// # Safety
/// The context is current.
unsafe fn must_be_left(gl: &glow::Context, version: Version) -> Result<()> {
    let get = |name| unsafe { gl.get_parameter_i32(name) };
    let desktop = |number| !version.embedded && version.number >= number;
    let refuse = |found: &str, remedy: &str| {
        Err(Error::CallersContext { found: found.into(), remedy: remedy.into() })
    };
    if desktop((4, 5)) && get(glow::CLIP_ORIGIN) as u32 != glow::LOWER_LEFT {
        return refuse(
            "glClipControl turned it upside down",
            "set GL_LOWER_LEFT before the scope and your own after it",
        );
    }
    if desktop((3, 0)) && get(glow::CLAMP_READ_COLOR) as u32 == glow::TRUE as u32 {
        return refuse(
            "glClampColor clamps what is read to 0..1",
            "set GL_FIXED_ONLY before the scope and your own after it",
        );
    }
    let paused = version.has((4, 0), (3, 0)) && get(glow::TRANSFORM_FEEDBACK_PAUSED) != 0;
    if version.has((4, 0), (3, 0)) && get(glow::TRANSFORM_FEEDBACK_ACTIVE) != 0 && !paused {
        return refuse("a transform feedback is under way", "end it or pause it before the scope");
    }
    Ok(())
}
