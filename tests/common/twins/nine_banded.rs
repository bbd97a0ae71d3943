//! Products with a nine-banded matrix in double precision, row by row.

use quadrille::data::{Band, NineBanded};

/// Returns the product A x.
pub fn product(matrix: &NineBanded, x: &[f32]) -> Vec<f64> {
    (0..matrix.n()).map(|row| terms(matrix, x, row).sum()).collect()
}

/// Returns the residual b - A x.
pub fn residual(matrix: &NineBanded, b: &[f32], x: &[f32]) -> Vec<f64> {
    b.iter().zip(product(matrix, x)).map(|(b, product)| f64::from(*b) - product).collect()
}

/// Returns the magnitudes of the terms of a product in differences, s_i x_i + sum a_ij (x_j - x_i)
/// with s_i the sum of row i: its error is a small multiple.
pub fn magnitudes(matrix: &NineBanded, x: &[f32]) -> Vec<f64> {
    let of_row = |row: usize| {
        let here = f64::from(x[row]);
        let differences = Band::ALL.into_iter().filter_map(|band| {
            let column = row.checked_add_signed(band.offset(matrix.m()))?;
            Some(f64::from(matrix.band(band)[row]) * (f64::from(*x.get(column)?) - here))
        });
        let sum: f64 = Band::ALL.iter().map(|band| f64::from(matrix.band(*band)[row])).sum();
        (sum * here).abs() + differences.map(f64::abs).sum::<f64>()
    };
    (0..matrix.n()).map(of_row).collect()
}

fn terms(matrix: &NineBanded, x: &[f32], row: usize) -> impl Iterator<Item = f64> {
    Band::ALL.into_iter().filter_map(move |band| {
        let column = row.checked_add_signed(band.offset(matrix.m()))?;
        Some(f64::from(matrix.band(band)[row]) * f64::from(*x.get(column)?))
    })
}
