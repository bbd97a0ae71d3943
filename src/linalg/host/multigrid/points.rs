//! Smoothing by points.

use super::Nine;

/// Returns the sums of magnitudes of the rows.
fn magnitudes(a: &Nine) -> Vec<f64> {
    a.rows().iter().map(|nine| nine.iter().map(|number| number.abs()).sum()).collect()
}

/// Runs a sweep of Jacobi's iteration with the sums of magnitudes of the rows in the diagonal's
/// place.
pub(super) fn jacobi(a: &Nine, damping: f64, b: &[f64], x: &mut [f64]) {
    let residual = a.residual(b, x);
    for ((x, r), divisor) in x.iter_mut().zip(residual).zip(magnitudes(a)) {
        if divisor != 0.0 {
            *x += damping * r / divisor;
        }
    }
}
