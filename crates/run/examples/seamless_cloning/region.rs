//! The part of a picture that is cloned, and its Poisson equation.

use std::f64::consts::PI;
use std::fmt;

use anyhow::ensure;
use quadrille::Extent;
use quadrille::data::{self, Band, NineBanded};

use crate::picture::Picture;

/// Whose differences of neighbours the result has.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Guidance {
    /// Those of the source.
    Source,
    /// The larger one of source and destination, for each pair of neighbours.
    Mixed,
}

impl fmt::Display for Guidance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == Guidance::Source { "cloned" } else { "mixed" })
    }
}

/// The pixels that are cloned. None is at the edge of the picture, so that each has four
/// neighbours.
pub(crate) struct Region {
    extent: Extent,
    inside: Vec<bool>,
}

impl Region {
    /// Those where the mask is light, in a picture of this extent.
    pub(crate) fn new(mask: &Picture, extent: Extent) -> anyhow::Result<Region> {
        ensure!(
            mask.extent == extent,
            "the mask has {} pixels, but the destination {extent}; pictures must have one size",
            mask.extent
        );
        let (width, height) = (mask.extent.width as usize, mask.extent.height as usize);
        let is_edge = |i: usize| {
            let (x, y) = (i % width, i / width);
            x == 0 || y == 0 || x + 1 == width || y + 1 == height
        };
        let lights = mask.planes.iter().take(1).flatten();
        let inside: Vec<bool> = lights.enumerate().map(|(i, m)| *m > 0.5 && !is_edge(i)).collect();
        ensure!(inside.contains(&true), "the mask is nowhere light inside the picture's edge");
        Ok(Region { extent: mask.extent, inside })
    }

    /// The number of pixels.
    pub(crate) fn count(&self) -> usize {
        self.inside.iter().filter(|inside| **inside).count()
    }

    /// Four times each pixel minus its neighbours in the region. The other pixels are unknowns too,
    /// without neighbours.
    pub(crate) fn matrix(&self) -> data::Result<NineBanded> {
        let width = self.extent.width as usize;
        let mut bands: [Vec<f32>; 9] = std::array::from_fn(|_| vec![0.0; self.inside.len()]);
        bands[Band::DD.index()].fill(4.0);
        for band in [Band::DL, Band::DU, Band::LD, Band::UD] {
            for pixel in self.pixels() {
                let beside = pixel.wrapping_add_signed(band.offset(width));
                bands[band.index()][pixel] = if self.inside[beside] { -1.0 } else { 0.0 };
            }
        }
        NineBanded::new(width, bands)
    }

    /// The sum of the wanted differences to the four neighbours, and the neighbours that are known.
    pub(crate) fn right_hand_side(
        &self,
        source: &[f64],
        destination: &[f64],
        by: Guidance,
    ) -> Vec<f64> {
        let difference = |p: usize, q: usize| {
            let (wanted, there) = (source[p] - source[q], destination[p] - destination[q]);
            if by == Guidance::Mixed && there.abs() > wanted.abs() { there } else { wanted }
        };
        let known = |q: usize| if self.inside[q] { 0.0 } else { destination[q] };
        let mut b = vec![0.0; self.inside.len()];
        for p in self.pixels() {
            b[p] = self.neighbours(p).into_iter().map(|q| difference(p, q) + known(q)).sum();
        }
        b
    }

    /// How far a solution with this relative residual may be from the exact one: the 2-norm of the
    /// residual over the least eigenvalue, which is no less than that of the rectangle around the
    /// region.
    pub(crate) fn error_bound(&self, residual: f64, b: &[f64]) -> f64 {
        let width = self.extent.width as usize;
        let side = |places: &dyn Fn(usize) -> usize| {
            let (least, most) = self
                .pixels()
                .map(places)
                .fold((usize::MAX, 0), |(least, most), at| (least.min(at), most.max(at)));
            (most + 1 - least) as f64
        };
        let (across, down) = (side(&|pixel| pixel % width), side(&|pixel| pixel / width));
        let least = |side: f64| 4.0 * (0.5 * PI / (side + 1.0)).sin().powi(2);
        let norm = b.iter().map(|b| b * b).sum::<f64>().sqrt();
        residual * norm / (least(across) + least(down))
    }

    /// The solution in the region, and the destination around it.
    pub(crate) fn composed(&self, solution: &[f64], destination: &[f64]) -> Vec<f64> {
        let numbers = self.inside.iter().zip(solution.iter().zip(destination));
        numbers.map(|(inside, (new, old))| if *inside { *new } else { *old }).collect()
    }

    /// The colours of the source in the region, with their seam.
    pub(crate) fn pasted(&self, source: &Picture, destination: &Picture) -> Picture {
        let planes = source.planes.iter().zip(&destination.planes);
        let planes = planes.map(|(from, into)| self.composed(from, into)).collect();
        Picture { extent: self.extent, planes }
    }

    fn pixels(&self) -> impl Iterator<Item = usize> {
        (0..self.inside.len()).filter(|pixel| self.inside[*pixel])
    }

    fn neighbours(&self, pixel: usize) -> [usize; 4] {
        let width = self.extent.width as usize;
        [pixel - 1, pixel + 1, pixel - width, pixel + width]
    }
}
