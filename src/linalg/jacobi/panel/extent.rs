//! The panels of a system: what the textures of a device hold.

use crate::Extent;
use crate::data::Block;
use crate::gl::Abilities;
use crate::grid::{Halo, Plan};

use super::interleaved::INTERLEAVED_BANDS;
use crate::linalg::jacobi::{Error, Layout, Result};

/// The most bytes of a texture of a software renderer: llvmpipe refuses more than twice as many.
const MOST_BYTES: usize = 1 << 30;
/// The bytes of the largest texel.
const TEXEL: usize = size_of::<[f32; 4]>();

/// Returns the texels of a band that the texture with the longest rows has for each texel of x.
fn abreast(layout: Layout) -> usize {
    if layout == Layout::Packed { INTERLEAVED_BANDS } else { 1 }
}

/// Returns the widest panel of x.
fn widest(abilities: &Abilities, layout: Layout) -> usize {
    abilities.max_texture_size as usize / abreast(layout)
}

/// Returns whether textures of the device hold whole rows of `m` unknowns.
pub(crate) fn holds_rows(abilities: &Abilities, layout: Layout, m: usize) -> bool {
    m.div_ceil(layout.lanes()) <= widest(abilities, layout)
}

/// Returns the fewest panels in which x and the bands fit in textures of the device, of the numbers
/// of a block, if not of all.
pub(crate) fn panels(
    abilities: &Abilities,
    layout: Layout,
    (n, m): (usize, usize),
    window: Option<&Block>,
    halo: Halo,
) -> Result<Plan> {
    let (limit, widest) = (abilities.max_texture_size, widest(abilities, layout));
    if halo.across_ends && !holds_rows(abilities, layout, m) {
        let wide = m.div_ceil(layout.lanes()) * abreast(layout);
        let longest_row = widest * layout.lanes();
        return Err(Error::TooLarge { m, wide, limit, layout, longest_row });
    }
    let shape = layout.grid(n, m);
    let row = TEXEL * abreast(layout) * widest.min(shape.texels().width as usize).max(1);
    let highest = if abilities.software { limit.min((MOST_BYTES / row) as u32) } else { limit };
    let window = window.map_or_else(|| shape.texels().rectangle(), |block| shape.texels_of(block));
    Ok(Plan::of_window(shape, window, Extent::new(widest as u32, highest), halo)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Context;

    #[test]
    fn the_textures_of_panels_are_within_the_limits_of_sides_and_bytes() {
        let mut abilities = Context::headless().unwrap().abilities().clone();
        (abilities.max_texture_size, abilities.software) = (16384, true);
        let halo = |across_ends| Halo { steps: 1, across_ends };
        for layout in Layout::ALL {
            for (width, height) in [(3, 100_000), (4096, 20_000), (16_384, 16_384), (70_000, 999)] {
                let size = (width * height, width);
                let plan = panels(&abilities, layout, size, None, halo(false)).unwrap();
                for part in plan.parts() {
                    let Extent { width, height } = part.extent();
                    let wide = width as usize * abreast(layout);
                    assert!(wide <= 16384 && height <= 16384, "{layout}, {size:?}");
                    assert!(TEXEL * wide * height as usize <= MOST_BYTES, "{layout}, {size:?}");
                }
                let coupled = panels(&abilities, layout, size, None, halo(true))
                    .map(|plan| plan.parts().len());
                assert_eq!(coupled.is_ok(), holds_rows(&abilities, layout, width), "{layout}");
            }
        }
    }
}
