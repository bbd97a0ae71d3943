//! Operators with constant coefficients on a rectangle, with the same condition at both sides of an
//! axis: what sines and cosines diagonalise.

mod found;
pub(super) mod side;

use std::ops::Range;

use super::cancellation::Sums;
use super::nine_banded::{bands_by, check_sizes, zeros};
use super::{Band, BandError, Block, Float, NineBanded, Result};
use side::Side;

/// An operator on a grid of W x H points that couples each to its neighbours by the same numbers
/// everywhere, symmetric in x and in y: the point itself, its two neighbours along x, those along
/// y, and the four at the corners. Around the grid is what the [sides](Side) say.
///
/// Nothing else is stored. With periodic sides no [`NineBanded`] matrix holds it.
///
/// ```
/// use quadrille::data::{ConstantOperator, Side};
///
/// let ring = ConstantOperator::new(4, 1, [2.0, -1.0, 0.0, 0.0], [Side::Periodic, Side::Dirichlet])?;
/// assert_eq!(ring.multiply_f64(&[1.0, 0.0, 0.0, 0.0]), [2.0, -1.0, 0.0, -1.0]);
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantOperator {
    width: usize,
    height: usize,
    /// Of the point itself, of each neighbour along x, along y, and at the corners.
    couplings: [f64; 4],
    /// Along x and along y.
    sides: [Side; 2],
}

impl ConstantOperator {
    /// Creates an operator on a grid of this width and height by the couplings of a point with
    /// itself, with each neighbour along x, along y, and at the corners, and the sides along x and
    /// along y.
    ///
    /// # Errors
    /// The width is below [`MIN_WIDTH`](super::MIN_WIDTH), there are too many points or none, or a
    /// number is not finite.
    pub fn new(
        width: usize,
        height: usize,
        couplings: [f64; 4],
        sides: [Side; 2],
    ) -> Result<ConstantOperator> {
        check_sizes(width.saturating_mul(height), width)?;
        let bands = [Band::DD, Band::DU, Band::UD, Band::UU];
        for (band, value) in bands.into_iter().zip(couplings) {
            if !value.is_finite() {
                return Err(BandError::NotFinite { band, row: 0, value }.into());
            }
        }
        Ok(ConstantOperator { width, height, couplings, sides })
    }

