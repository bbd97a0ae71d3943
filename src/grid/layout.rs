//! The division of a vector's numbers into textures: plain arithmetic, no GL.

use crate::Extent;

/// The longest side of a panel. Panels of 8192 x 8192 texels take 1 GiB, which every driver
/// allocates, and a number's index in its panel fits in 28 bits.
const LONGEST_SIDE: u32 = 8192;

/// A part of a vector in one texture: its numbers fill the texels row by row, and zeros fill the
/// rest of the last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panel {
    pub(super) extent: Extent,
    /// The numbers in it, at least one.
    pub(super) length: usize,
}

/// Returns the numbers in a full panel on a device whose textures have at most `limit` texels a
/// side.
pub(super) fn room(limit: u32) -> usize {
    let side = 1_usize << limit.clamp(1, LONGEST_SIDE).ilog2();
    4 * side * side
}

/// Returns the panels of a vector on such a device. All but the last are full.
pub(super) fn panels(length: usize, limit: u32) -> impl Iterator<Item = Panel> {
    let room = room(limit);
    (0..length.div_ceil(room)).map(move |index| {
        let length = (length - index * room).min(room);
        Panel { extent: extent_of(length.div_ceil(4)), length }
    })
}

/// Returns the extent of a texture for this number of texels, at least one: its width is a power of
/// two and its height about the same, so that a texel's place is given by bits of its index.
pub fn extent_of(texels: usize) -> Extent {
    let texels = texels.max(1);
    let root = texels.isqrt();
    let width = (root + usize::from(root * root < texels)).next_power_of_two();
    let fits = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    Extent::new(fits(width), fits(texels.div_ceil(width)))
}

/// Returns the exponent of the length of a row, which is a power of two, by which shaders find the
/// place of a texel.
pub fn row_shift(extent: Extent) -> i32 {
    extent.width.trailing_zeros() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_hold_the_texels_in_rows_of_a_power_of_two() {
        for texels in (0..3000).chain([250_000, 2_500_000, 1 << 26]) {
            let extent = extent_of(texels);
            assert!(extent.width.is_power_of_two() && extent.height <= extent.width, "{texels}");
            let room = extent.texels();
            assert!(room >= texels && room - texels < extent.width as usize + 1, "{texels}");
        }
    }

    #[test]
    fn panels_hold_every_number_once_within_the_limit() {
        for limit in [1, 2, 3, 5, 16, 100, 8192, 16384, u32::MAX] {
            let room = 4 * (limit.min(LONGEST_SIDE) as usize).pow(2);
            for length in [0, 1, 3, 4, 5, 15, 16, 17, 255, 1021, 4097, 1 << 28, (1 << 28) + 1] {
                if length > 100_000 * room {
                    continue;
                }
                let panels: Vec<Panel> = panels(length, limit).collect();
                assert_eq!(panels.iter().map(|panel| panel.length).sum::<usize>(), length);
                for (index, Panel { extent, length }) in panels.iter().enumerate() {
                    let full = 4 * extent.texels() == *length;
                    assert!(full || index + 1 == panels.len(), "{limit} {length}");
                    assert!(extent.width <= limit && extent.height <= limit, "{limit} {length}");
                    assert!(*length > 0 && 4 * extent.texels() >= *length);
                }
            }
        }
    }
}
