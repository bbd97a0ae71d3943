//! The storage of the nine bands in a texture of each panel: nine texels for each one that the
//! panel owns.

use crate::data::{Band, NineBanded};
use crate::grid::{GridShape, Halo};
use crate::memory::{self, NoMemory};
use crate::shader::Source;
use crate::{Extent, Rectangle};

/// The bands in the order of `glsl/include/nine_bands.glsl`.
pub(super) const ORDER: [Band; 9] =
    [Band::LL, Band::LD, Band::LU, Band::DL, Band::DD, Band::DU, Band::UL, Band::UD, Band::UU];

/// The possible numbers of bands side by side; the other bands are above them.
const ACROSS: [u32; 3] = [9, 3, 1];

/// The places of the bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// The bands along x: all nine where rows are short enough.
    pub(crate) across: u32,
    /// Whether each band is a panel, so that neighbouring invocations read neighbouring texels;
    /// else the nine of a texel are adjacent.
    pub(crate) panels: bool,
}

impl Places {
    /// Returns the places for whole rows of this grid, where a texture's sides have at most `limit`
    /// texels.
    pub(crate) fn new(shape: GridShape, limit: u32, panels: bool) -> Places {
        let wide = u64::from(shape.texels().width);
        let fits = |across: &u32| u64::from(*across) * wide <= u64::from(limit);
        // Rows that fit in no way are cut, into blocks about as high as wide.
        Places { across: ACROSS.into_iter().find(fits).unwrap_or(3), panels }
    }

    /// Returns the largest panel of x whose bands are within the limit.
    pub(super) fn limit(self, side: u32) -> Extent {
        Extent::new(side / self.across, side / (9 / self.across))
    }

    /// Returns the extent of the bands of a panel that owns this.
    pub(crate) fn extent(self, owned: Rectangle) -> Extent {
        Extent::new(self.across * owned.width, 9 / self.across * owned.height)
    }

    pub(crate) fn define(self, source: Source) -> Source {
        let source = source.define("ACROSS", self.across);
        if self.panels { source.define("PANELS", 1) } else { source }
    }

    /// Returns the bands of a part of the grid, with zeros in the padding, and the sums of rows in
    /// the place of the diagonal: of a matrix in any form.
    pub(crate) fn texels(
        self,
        matrix: &NineBanded,
        owned: Rectangle,
    ) -> Result<Vec<[f32; 4]>, NoMemory> {
        let shape = shape_of(matrix);
        let extent = self.extent(owned);
        let mut texels = memory::zeroed::<[f32; 4]>(extent.texels())?;
        let sum = |row: usize| {
            Band::ALL.iter().map(|b| f64::from(matrix.band(*b)[row])).sum::<f64>() as f32
        };
        for (k, band) in (0..).zip(ORDER) {
            for y in 0..owned.height {
                let row = (owned.y + y) as usize;
                let numbers = shape.numbers_of(row, owned.x..owned.x + owned.width);
                let sums = match band {
                    Band::DD => memory::collected(numbers.len(), numbers.clone().map(sum))?,
                    _ => Vec::new(),
                };
                let entries =
                    if band == Band::DD { sums.as_slice() } else { &matrix.band(band)[numbers] };
                for (x, four) in (0..).zip(entries.chunks(4)) {
                    let (column, line) = self.place(k, x, y, owned);
                    let texel = line as usize * extent.width as usize + column as usize;
                    texels[texel][..four.len()].copy_from_slice(four);
                }
            }
        }
        Ok(texels)
    }

    /// Returns the place of band `k` of the texel at (x, y) of a panel, as column and line.
    pub(crate) fn place(self, k: u32, x: u32, y: u32, owned: Rectangle) -> (u32, u32) {
        let (column, line) = (k % self.across, k / self.across);
        match self.panels {
            true => (column * owned.width + x, line * owned.height + y),
            false => (self.across * x + column, 9 / self.across * y + line),
        }
    }
}

/// Returns the grid of a matrix.
pub(super) fn shape_of(matrix: &NineBanded) -> GridShape {
    GridShape::in_rows(matrix.n(), matrix.m())
}

/// Returns the halo that one product reads of other panels.
pub(super) fn halo_of(matrix: &NineBanded) -> Halo {
    Halo { steps: 1, across_ends: matrix.couples_across_ends() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_texel_of_every_band_has_a_place_of_its_own() {
        for (across, panels) in ACROSS.into_iter().flat_map(|a| [(a, false), (a, true)]) {
            let (places, owned) = (Places { across, panels }, Rectangle::new(3, 5, 4, 7));
            let extent = places.extent(owned);
            let mut taken = vec![0; extent.texels()];
            for k in 0..9 {
                for (x, y) in (0..owned.width).flat_map(|x| (0..owned.height).map(move |y| (x, y)))
                {
                    let (column, line) = places.place(k, x, y, owned);
                    assert!(column < extent.width && line < extent.height, "{places:?}");
                    taken[(line * extent.width + column) as usize] += 1;
                }
            }
            assert!(taken.iter().all(|count| *count == 1), "{places:?}");
        }
    }

    #[test]
    fn bands_are_side_by_side_where_rows_are_short_enough() {
        for (m, limit, across) in
            [(40, 90, 9), (41, 90, 3), (120, 90, 3), (121, 90, 1), (361, 90, 3)]
        {
            let places = Places::new(GridShape::new(m, 5), limit, false);
            assert_eq!(places.across, across, "{m}");
            let Extent { width, height } = places.limit(limit);
            assert!(across * width <= limit && 9 / across * height <= limit);
        }
    }
}
