//! The bands of a level's matrix on the host, as ranks send them to others: exactly, with the sums
//! of rows in the diagonal's place.

use crate::grid::GridShape;
use crate::{Rectangle, memory};

use crate::linalg::host::multigrid::Nine;
use crate::linalg::multigrid::hierarchy::local_levels::{First, LocalLevels};
use crate::linalg::multigrid::programs::{LevelPrograms, texels};
use crate::linalg::multigrid::{Grid, Result};
use crate::linalg::nine_banded::Coefficients;

/// The number of texels for each texel of the grid: one per band.
pub(crate) const BANDS: usize = 9;

impl LocalLevels {
    /// Returns the bands of the last matrix in a rectangle of its grid, in texels: band by band,
    /// row by row.
    pub(crate) fn bands_in(&self, place: Rectangle) -> Result<Vec<[f32; 4]>> {
        let (size, places) = (texels(self.points()), self.programs().places());
        let all = match self.last_matrix() {
            Coefficients::Stored { bands, .. } => bands.read()?,
            Coefficients::Constant(numbers) => numbers.texels(places, size.rectangle())?,
        };
        let stride = places.extent(size.rectangle()).width;
        let mut part = memory::zeroed(BANDS * place.texels())?;
        let mut next = part.iter_mut();
        for k in 0..BANDS as u32 {
            for (y, x) in each(place) {
                let (column, line) = places.place(k, x, y, size.rectangle());
                if let Some(texel) = next.next() {
                    *texel = all[(line * stride + column) as usize];
                }
            }
        }
        Ok(part)
    }

    /// Makes a hierarchy without levels yet from the bands of its matrix: each rectangle of the
    /// grid has the bands that [`bands_in`](Self::bands_in) returned. Kernels are shared with
    /// `like`, of the same context.
    pub(crate) fn assembled(
        like: &LocalLevels,
        points: (usize, usize),
        parts: &[(Rectangle, Vec<[f32; 4]>)],
    ) -> Result<LocalLevels> {
        let programs = LevelPrograms::like(like.programs(), GridShape::new(points.0, points.1));
        let (size, places) = (texels(points), programs.places());
        let extent = places.extent(size.rectangle());
        let mut all = memory::zeroed::<[f32; 4]>(extent.texels())?;
        for (place, bands) in parts {
            let mut next = bands.iter();
            for k in 0..BANDS as u32 {
                for (y, x) in each(*place) {
                    let (column, line) = places.place(k, x, y, size.rectangle());
                    if let Some(texel) = next.next() {
                        all[(line * extent.width + column) as usize] = *texel;
                    }
                }
            }
        }
        let bands: Grid = programs.context().texture(extent, &all)?;
        Ok(LocalLevels::new(programs, First::Own(bands), points))
    }
}

/// Puts nine numbers of each point on the device, made of those that the host has.
pub(in crate::linalg::multigrid) fn uploaded(
    programs: &LevelPrograms,
    nine: &Nine,
    number: impl Fn(&[f64; 9], usize) -> f64,
) -> Result<Grid> {
    let ((width, _), size, places) = (nine.extent(), texels(nine.extent()), programs.places());
    let extent = places.extent(size.rectangle());
    let mut all = memory::zeroed::<[f32; 4]>(extent.texels())?;
    for (index, numbers) in nine.rows().iter().enumerate() {
        let (x, y) = (index % width, index / width);
        for k in 0..BANDS {
            let (column, line) = places.place(k as u32, x as u32 / 4, y as u32, size.rectangle());
            all[(line * extent.width + column) as usize][x % 4] = number(numbers, k) as f32;
        }
    }
    Ok(programs.context().texture(extent, &all)?)
}

/// Returns the places of a rectangle as row and column, row by row.
fn each(place: Rectangle) -> impl Iterator<Item = (u32, u32)> {
    let columns = place.x..place.x + place.width;
    (place.y..place.y + place.height).flat_map(move |y| columns.clone().map(move |x| (y, x)))
}
