//! The storage of the nine bands in a texture of each panel: nine texels for each one that the
//! panel owns.

use std::ops::Range;

use crate::data::{Band, NineBanded};
use crate::grid::{GridShape, Halo};
use crate::memory::{self, NoMemory, host_threads};
use crate::shader::Source;
use crate::{Extent, Rectangle};

/// The bands in the order of `glsl/include/nine_bands.glsl`.
pub(crate) const ORDER: [Band; 9] =
    [Band::LL, Band::LD, Band::LU, Band::DL, Band::DD, Band::DU, Band::UL, Band::UD, Band::UU];

/// The couplings across corners.
pub(super) const CORNERS: [Band; 4] = [Band::LL, Band::LU, Band::UL, Band::UU];

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
        let extent = self.extent(owned);
        let mut texels = memory::zeroed::<[f32; 4]>(extent.texels())?;
        host_threads::fill(&mut texels, extent.width as usize, |first, texels| {
            self.fill(matrix, owned, first, texels);
        });
        Ok(texels)
    }

    /// Fills the texels of some whole lines of a part's bands, the first of which has this number. Returns
    /// whether all couplings across corners in them are zero.
    pub(super) fn fill(
        self,
        matrix: &NineBanded,
        owned: Rectangle,
        first: usize,
        texels: &mut [[f32; 4]],
    ) -> bool {
        let mut star = true;
        let (shape, width) = (shape_of(matrix), owned.width as usize);
        let across = self.across as usize;
        let mut numbers = vec![0.0; 4 * width];
        let lines = (first / (across * width)..).zip(texels.chunks_mut(across * width));
        for (line, texels) in lines {
            let (of_line, y) = match self.panels {
                true => (line / owned.height as usize, line % owned.height as usize),
                false => (line % (9 / across), line / (9 / across)),
            };
            let row = owned.y as usize + y;
            let rows = shape.numbers_of(row, owned.x..owned.x + owned.width);
            for column in 0..across {
                let (inside, padding) = numbers.split_at_mut(rows.len());
                padding.fill(0.0);
                match ORDER[of_line * across + column] {
                    Band::DD => fill_sums(matrix, rows.clone(), inside),
                    band => matrix.fill(band, rows.clone(), inside),
                }
                if CORNERS.contains(&ORDER[of_line * across + column]) {
                    star = star && inside.iter().all(|number| *number == 0.0);
                }
                let four = bytemuck::cast_slice::<f32, [f32; 4]>(&numbers).iter();
                match self.panels {
                    true => texels[column * width..][..width]
                        .copy_from_slice(bytemuck::cast_slice(&numbers)),
                    false => texels[column..]
                        .iter_mut()
                        .step_by(across)
                        .zip(four)
                        .for_each(|(to, four)| *to = *four),
                }
            }
        }
        star
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

/// Fills the sums of some rows.
fn fill_sums(matrix: &NineBanded, rows: Range<usize>, to: &mut [f32]) {
    /// Rows whose sums are made together.
    const TOGETHER: usize = 512;
    for (at, to) in to.chunks_mut(TOGETHER).enumerate() {
        let first = rows.start + at * TOGETHER;
        let (mut numbers, mut sums) = ([0.0; TOGETHER], [0.0; TOGETHER]);
        let numbers = &mut numbers[..to.len()];
        for band in Band::ALL {
            matrix.fill(band, first..first + numbers.len(), numbers);
            sums.iter_mut().zip(&*numbers).for_each(|(sum, number)| *sum += f64::from(*number));
        }
        to.iter_mut().zip(sums).for_each(|(to, sum)| *to = sum as f32);
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
