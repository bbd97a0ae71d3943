//! The system on the device: bands and right-hand side as textures, named as the shaders name them.

use bytemuck::cast_slice;

use crate::Extent;
use crate::data::{Band, NineBanded};
use crate::gl::{AnyTexture, Context, Error as GlError, Texture};
use crate::pack::{Rows, interleave};

use super::{Chosen, Layout, Stage};

/// The textures that do not change while iterating.
pub(super) struct Bands {
    textures: Vec<(&'static str, Box<dyn AnyTexture>)>,
    side: Side,
}

/// The right-hand side.
enum Side {
    /// One channel.
    One(Texture<f32>),
    /// Four channels: systems or lanes.
    Four(Texture<[f32; 4]>),
    /// It shares a texture with the last band, which must be sent again with it.
    Beside { texture: Texture<[f32; 2]>, uu: Vec<f32> },
}

/// How RED packs bands into channels; `UU` shares a third texture with the right-hand side.
const RED_A: [Band; 4] = [Band::LL, Band::LD, Band::LU, Band::DL];
const RED_B: [Band; 4] = [Band::DD, Band::DU, Band::UL, Band::UD];

/// How many bands there are, and texels of bands that PACKED puts side by side for one of x: a
/// step then reads one stretch of memory instead of nine.
pub(super) const BANDS: usize = 9;

/// The order of the bands, and the names of their textures where each has its own.
const SINGLE: [(&str, Band); BANDS] = [
    ("ll", Band::LL),
    ("ld", Band::LD),
    ("lu", Band::LU),
    ("dl", Band::DL),
    ("dd", Band::DD),
    ("du", Band::DU),
    ("ul", Band::UL),
    ("ud", Band::UD),
    ("uu", Band::UU),
];

impl Bands {
    pub(super) fn new(
        context: &Context,
        systems: &[&NineBanded],
        chosen: Chosen,
        rows: Rows,
        extent: Extent,
    ) -> Result<Bands, GlError> {
        let lay = |system: &NineBanded, band| lay(system, band, chosen.stage, rows);
        let mut textures: Vec<(&'static str, Box<dyn AnyTexture>)> = Vec::new();
        if let (Layout::Red, [system, ..]) = (chosen.layout, systems) {
            for (name, four) in [("bands_a", RED_A), ("bands_b", RED_B)] {
                let laid = four.map(|band| lay(system, band));
                let texels = interleave(&[&laid[0], &laid[1], &laid[2], &laid[3]]);
                let texture = context.texture::<[f32; 4]>(extent, cast_slice(&texels))?;
                textures.push((name, Box::new(texture)));
            }
            let side = Side::Beside { texture: context.empty(extent)?, uu: lay(system, Band::UU) };
            return Ok(Bands { textures, side });
        }
        if let (Layout::Packed, [system, ..]) = (chosen.layout, systems) {
            let laid = SINGLE.map(|(_, band)| lay(system, band));
            let bands: Vec<&[[f32; 4]]> = laid.iter().map(|band| cast_slice(band)).collect();
            let wide = Extent::new(extent.width * BANDS as u32, extent.height);
            let texture = context.texture::<[f32; 4]>(wide, &interleave(&bands))?;
            textures.push(("bands", Box::new(texture)));
            return Ok(Bands { textures, side: Side::Four(context.empty(extent)?) });
        }
        for (name, band) in SINGLE {
            let laid: Vec<Vec<f32>> = systems.iter().map(|system| lay(system, band)).collect();
            textures.push((name, channels(context, chosen.layout, extent, &laid)?));
        }
        let side = match chosen.layout {
            Layout::Red | Layout::Separate => Side::One(context.empty(extent)?),
            Layout::Rgba | Layout::Packed => Side::Four(context.empty(extent)?),
        };
        Ok(Bands { textures, side })
    }

    /// Sends a right-hand side for each system.
    pub(super) fn set_side(&mut self, rows: Rows, sides: &[&[f32]]) -> Result<(), GlError> {
        let laid: Vec<Vec<f32>> = sides.iter().map(|side| rows.pack(side, 0.0)).collect();
        let slices: Vec<&[f32]> = laid.iter().map(Vec::as_slice).collect();
        match &mut self.side {
            Side::One(texture) => texture.write(slices.first().copied().unwrap_or_default()),
            Side::Four(texture) => match slices.as_slice() {
                [one] => texture.write(cast_slice(one)),
                several => texture.write(cast_slice(&interleave(several))),
            },
            Side::Beside { texture, uu } => {
                let mut both = vec![uu.as_slice()];
                both.extend(slices);
                texture.write(cast_slice(&interleave(&both)))
            }
        }
    }

    /// Every texture and the name that shaders know it by.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (&'static str, &dyn AnyTexture)> {
        let side: (&str, &dyn AnyTexture) = match &self.side {
            Side::One(texture) => ("b", texture),
            Side::Four(texture) => ("b", texture),
            Side::Beside { texture, .. } => ("bands_c", texture),
        };
        self.textures.iter().map(|(name, texture)| (*name, texture.as_ref())).chain([side])
    }
}

/// A band laid out in rows. Padding has 1 on the diagonal: with 0 its texels would become infinite
/// and spread, since 0 times infinity is NaN.
fn lay(system: &NineBanded, band: Band, stage: Stage, rows: Rows) -> Vec<f32> {
    let numbers = system.band(band);
    if band != Band::DD {
        return rows.pack(numbers, 0.0);
    }
    if stage == Stage::Generic {
        return rows.pack(numbers, 1.0);
    }
    let reciprocals: Vec<f32> = numbers.iter().map(|d| 1.0 / d).collect();
    rows.pack(&reciprocals, 1.0)
}

fn channels(
    context: &Context,
    layout: Layout,
    extent: Extent,
    laid: &[Vec<f32>],
) -> Result<Box<dyn AnyTexture>, GlError> {
    let first = laid.first().map(Vec::as_slice).unwrap_or_default();
    Ok(match layout {
        Layout::Red | Layout::Separate => Box::new(context.texture::<f32>(extent, first)?),
        Layout::Rgba | Layout::Packed => {
            let slices: Vec<&[f32]> = laid.iter().map(Vec::as_slice).collect();
            Box::new(context.texture::<[f32; 4]>(extent, cast_slice(&interleave(&slices)))?)
        }
    })
}
