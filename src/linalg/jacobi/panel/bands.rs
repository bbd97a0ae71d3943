//! The system on the device: bands and right-hand side as textures, by their names in the shaders.

use bytemuck::cast_slice;

use crate::data::pack::interleave;
use crate::data::{Band, NineBanded};
use crate::gl::{AnyTexture, Context, Texture};
use crate::grid::GridShape;
use crate::memory::NoMemory;
use crate::{Extent, Rectangle};

use super::interleaved::Interleaved;
use crate::linalg::jacobi::{Layout, Optimization, ResolvedVariant, Result};

/// The texels of the grid that a panel stores.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    pub(crate) grid: GridShape,
    pub(crate) place: Rectangle,
}

impl Stored {
    pub(crate) fn extent(self) -> Extent {
        Extent::new(self.place.width, self.place.height)
    }

    /// Packs the panel's part of the numbers of the whole grid into texels.
    pub(crate) fn pack(self, numbers: &[f32], padding: f32) -> Result<Vec<f32>, NoMemory> {
        self.grid.pack(numbers, self.place, padding)
    }

    /// Packs the numbers of several systems, one in each channel of a texel.
    pub(crate) fn pack_all(self, systems: &[&[f32]]) -> Result<Vec<f32>, NoMemory> {
        let packed = systems.iter().map(|numbers| self.pack(numbers, 0.0));
        let mut packed = packed.collect::<Result<Vec<_>, _>>()?;
        match packed.len() {
            1 => Ok(packed.swap_remove(0)),
            _ => interleave(&packed.iter().map(Vec::as_slice).collect::<Vec<_>>()),
        }
    }
}

/// The textures of a panel that do not change while iterating.
pub(crate) struct Bands {
    textures: Vec<(&'static str, Box<dyn AnyTexture>)>,
    rhs: Rhs,
}

/// The right-hand side.
enum Rhs {
    /// The band of one system, in one channel.
    One(Texture<f32>),
    /// The bands of four systems, one in each channel.
    Four(Texture<[f32; 4]>),
    /// Stored in a texture with the last band, which is uploaded again with it.
    Beside { texture: Texture<[f32; 2]>, uu: Vec<f32> },
    /// Interleaved with all bands.
    Among(Box<Interleaved>),
}

/// The bands in the channels of the two RED textures; `UU` shares a third texture with the
/// right-hand side.
const RED_A: [Band; 4] = [Band::LL, Band::LD, Band::LU, Band::DL];
const RED_B: [Band; 4] = [Band::DD, Band::DU, Band::UL, Band::UD];

/// The textures of single bands, in order.
const SINGLE: [(&str, Band); 9] = [
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
    pub(crate) fn new(
        context: &Context,
        systems: &[&NineBanded],
        chosen: ResolvedVariant,
        stored: Stored,
        side_by_side: bool,
    ) -> Result<Bands> {
        let extent = stored.extent();
        let lay = |system: &NineBanded, band| lay(system, band, chosen.optimization, stored);
        let mut textures: Vec<(&'static str, Box<dyn AnyTexture>)> = Vec::new();
        let rhs = match (chosen.layout, systems) {
            (Layout::Red, [system, ..]) => {
                for (name, four) in [("bands_a", RED_A), ("bands_b", RED_B)] {
                    let laid = laid(&mut four.iter().map(|band| lay(system, *band)))?;
                    textures.push((name, channels(context, extent, &laid)?));
                }
                Rhs::Beside { texture: context.uninit(extent)?, uu: lay(system, Band::UU)? }
            }
            (Layout::Packed, [system, ..]) => {
                let laid = laid(&mut SINGLE.iter().map(|(_, band)| lay(system, *band)))?;
                Rhs::Among(Box::new(Interleaved::new(context, extent, &laid, side_by_side)?))
            }
            _ => {
                for (name, band) in SINGLE {
                    let laid = laid(&mut systems.iter().map(|system| lay(system, band)))?;
                    textures.push((name, channels(context, extent, &laid)?));
                }
                match systems {
                    [_] => Rhs::One(context.uninit(extent)?),
                    _ => Rhs::Four(context.uninit(extent)?),
                }
            }
        };
        Ok(Bands { textures, rhs })
    }

    /// Uploads a right-hand side for each system.
    pub(crate) fn set_rhs(&mut self, stored: Stored, rhs: &[&[f32]]) -> Result<()> {
        let laid = stored.pack_all(rhs)?;
        match &mut self.rhs {
            Rhs::One(texture) => texture.write(&laid)?,
            Rhs::Four(texture) => texture.write(cast_slice(&laid))?,
            Rhs::Beside { texture, uu } => {
                texture.write(cast_slice(&interleave(&[uu.as_slice(), &laid])?))?;
            }
            Rhs::Among(system) => system.set_rhs(&laid)?,
        }
        Ok(())
    }

    /// Returns every texture with its name in the shaders.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&'static str, &dyn AnyTexture)> {
        let rhs: (&str, &dyn AnyTexture) = match &self.rhs {
            Rhs::One(texture) => ("b", texture),
            Rhs::Four(texture) => ("b", texture),
            Rhs::Beside { texture, .. } => ("bands_c", texture),
            Rhs::Among(system) => ("bands", system.texture()),
        };
        self.textures.iter().map(|(name, texture)| (*name, texture.as_ref())).chain([rhs])
    }
}

/// Returns a band in texels. Padding has 1 on the diagonal: with 0 its texels would become
/// infinite, and their products with 0 NaN.
fn lay(
    system: &NineBanded,
    band: Band,
    optimization: Optimization,
    stored: Stored,
) -> Result<Vec<f32>, NoMemory> {
    let numbers = system.band(band);
    if band != Band::DD {
        return stored.pack(numbers, 0.0);
    }
    let mut texels = stored.pack(numbers, 1.0)?;
    if optimization != Optimization::Generic {
        texels.iter_mut().for_each(|d| *d = 1.0 / *d);
    }
    Ok(texels)
}

/// Collects several vectors, if there is memory for all.
fn laid(
    vectors: &mut dyn Iterator<Item = Result<Vec<f32>, NoMemory>>,
) -> Result<Vec<Vec<f32>>, NoMemory> {
    vectors.collect()
}

/// Returns a texture with one vector, or with four in its channels.
fn channels(context: &Context, extent: Extent, laid: &[Vec<f32>]) -> Result<Box<dyn AnyTexture>> {
    if let [one] = laid {
        return Ok(Box::new(context.texture::<f32>(extent, one)?));
    }
    let slices: Vec<&[f32]> = laid.iter().map(Vec::as_slice).collect();
    Ok(Box::new(context.texture::<[f32; 4]>(extent, cast_slice(&interleave(&slices)?))?))
}
