//! The form of diffusion by a coefficient: five bands that follow from numbers at points, or at the
//! faces between them.

pub(crate) mod coefficients;

use std::ops::Range;

use crate::data::{Band, Block, Float};
use coefficients::Coefficients;

/// Rows that are computed together: their five numbers stay in the fastest cache.
const ROWS: usize = 256;

/// The matrix of -div(k grad u) at the points of a block of a grid, as
/// [`NineBanded::block`](crate::data::NineBanded::block) takes it from that of the whole: see
/// [`diffusion`](crate::data::diffusion()).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Diffusion {
    block: Block,
    coefficients: Coefficients,
    /// What every number is multiplied by.
    factor: f64,
}

/// The bands that are not zero, in the order of [`Band::ALL`].
pub(crate) const BANDS: [Band; 5] = [Band::DD, Band::DU, Band::DL, Band::UD, Band::LD];

impl Diffusion {
    /// Takes coefficients for the points of a block.
    pub(crate) fn new(block: Block, coefficients: Coefficients) -> Diffusion {
        Diffusion { block, coefficients, factor: 1.0 }
    }

    /// Returns numbers between which all of the diagonal and, but for zeros at the sides, all means are.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        let (least, most) = self.coefficients.range();
        (self.factor * least, self.factor * 4.0 * most)
    }

    /// Returns the points along x and along y.
    pub(crate) fn points(&self) -> (usize, usize) {
        (self.block.width(), self.block.rows.len())
    }

    /// Returns the number of rows.
    pub(crate) fn n(&self) -> usize {
        self.block.width() * self.block.rows.len()
    }

    /// Returns whether the coefficients are at faces.
    pub(crate) fn is_by_faces(&self) -> bool {
        matches!(self.coefficients, Coefficients::Faces { .. })
    }

    /// Returns whether the coefficients are the same between all neighbours along x, and along y, and at
    /// each side.
    pub(super) fn is_uniform(&self) -> bool {
        self.coefficients.is_uniform(&self.block)
    }

    /// Fills numbers of a line of such a grid, from a column on, times the factor; beyond the whole grid the
    /// nearest point's, or zero at faces.
    pub(crate) fn fill(&self, grid: usize, line: usize, first: isize, to: &mut [f64]) {
        self.coefficients.fill(&self.block, grid, line, first, to);
        if self.factor != 1.0 {
            to.iter_mut().for_each(|number| *number *= self.factor);
        }
    }

    /// Returns the matrix times a factor.
    pub(super) fn times(&self, factor: f64) -> Diffusion {
        Diffusion { factor: self.factor * factor, ..self.clone() }
    }

    /// Returns the matrix of a block of its points, which shares the coefficients.
    pub(super) fn part(&self, block: &Block) -> Diffusion {
        let within = |range: &Range<usize>, start: usize| range.start + start..range.end + start;
        let block = Block {
            columns: within(&block.columns, self.block.columns.start),
            rows: within(&block.rows, self.block.rows.start),
        };
        Diffusion { block, ..self.clone() }
    }

    /// Returns the number of a band in a row.
    pub(crate) fn number<T: Float>(&self, band: Band, row: usize) -> T {
        let Some(at) = BANDS.iter().position(|known| *known == band) else { return T::default() };
        let (width, mut means) = (self.block.width(), [[0.0]; 4]);
        let place @ (x, y) = (row % width, row / width);
        let (column, line) = (self.block.columns.start + x, self.block.rows.start + y);
        let parts = means.each_mut().map(|mean| &mut mean[..]);
        self.coefficients.means(column..column + 1, line, parts);
        let mut numbers = [[T::default()]; 5];
        let parts = numbers.each_mut().map(|number| &mut number[..]);
        self.convert(place, &means.each_ref().map(|mean| &mean[..]), parts);
        numbers[at][0]
    }

    /// Calls with each segment of some rows, and the numbers of [`BANDS`] in its rows.
    pub(crate) fn each_segment<T: Float>(
        &self,
        rows: Range<usize>,
        mut call: impl FnMut(Range<usize>, &[&[T]; 5]),
    ) {
        let (mut means, mut numbers) = ([[0.0; ROWS]; 4], [[T::default(); ROWS]; 5]);
        let (width, Block { columns, rows: lines }) = (self.block.width(), &self.block);
        let mut first = rows.start;
        while first < rows.end {
            let place = (first % width, first / width);
            let end = rows.end.min((place.1 + 1) * width).min(first + ROWS);
            let start = columns.start + place.0;
            let points = start..start + (end - first);
            let count = end - first;
            let parts = means.each_mut().map(|means| &mut means[..count]);
            self.coefficients.means(points, lines.start + place.1, parts);
            let parts = numbers.each_mut().map(|numbers| &mut numbers[..count]);
            self.convert(place, &means.each_ref().map(|means| &means[..count]), parts);
            call(first..end, &numbers.each_ref().map(|numbers| &numbers[..end - first]));
            first = end;
        }
    }

    /// Rounds the numbers of a segment, and leaves out couplings over the edge.
    fn convert<T: Float>(
        &self,
        (x, y): (usize, usize),
        means: &[&[f64]; 4],
        numbers: [&mut [T]; 5],
    ) {
        let (count, [below, left, right, above]) = (means[0].len(), means);
        let [middle, to_right, to_left, to_above, to_below] = numbers;
        let coupling = |mean: f64| T::nearest(self.factor * -mean);
        for at in 0..count {
            let sum = below[at] + left[at] + right[at] + above[at];
            middle[at] = T::nearest(self.factor * sum);
            to_right[at] = coupling(right[at]);
            to_left[at] = coupling(left[at]);
            to_above[at] = coupling(above[at]);
            to_below[at] = coupling(below[at]);
        }
        if x == 0 {
            to_left[0] = T::default();
        }
        if x + count == self.block.width() {
            to_right[count - 1] = T::default();
        }
        if y == 0 {
            to_below.fill(T::default());
        }
        if y + 1 == self.block.rows.len() {
            to_above.fill(T::default());
        }
    }

    /// Adds `sign` A x to y in the rows from `first` on, one for each number of y, with the
    /// roundings of stored bands.
    pub(super) fn add_product<T: Float>(&self, sign: f64, x: &[f64], first: usize, y: &mut [f64]) {
        self.each_segment::<T>(first..first + y.len(), |rows, numbers| {
            for (band, numbers) in BANDS.into_iter().zip(numbers) {
                let inside = band.rows(self.n(), self.block.width());
                let (from, to) = (inside.start.max(rows.start), inside.end.min(rows.end));
                if from >= to {
                    continue;
                }
                let columns = from.wrapping_add_signed(band.offset(self.block.width()));
                let y = y[from - first..to - first].iter_mut().zip(&x[columns..]);
                for ((y, x), number) in y.zip(&numbers[from - rows.start..]) {
                    *y += sign * (*number).into() * x;
                }
            }
        });
    }

    /// Fills the numbers of a band in some rows.
    pub(super) fn fill_band<T: Float>(&self, band: Band, rows: Range<usize>, to: &mut [T]) {
        let Some(at) = BANDS.iter().position(|known| *known == band) else {
            return to.fill(T::default());
        };
        let first = rows.start;
        self.each_segment(rows, |rows, numbers| {
            to[rows.start - first..rows.end - first].copy_from_slice(numbers[at]);
        });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
