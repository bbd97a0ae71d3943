//! Diffusion with a coefficient at each point of a grid.

use super::nine_banded::zeros;
use super::{Band, Error, Float, MIN_WIDTH, NineBanded, Result};
use crate::Shape;

/// What is around the grid.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Boundary {
    /// Zeros, one spacing away, with the coefficient of the point beside them.
    Dirichlet,
    /// Nothing: no flux leaves the grid.
    Neumann,
}

/// The matrix of -div(k grad u) on a grid of `shape.cols` points along x and `shape.rows` along y, for a coefficient k
/// at each point, row by row: finite volumes around the points, zeros around the grid.
///
/// The coupling of two neighbours is minus the harmonic mean 2 a b / (a + b) of their coefficients, which keeps the flux the
/// same on both sides of a jump (Patankar 1980, 4.2-3). Beyond the edge the coefficient is that of the point at the edge. The
/// diagonal is the sum of the four means.
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
/// [`Error::Coefficient`] for one that is not above 0 and finite, [`Error::MatrixLength`] if there is not one for each
/// point, [`Error::WidthTooSmall`] and other errors of [`NineBanded::new`].
pub fn diffusion(shape: Shape, coefficients: &[f64]) -> Result<NineBanded<f64>> {
    if shape.len() != Some(coefficients.len()) {
        return Err(Error::MatrixLength { shape, got: coefficients.len() });
    }
    if shape.cols < MIN_WIDTH {
        return Err(Error::WidthTooSmall { m: shape.cols });
    }
    let is_bad = |k: &f64| !(*k > 0.0 && k.is_finite());
    if let Some(at) = coefficients.iter().position(is_bad) {
        let (column, row) = (at % shape.cols, at / shape.cols);
        return Err(Error::Coefficient { column, row, value: coefficients[at] });
    }
    build(shape.cols, coefficients, Boundary::Dirichlet, |mean| mean)
}

/// The same for whole rows of positive coefficients, with harmonic means that are rounded by a function.
pub(super) fn build<T: Float>(
    width: usize,
    coefficients: &[f64],
    boundary: Boundary,
    round: impl Fn(f64) -> f64,
) -> Result<NineBanded<T>> {
    let n = coefficients.len();
    let mut bands: [Vec<T>; 9] = Default::default();
    for band in &mut bands {
        *band = zeros(n)?;
    }
    for (point, &here) in coefficients.iter().enumerate() {
        let x = point % width;
        let neighbours = [
            (Band::LD, point >= width),
            (Band::DL, x > 0),
            (Band::DU, x + 1 < width),
            (Band::UD, point + width < n),
        ];
        let mut sum = 0.0;
        for (band, is_inside) in neighbours {
            let beside = point.wrapping_add_signed(band.offset(width));
            let mean =
                round(harmonic_mean(here, if is_inside { coefficients[beside] } else { here }));
            if is_inside {
                bands[band.index()][point] = T::nearest(-mean);
            }
            if is_inside || boundary == Boundary::Dirichlet {
                sum += mean;
            }
        }
        bands[Band::DD.index()][point] = T::nearest(sum);
    }
    NineBanded::new(width, bands)
}

/// 2 a b / (a + b), in the form that neither overflows nor becomes zero on the way; the same for (b, a).
fn harmonic_mean(a: f64, b: f64) -> f64 {
    let (less, more) = (a.min(b), a.max(b));
    less / (0.5 + 0.5 * (less / more))
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
