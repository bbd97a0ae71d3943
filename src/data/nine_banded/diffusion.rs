//! The form of diffusion by a coefficient at each point: five bands that follow from one grid.

use std::ops::Range;
use std::sync::Arc;

use crate::data::{Band, Float};
use crate::memory::{self, NoMemory};

/// Rows that are computed together: their five numbers stay in the fastest cache.
const ROWS: usize = 256;

/// The matrix of -div(k grad u) for a positive coefficient k at each point of a grid: see
/// [`diffusion`](crate::data::diffusion()).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Diffusion {
    width: usize,
    height: usize,
    coefficients: Arc<Vec<f64>>,
    /// The least and the largest.
    range: (f64, f64),
    /// What every number is multiplied by.
    factor: f64,
}

/// The bands that are not zero, in the order of [`Band::ALL`].
pub(crate) const BANDS: [Band; 5] = [Band::DD, Band::DU, Band::DL, Band::UD, Band::LD];

/// The neighbours in the order in which their means are added up.
const ADDED: [Band; 4] = [Band::LD, Band::DL, Band::DU, Band::UD];

impl Diffusion {
    /// Takes positive coefficients of all points, row by row.
    pub(crate) fn new(width: usize, coefficients: Vec<f64>) -> Diffusion {
        let height = coefficients.len() / width;
        let range = coefficients
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(least, most), k| (least.min(*k), most.max(*k)));
        Diffusion { width, height, coefficients: Arc::new(coefficients), range, factor: 1.0 }
    }

    /// Returns numbers between which all of the diagonal are: each is the sum of four means.
    pub(crate) fn diagonal_bounds(&self) -> (f64, f64) {
        (self.factor * self.range.0, self.factor * 4.0 * self.range.1)
    }

    /// Returns the points along x and along y.
    pub(crate) fn points(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Returns the coefficients, row by row.
    pub(crate) fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Returns what every number is multiplied by.
    pub(crate) fn factor(&self) -> f64 {
        self.factor
    }

    /// Returns the matrix times a factor.
    pub(super) fn times(&self, factor: f64) -> Diffusion {
        Diffusion { factor: self.factor * factor, ..self.clone() }
    }

    fn n(&self) -> usize {
        self.coefficients.len()
    }

    /// Returns the mean of a point's coefficient and that of a neighbour; beyond the edge it is that of
    /// the point itself.
    fn mean(&self, band: Band, (x, y): (usize, usize)) -> f64 {
        let here = self.coefficients[y * self.width + x];
        let beside = band.beside(x, y).filter(|(x, y)| *x < self.width && *y < self.height);
        harmonic_mean(here, beside.map_or(here, |(x, y)| self.coefficients[y * self.width + x]))
    }

    /// Returns the number of a band in a row.
    pub(super) fn number<T: Float>(&self, band: Band, row: usize) -> T {
        let (x, y) = (row % self.width, row / self.width);
        let is_inside = |(x, y): (usize, usize)| x < self.width && y < self.height;
        match band {
            Band::DD => {
                let means = ADDED.map(|band| self.mean(band, (x, y)));
                T::nearest(self.factor * means.iter().sum::<f64>())
            }
            _ if BANDS.contains(&band) && band.beside(x, y).is_some_and(is_inside) => {
                T::nearest(self.factor * -self.mean(band, (x, y)))
            }
            _ => T::default(),
        }
    }

    /// Calls with each segment of some rows, and the numbers of [`BANDS`] in its rows.
    pub(crate) fn each_segment<T: Float>(
        &self,
        rows: Range<usize>,
        mut call: impl FnMut(Range<usize>, &[&[T]; 5]),
    ) {
        let (mut means, mut numbers) = ([[0.0; ROWS]; 4], [[T::default(); ROWS]; 5]);
        let mut first = rows.start;
        while first < rows.end {
            let place = (first % self.width, first / self.width);
            let end = rows.end.min((place.1 + 1) * self.width).min(first + ROWS);
            self.fill(first..end, place, &mut means);
            self.convert(place, end - first, &means, &mut numbers);
            call(first..end, &numbers.each_ref().map(|numbers| &numbers[..end - first]));
            first = end;
        }
    }

    /// Computes the means to the neighbours below, to the left, to the right and above of points in a
    /// row of the grid.
    fn fill(&self, rows: Range<usize>, (x, y): (usize, usize), means: &mut [[f64; ROWS]; 4]) {
        let (k, width, count) = (self.coefficients.as_slice(), self.width, rows.len());
        let here = &k[rows.clone()];
        let below = if y > 0 { &k[rows.start - width..][..count] } else { here };
        let above = if y + 1 < self.height { &k[rows.start + width..][..count] } else { here };
        let [to_below, to_left, to_right, to_above] = means;
        for at in 0..count {
            to_below[at] = harmonic_mean(here[at], below[at]);
            to_above[at] = harmonic_mean(here[at], above[at]);
        }
        to_left[0] = harmonic_mean(here[0], if x > 0 { k[rows.start - 1] } else { here[0] });
        for at in 1..count {
            to_left[at] = harmonic_mean(here[at], here[at - 1]);
        }
        to_right[..count - 1].copy_from_slice(&to_left[1..count]);
        let (last, next) = (here[count - 1], rows.end);
        to_right[count - 1] = harmonic_mean(last, if next % width > 0 { k[next] } else { last });
    }

    /// Rounds the numbers of a segment, and leaves out couplings over the edge.
    fn convert<T: Float>(
        &self,
        (x, y): (usize, usize),
        count: usize,
        means: &[[f64; ROWS]; 4],
        numbers: &mut [[T; ROWS]; 5],
    ) {
        let [below, left, right, above] = means;
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
        if x + count == self.width {
            to_right[count - 1] = T::default();
        }
        if y == 0 {
            to_below[..count].fill(T::default());
        }
        if y + 1 == self.height {
            to_above[..count].fill(T::default());
        }
    }

    /// Adds `sign` A x to y in the rows from `first` on, one for each number of y, with the
    /// roundings of stored bands.
    pub(super) fn add_product<T: Float>(&self, sign: f64, x: &[f64], first: usize, y: &mut [f64]) {
        self.each_segment::<T>(first..first + y.len(), |rows, numbers| {
            for (band, numbers) in BANDS.into_iter().zip(numbers) {
                let inside = band.rows(self.n(), self.width);
                let (from, to) = (inside.start.max(rows.start), inside.end.min(rows.end));
                if from >= to {
                    continue;
                }
                let columns = from.wrapping_add_signed(band.offset(self.width));
                let y = y[from - first..to - first].iter_mut().zip(&x[columns..]);
                for ((y, x), number) in y.zip(&numbers[from - rows.start..]) {
                    *y += sign * (*number).into() * x;
                }
            }
        });
    }

    /// Returns a band, one number for each row.
    pub(super) fn stored<T: Float>(&self, band: Band) -> Result<Vec<T>, NoMemory> {
        let mut stored = memory::zeroed(self.n())?;
        if let Some(at) = BANDS.iter().position(|known| *known == band) {
            self.each_segment(0..self.n(), |rows, numbers| {
                stored[rows].copy_from_slice(numbers[at])
            });
        }
        Ok(stored)
    }
}

/// Returns 2 a b / (a + b), in the form that neither overflows nor becomes zero on the way; the
/// same for (b, a).
pub(crate) fn harmonic_mean(a: f64, b: f64) -> f64 {
    let (less, more) = (a.min(b), a.max(b));
    less / (0.5 + 0.5 * (less / more))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
