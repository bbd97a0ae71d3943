//! What a sample between the centres of texels gives.

use glow::HasContext;

use super::raw_texture::Raw;
use super::{Class, Error};

/// What a sample between the centres of texels gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// The mean of the four texels around, weighted by how near they are.
    Linear,
}

impl Raw {
    pub(super) fn set_filter(&self, filter: Filter) -> Result<(), Error> {
        if filter == Filter::Linear {
            self.must_be_filterable()?;
        }
        let value = match filter {
            Filter::Nearest => glow::NEAREST,
            Filter::Linear => glow::LINEAR,
        };
        let gl = self.shared().enter()?;
        // SAFETY: entered; the texture is alive.
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.owned.name()));
            for name in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            }
        }
        self.shared().check(|| "setting a texture's filter".into())
    }

    fn must_be_filterable(&self) -> Result<(), Error> {
        let lacks = match self.format.class {
            Class::Float if !self.format.is_float() => return Ok(()),
            Class::Float if self.shared().abilities().float_filtering => return Ok(()),
            Class::Float => "filtering of 32-bit floats (GL_OES_texture_float_linear)",
            _ => "filtering of integers, which no OpenGL has",
        };
        Err(Error::Unsupported {
            wish: format!("filtering a texture of {}", self.format.name),
            lacks: lacks.into(),
            device: self.shared().device_name(),
            way_out: "read the four texels, and weigh them in the shader".into(),
        })
    }
}
