//! Diffusion with a coefficient at each point of a grid.

use crate::data::nine_banded::diffusion::{Diffusion, harmonic_mean};
use crate::data::nine_banded::{check_sizes, zeros};
use crate::data::{Band, Block, Error, Float, MIN_WIDTH, NineBanded, Result};
use crate::{Shape, memory};

/// Returns the matrix of -div(k grad u) on a grid of `shape.cols` points along x and `shape.rows`
/// along y, for a coefficient k at each point, row by row: finite volumes around the points, zeros
/// around the grid. It keeps the coefficients and no [bands](crate::data::Form).
///
/// The coupling of two neighbours is minus the harmonic mean 2 a b / (a + b) of their coefficients,
/// which keeps the flux the same on both sides of a jump (Patankar 1980, 4.2-3). Beyond the edge
/// the coefficient is that of the point at the edge. The diagonal is the sum of the four means.
///
/// ```
/// use quadrille::{Shape, data};
///
/// let matrix = data::diffusion(Shape::new(1, 3), &[1.0, 3.0, 3.0])?;
/// assert_eq!((matrix.entry(0, 1), matrix.entry(1, 2)), (-1.5, -3.0));
/// assert_eq!(matrix.entry(0, 0), 1.0 + 1.5 + 1.0 + 1.0);
/// # Ok::<(), data::Error>(())
/// ```
///
/// # Errors
/// [`Error::Coefficient`] for one that is not above 0 and finite, [`Error::MatrixLength`] if there
/// is not one for each point, [`Error::WidthTooSmall`] and other errors of [`NineBanded::new`].
pub fn diffusion(shape: Shape, coefficients: &[f64]) -> Result<NineBanded<f64>> {
    if shape.len() != Some(coefficients.len()) {
        return Err(Error::MatrixLength { shape, got: coefficients.len() });
    }
    let whole = Block { columns: 0..shape.cols, rows: 0..shape.rows };
    check_sizes(coefficients.len(), shape.cols)?;
    Coefficients { grid: shape, known: &whole, numbers: coefficients }.check()?;
    let field = Diffusion::new(shape.cols, memory::copied(coefficients)?);
    match field.diagonal_bounds().1.is_finite() {
        true => Ok(NineBanded::of_diffusion(field)),
        // Where a sum is not, the error says where.
        false => build(
            Coefficients { grid: shape, known: &whole, numbers: coefficients },
            &whole,
            |mean| mean,
        ),
    }
}

/// Returns the matrix of the points of a block, as [`NineBanded::block`] takes it from that of a
/// whole grid. `coefficients` has those of the block's points and of the points around them,
/// `block.grown(1, ..)`, row by row.
///
/// # Errors
/// As [`diffusion`], and [`Error::Block`] for a block that is empty or not in the grid.
pub fn diffusion_block(
    grid: Shape,
    block: &Block,
    coefficients: &[f64],
) -> Result<NineBanded<f64>> {
    let points =
        grid.len().ok_or(Error::TooLarge { what: "the number of unknowns", got: usize::MAX })?;
    block.must_be_in(points, grid.cols)?;
    let known = block.grown(1, points, grid.cols);
    let shape = Shape::new(known.rows.len(), known.width());
    if shape.len() != Some(coefficients.len()) {
        return Err(Error::MatrixLength { shape, got: coefficients.len() });
    }
    Coefficients { grid, known: &known, numbers: coefficients }.matrix(block)
}

/// Coefficients of the points of a block of a grid.
#[derive(Clone, Copy)]
pub(in crate::data) struct Coefficients<'a> {
    pub(super) grid: Shape,
    pub(in crate::data) known: &'a Block,
    pub(in crate::data) numbers: &'a [f64],
}

impl Coefficients<'_> {
    fn at(&self, x: usize, y: usize) -> f64 {
        let row = y - self.known.rows.start;
        self.numbers[row * self.known.width() + x - self.known.columns.start]
    }

    /// Returns the matrix of numbers that were not looked at yet.
    fn matrix(self, block: &Block) -> Result<NineBanded<f64>> {
        if block.width() < MIN_WIDTH {
            return Err(Error::WidthTooSmall { m: block.width() });
        }
        self.check()?;
        build(self, block, |mean| mean)
    }

    /// Refuses a coefficient that is not positive and finite, with its place.
    fn check(self) -> Result<()> {
        let is_bad = |k: &f64| !(*k > 0.0 && k.is_finite());
        if let Some(at) = self.numbers.iter().position(is_bad) {
            let column = self.known.columns.start + at % self.known.width();
            let row = self.known.rows.start + at / self.known.width();
            return Err(Error::Coefficient { column, row, value: self.numbers[at] });
        }
        Ok(())
    }
}

/// Builds the matrix for the points of a block, from positive coefficients of these points and
/// those around them. A function rounds the harmonic means.
pub(super) fn build<T: Float>(
    coefficients: Coefficients<'_>,
    block: &Block,
    round: impl Fn(f64) -> f64,
) -> Result<NineBanded<T>> {
    let (grid, width) = (coefficients.grid, block.width());
    let mut bands: [Vec<T>; 9] = Default::default();
    for band in &mut bands {
        *band = zeros(width * block.rows.len())?;
    }
    let points = block.rows.clone().flat_map(|y| block.columns.clone().map(move |x| (x, y)));
    for (point, (x, y)) in points.enumerate() {
        let here = coefficients.at(x, y);
        let mut sum = 0.0;
        for band in [Band::LD, Band::DL, Band::DU, Band::UD] {
            let beside = band.beside(x, y).filter(|(x, y)| *x < grid.cols && *y < grid.rows);
            let mean =
                round(harmonic_mean(here, beside.map_or(here, |(x, y)| coefficients.at(x, y))));
            if beside.is_some_and(|(x, y)| block.columns.contains(&x) && block.rows.contains(&y)) {
                bands[band.index()][point] = T::nearest(-mean);
            }
            sum += mean;
        }
        bands[Band::DD.index()][point] = T::nearest(sum);
    }
    NineBanded::new(width, bands)
}

#[cfg(test)]
mod tests {
    use super::harmonic_mean;

    #[test]
    fn harmonic_means_are_those_of_the_formula_at_every_scale() {
        for (a, b) in [(1.0, 1000.0), (0.3, 0.7), (5.0, 5.0), (1e-3, 1e3)] {
            let formula = 2.0 * a * b / (a + b);
            assert!((harmonic_mean(a, b) - formula).abs() <= 4.0 * f64::EPSILON * formula);
            assert_eq!(harmonic_mean(a, b), harmonic_mean(b, a));
        }
        assert_eq!(harmonic_mean(1e308, 1e308), 1e308);
        assert_eq!(harmonic_mean(1e-308, 1e-308), 1e-308);
        assert_eq!(harmonic_mean(1e-300, 1e300), 2e-300);
    }
}
