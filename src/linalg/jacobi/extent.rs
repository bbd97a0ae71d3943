//! The size of a system in textures.

use crate::Extent;
use crate::gl::Abilities;

use super::interleaved::INTERLEAVED_BANDS;
use super::{Error, Layout};

/// The extent of x, if it and the bands fit in textures of the device.
pub(super) fn extent(
    abilities: &Abilities,
    layout: Layout,
    n: usize,
    m: usize,
) -> Result<Extent, Error> {
    let limit = abilities.max_texture_size;
    let rows = layout.rows(m);
    let abreast = if layout == Layout::Packed { INTERLEAVED_BANDS } else { 1 };
    let (wide, high) = (rows.texels() * abreast, rows.rows(n));
    if wide.max(high) <= limit as usize {
        return Ok(Extent::new(rows.texels() as u32, high as u32));
    }
    let longest_row = limit as usize / abreast * rows.lanes();
    Err(Error::TooLarge { n, m, wide, high, limit, layout, longest_row })
}
