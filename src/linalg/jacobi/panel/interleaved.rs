//! The system of the packed layout: one texture with nine texels of bands and one of the right-hand
//! side for each texel of x. They are side by side, so that a step reads one stretch of memory
//! instead of ten, or in ten panels, so that neighbouring invocations read neighbouring texels.

use bytemuck::cast_slice;

use crate::data::pack::{abreast, interleave};
use crate::gl::{AnyTexture, Context, Texture};
use crate::shader::{Source, Stage};
use crate::stream::Kernel;
use crate::{Extent, memory};

use crate::linalg::jacobi::Result;

/// Texels of the system for each texel of x: nine bands and the right-hand side.
pub(super) const INTERLEAVED_BANDS: usize = 10;

/// Bands and right-hand side in one texture.
pub(crate) struct Interleaved {
    texture: Texture<[f32; 4]>,
    extent: Extent,
    /// Writes the right-hand side between the bands.
    put: Kernel,
}

/// Returns the shader that writes the right-hand side between the bands.
pub(crate) fn source(panels: bool) -> Result<Source> {
    let source = Source::library(Stage::Fragment, "jacobi/rhs.frag")?;
    Ok(if panels { source.define("PANELS", 1) } else { source })
}

impl Interleaved {
    /// Uploads nine bands in the layout of x, whose extent this is.
    pub(crate) fn new(
        context: &Context,
        extent: Extent,
        bands: &[Vec<f32>],
        panels: bool,
    ) -> Result<Interleaved> {
        let room = memory::zeroed::<f32>(extent.texels() * 4)?;
        let mut parts: Vec<&[[f32; 4]]> = bands.iter().map(|band| cast_slice(band)).collect();
        parts.push(cast_slice(&room));
        let wide = Extent::new(extent.width * INTERLEAVED_BANDS as u32, extent.height);
        let texels = match panels {
            true => abreast(&parts, extent.width as usize)?,
            false => interleave(&parts)?,
        };
        let texture = context.texture(wide, &texels)?;
        Ok(Interleaved { texture, extent, put: context.kernel(source(panels)?)? })
    }

    /// Uploads a right-hand side in the layout of x.
    pub(crate) fn set_rhs(&mut self, rhs: &[f32]) -> Result<()> {
        let rhs = self.put.context().texture::<[f32; 4]>(self.extent, cast_slice(rhs))?;
        Ok(self.put.pass().input("rhs", &rhs).draw(&mut self.texture)?)
    }

    pub(super) fn texture(&self) -> &dyn AnyTexture {
        &self.texture
    }
}
