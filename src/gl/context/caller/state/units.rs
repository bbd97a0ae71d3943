//! The texture and the sampler of each texture unit that kernels may use.

use glow::HasContext;

/// Each unit's 2D texture, texture array and sampler, and which unit is active.
pub(super) struct Units {
    active: u32,
    units: Vec<(Option<glow::Texture>, Option<glow::Texture>, Option<glow::Sampler>)>,
}

impl Units {
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn save(gl: &glow::Context) -> Units {
        unsafe {
            let active = gl.get_parameter_i32(glow::ACTIVE_TEXTURE) as u32;
            let units = (0..count(gl)).map(|unit| {
                gl.active_texture(glow::TEXTURE0 + unit);
                (
                    gl.get_parameter_texture(glow::TEXTURE_BINDING_2D),
                    gl.get_parameter_texture(glow::TEXTURE_BINDING_2D_ARRAY),
                    gl.get_parameter_sampler(glow::SAMPLER_BINDING),
                )
            });
            Units { units: units.collect(), active }
        }
    }

    /// A bound sampler would override the sampling of textures.
    ///
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn clear(&self, gl: &glow::Context) {
        for unit in 0..self.units.len() as u32 {
            unsafe { gl.bind_sampler(unit, None) };
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn restore(&self, gl: &glow::Context) {
        for (unit, (texture, array, sampler)) in self.units.iter().enumerate() {
            unsafe {
                gl.active_texture(glow::TEXTURE0 + unit as u32);
                gl.bind_texture(glow::TEXTURE_2D, *texture);
                gl.bind_texture(glow::TEXTURE_2D_ARRAY, *array);
                gl.bind_sampler(unit as u32, *sampler);
            }
        }
        unsafe { gl.active_texture(self.active) };
    }
}

/// Returns the number of units that a vertex and a fragment shader, or a compute shader, use
/// together: programs count them from 0.
///
/// # Safety
/// The context is current.
unsafe fn count(gl: &glow::Context) -> u32 {
    let get = |name| u32::try_from(unsafe { gl.get_parameter_i32(name) }).unwrap_or(0);
    let drawn = get(glow::MAX_TEXTURE_IMAGE_UNITS) + get(glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS);
    drawn.min(get(glow::MAX_COMBINED_TEXTURE_IMAGE_UNITS))
}
