//! Sets how a shader's `texture()` samples a texture.

use glow::HasContext;

use super::raw::Raw;
use super::sampling::{Filter, Sampling, Wrap};
use crate::gl::{AnyTexture, Class, Result};

/// Requests how the next pass samples a texture.
///
/// # Errors
/// Those of the device, and where it cannot filter the format.
pub fn sample(texture: &dyn AnyTexture, sampling: Sampling) -> Result<()> {
    texture.raw().set_filter(sampling.filter)?;
    texture.raw().set_wrap(sampling.wrap);
    Ok(())
}

impl Raw {
    /// Requests a filter; the next pass that samples sets it.
    pub(super) fn set_filter(&self, filter: Filter) -> Result<()> {
        if filter != Filter::Nearest {
            self.must_be_filterable()?;
        }
        self.wanted.set(Sampling { filter, ..self.wanted.get() });
        Ok(())
    }

    /// Requests a wrap mode; the next pass that samples sets it.
    pub(super) fn set_wrap(&self, wrap: Wrap) {
        self.wanted.set(Sampling { wrap, ..self.wanted.get() });
    }

    /// Binds the texture to the active unit, or its levels if it has them and they are read, with
    /// this sampling.
    ///
    /// # Safety
    /// The context is current.
    pub(crate) unsafe fn bind(&self, gl: &glow::Context, sampling: Sampling, reads_levels: bool) {
        let levels = self.levels.get().filter(|_| reads_levels);
        let (name, applied) = match levels {
            Some(levels) => (levels.owned.name(), &levels.applied),
            None => (self.owned.name(), &self.applied),
        };
        unsafe { gl.bind_texture(self.target(), Some(name)) };
        if applied.replace(sampling) == sampling {
            return;
        }
        let filter = match sampling.filter {
            Filter::Nearest => glow::NEAREST,
            Filter::Linear | Filter::Mipmap => glow::LINEAR,
        };
        let smaller = match (levels.filter(|_| self.extent.levels() > 1), sampling.filter) {
            (None, _) => filter,
            (Some(_), Filter::Nearest) => glow::NEAREST_MIPMAP_NEAREST,
            (Some(_), Filter::Linear | Filter::Mipmap) => glow::LINEAR_MIPMAP_LINEAR,
        };
        let wrap = match sampling.wrap {
            Wrap::Clamp => glow::CLAMP_TO_EDGE,
            Wrap::Repeat => glow::REPEAT,
            Wrap::Mirror => glow::MIRRORED_REPEAT,
        };
        for (name, value) in [
            (glow::TEXTURE_MIN_FILTER, smaller),
            (glow::TEXTURE_MAG_FILTER, filter),
            (glow::TEXTURE_WRAP_S, wrap),
            (glow::TEXTURE_WRAP_T, wrap),
        ] {
            unsafe { gl.tex_parameter_i32(self.target(), name, value as i32) };
        }
    }

    fn must_be_filterable(&self) -> Result<()> {
        let lacks = match self.format.class {
            Class::Float if !self.format.is_float() => return Ok(()),
            Class::Float if self.shared().abilities().float_filtering => return Ok(()),
            Class::Float => "filtering of 32-bit floats (GL_OES_texture_float_linear)",
            _ => "filtering of integers, which no OpenGL has",
        };
        let remedy = match self.format.class {
            Class::Float => {
                "hold it in half precision, which every device filters, or read the four texels and \
                 interpolate in the shader"
            }
            _ => "read the four texels and interpolate in the shader",
        };
        let request = format!("filtering a texture of {}", self.format.name);
        Err(self.shared().abilities().lack(request, lacks, remedy))
    }
}