    /// Returns the points along x and along y.
    pub fn points(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Returns the number of points.
    pub fn n(&self) -> usize {
        self.width * self.height
    }

    /// Returns the couplings of a point with itself, with each neighbour along x, along y, and at
    /// the corners.
    pub fn couplings(&self) -> [f64; 4] {
        self.couplings
    }

    /// Returns the sides along x and along y.
    pub fn sides(&self) -> [Side; 2] {
        self.sides
    }

    /// Returns the sum of the couplings of a point that has all its neighbours.
    pub fn row_sum(&self) -> f64 {
        let [middle, along_x, along_y, corner] = self.couplings;
        middle + 2.0 * along_x + 2.0 * along_y + 4.0 * corner
    }

    /// Returns whether it takes constants to zero.
    pub fn has_constant_null_space(&self) -> bool {
        let [middle, along_x, along_y, corner] = self.couplings;
        let others = [along_x, along_x, along_y, along_y, corner, corner, corner, corner];
        !self.sides.contains(&Side::Dirichlet) && Sums::of_row(middle, others).are_zero()
    }

    /// Returns the operator times a factor.
    pub fn times(&self, factor: f64) -> ConstantOperator {
        ConstantOperator { couplings: self.couplings.map(|coupling| factor * coupling), ..*self }
    }

    /// Returns the eigenvalue of a mode, where p and q are the squared sines of half of its
    /// [angles](Side::angle): a sum of terms, of which none cancels where the couplings have one
    /// sign.
    pub fn eigenvalue(&self, p: f64, q: f64) -> f64 {
        let [_, along_x, along_y, corner] = self.couplings;
        let (x, y) = (along_x + 2.0 * corner, along_y + 2.0 * corner);
        self.row_sum() - 4.0 * x * p - 4.0 * y * q + 16.0 * corner * p * q
    }

    /// Returns the coupling with the neighbour at a step.
    fn coupling(&self, (along_x, along_y): (isize, isize)) -> f64 {
        let [middle, x, y, corner] = self.couplings;
        match (along_x, along_y) {
            (0, 0) => middle,
            (_, 0) => x,
            (0, _) => y,
            _ => corner,
        }
    }

    /// Calls with the column and the coupling of each neighbour of a point: of neighbours beyond a
    /// side with those that stand for them, so that a column may come several times.
    pub(super) fn each(&self, x: usize, y: usize, mut call: impl FnMut(usize, usize, f64)) {
        for band in Band::ALL {
            let (along_x, along_y) = band.step();
            let at_x = self.sides[0].place(x, along_x, self.width);
            let at_y = self.sides[1].place(y, along_y, self.height);
            let coupling = self.coupling((along_x, along_y));
            if let (Some(x), Some(y)) = (at_x, at_y)
                && coupling != 0.0
            {
                call(x, y, coupling);
            }
        }
    }

    /// Returns the entry of a row and a column that are points of the grid.
    pub(super) fn entry(&self, (x, y): (usize, usize), column: (usize, usize)) -> f64 {
        let mut sum = 0.0;
        self.each(x, y, |x, y, coupling| {
            if (x, y) == column {
                sum += coupling;
            }
        });
        sum
    }

    /// Makes the matrix of the points of a block, whose bands are stored where sides change more
    /// than the diagonal.
    pub(super) fn block<T: Float>(&self, block: &Block) -> Result<NineBanded<T>> {
        if let Some(axis) = self.sides.iter().position(|side| *side == Side::Periodic) {
            return Err(BandError::Periodic { axis: ["x", "y"][axis] }.into());
        }
        if self.couplings[3] == 0.0 || self.sides == [Side::Dirichlet; 2] {
            let couplings = Band::ALL.map(|band| T::nearest(self.coupling(band.step())));
            let diagonal = |x, y| T::nearest(self.entry((x, y), (x, y)));
            return Ok(NineBanded::of_constant(super::Constant::new(block, couplings, diagonal)));
        }
        let (width, rows) = (block.width(), block.rows.clone());
        let mut bands = bands_by(|_| zeros::<T>(width * rows.len()))?;
        let points = rows.flat_map(|y| block.columns.clone().map(move |x| (x, y)));
        for (point, (x, y)) in points.enumerate() {
            for band in Band::ALL {
                let beside = band
                    .beside(x, y)
                    .filter(|(x, y)| block.columns.contains(x) && block.rows.contains(y));
                if let Some(beside) = beside {
                    bands[band.index()][point] = T::nearest(self.entry((x, y), beside));
                }
            }
        }
        NineBanded::new(width, bands)
    }

    /// Makes the matrix, of sides that are not periodic.
    ///
    /// # Errors
    /// [`BandError::Periodic`], and out of memory.
    pub fn matrix<T: Float>(&self) -> Result<NineBanded<T>> {
        self.block(&Block { columns: 0..self.width, rows: 0..self.height })
    }

    /// Returns the product A x in double precision. The process ends if there is no memory for it.
    ///
    /// # Panics
    /// If `x` has not `n` elements, as indexing a slice does.
    pub fn multiply_f64(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.n(), "x must have one element for each point");
        let mut y = vec![0.0; self.n()];
        self.add_product(x, &mut y);
        y
    }

    /// Adds A x to y.
    ///
    /// # Panics
    /// Where `x` or `y` is shorter than there are points.
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        self.add_product_of_rows(1.0, x, 0, &mut y[..self.n()]);
    }

    /// Adds `sign` A x to y in the rows from `first` on, one for each number of y.
    pub(crate) fn add_product_of_rows(&self, sign: f64, x: &[f64], first: usize, y: &mut [f64]) {
        let rows = first..first + y.len();
        for line in first / self.width..rows.end.div_ceil(self.width) {
            let from = (line * self.width).max(first);
            let to = ((line + 1) * self.width).min(rows.end);
            let columns = from - line * self.width..to - line * self.width;
            self.add_product_of_line(sign, x, (line, columns), &mut y[from - first..to - first]);
        }
    }

    /// Adds `sign` A x to y in some columns of a line of points.
    fn add_product_of_line(
        &self,
        sign: f64,
        x: &[f64],
        (line, columns): (usize, Range<usize>),
        y: &mut [f64],
    ) {
        let inner = columns.start.max(1)..columns.end.min(self.width - 1);
        for along_y in [-1, 0, 1] {
            let Some(other) = self.sides[1].place(line, along_y, self.height) else { continue };
            let of_line = &x[other * self.width..(other + 1) * self.width];
            let (here, beside) = (self.coupling((0, along_y)), self.coupling((1, along_y)));
            let (here, beside) = (sign * here, sign * beside);
            if inner.start < inner.end {
                let y = &mut y[inner.start - columns.start..inner.end - columns.start];
                let three = of_line[inner.start - 1..inner.end + 1].windows(3);
                for (y, three) in y.iter_mut().zip(three) {
                    *y += here * three[1] + beside * (three[0] + three[2]);
                }
            }
            for column in [0, self.width - 1] {
                if columns.contains(&column) {
                    let y = &mut y[column - columns.start];
                    *y += here * of_line[column];
                    for along_x in [-1, 1] {
                        if let Some(at) = self.sides[0].place(column, along_x, self.width) {
                            *y += beside * of_line[at];
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
