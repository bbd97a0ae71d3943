//! The capabilities of `glEnable`.

use glow::HasContext;

use super::version::Version;

/// Each capability, its value, and the value for drawing.
pub(super) struct Switches(Vec<(u32, bool, bool)>);

const EVERYWHERE: [u32; 8] = [
    glow::CULL_FACE,
    glow::DEPTH_TEST,
    glow::DITHER,
    glow::RASTERIZER_DISCARD,
    glow::SAMPLE_ALPHA_TO_COVERAGE,
    glow::SAMPLE_COVERAGE,
    glow::SCISSOR_TEST,
    glow::STENCIL_TEST,
];

const DESKTOP: [u32; 6] = [
    glow::COLOR_LOGIC_OP,
    glow::FRAMEBUFFER_SRGB,
    glow::LINE_SMOOTH,
    glow::POLYGON_SMOOTH,
    glow::PRIMITIVE_RESTART,
    glow::SAMPLE_ALPHA_TO_ONE,
];

impl Switches {
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn save(gl: &glow::Context, version: Version) -> Switches {
        let mut off = EVERYWHERE.to_vec();
        let mut on = Vec::new();
        if version.has((4, 3), (3, 0)) {
            off.push(glow::PRIMITIVE_RESTART_FIXED_INDEX);
        }
        if version.has((3, 2), (3, 1)) {
            off.push(glow::SAMPLE_MASK);
        }
        if !version.embedded {
            off.extend(DESKTOP);
            // SAFETY: current.
            let most = unsafe { gl.get_parameter_i32(glow::MAX_CLIP_DISTANCES) };
            off.extend((0..most.max(0) as u32).map(|index| glow::CLIP_DISTANCE0 + index));
            // As in ES, vertex shaders set the size of points.
            on.push(glow::PROGRAM_POINT_SIZE);
        }
        let all = off.into_iter().map(|name| (name, false));
        let all = all.chain(on.into_iter().map(|name| (name, true)));
        // SAFETY: current; every name is one of this version.
        Switches(all.map(|(name, ours)| (name, unsafe { gl.is_enabled(name) }, ours)).collect())
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn clear(&self, gl: &glow::Context) {
        for (name, _, ours) in &self.0 {
            unsafe { turn(gl, *name, *ours) };
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn restore(&self, gl: &glow::Context) {
        for (name, was, _) in &self.0 {
            unsafe { turn(gl, *name, *was) };
        }
    }
}

/// # Safety
/// The context is current.
unsafe fn turn(gl: &glow::Context, name: u32, on: bool) {
    unsafe {
        match on {
            true => gl.enable(name),
            false => gl.disable(name),
        }
    }
}
