//! A step of Jacobi on the CPU: `x_new[i] = x[i] + (b[i] - (A x)[i]) / DD[i]`.
//!
//! [`step_loop`] and [`step_bands`] are the two host versions of Göddeke's *GPGPU Performance
//! Tuning*, in single precision. Rows with all nine neighbours run over slices of one length, where
//! the compiler drops the bounds checks. [`step_f64`] is the twin of the tests.
//!
//! All are out of place, and panic if a vector has another length than the matrix.

use std::ops::Range;

use crate::data::{Band, NineBanded};

/// Takes a step in a single loop over the rows.
pub fn step_loop(matrix: &NineBanded, b: &[f32], x: &[f32], out: &mut [f32]) {
    check_lengths(matrix, &[b.len(), x.len(), out.len()]);
    let interior = interior(matrix.n(), matrix.m());
    for row in (0..interior.start).chain(interior.end..matrix.n()) {
        out[row] = edge_row(matrix, b, x, row);
    }
    interior_rows(matrix, b, x, interior.clone(), &mut out[interior]);
}

/// Takes a step with a pass over the vectors for each band, as a `daxpy` of BLAS would do it.
pub fn step_bands(matrix: &NineBanded, b: &[f32], x: &[f32], out: &mut [f32]) {
    check_lengths(matrix, &[b.len(), x.len(), out.len()]);
    out.copy_from_slice(b);
    for band in Band::ALL {
        let rows = band.rows(matrix.n(), matrix.m());
        if rows.is_empty() {
            continue;
        }
        let columns = shifted(&rows, band.offset(matrix.m()));
        subtract_product(&matrix.band(band)[rows.clone()], &x[columns], &mut out[rows]);
    }
    for ((out, &x), &diagonal) in out.iter_mut().zip(x).zip(matrix.band(Band::DD)) {
        *out = x + *out / diagonal;
    }
}

/// Takes a step in double precision.
pub fn step_f64(matrix: &NineBanded, b: &[f64], x: &[f64]) -> Vec<f64> {
    let product = matrix.multiply_f64(x);
    let diagonal = matrix.band(Band::DD);
    (0..matrix.n()).map(|i| x[i] + (b[i] - product[i]) / f64::from(diagonal[i])).collect()
}

/// Returns the 2-norm of `b - A x` over that of `b`; the norm itself where `b` is zero.
pub fn residual_f64(matrix: &NineBanded, x: &[f64], b: &[f64]) -> f64 {
    check_lengths(matrix, &[b.len()]);
    let product = matrix.multiply_f64(x);
    let norm = |squares: f64| squares.sqrt();
    let residual = norm(b.iter().zip(&product).map(|(b, p)| (b - p) * (b - p)).sum());
    let scale = norm(b.iter().map(|b| b * b).sum());
    if scale == 0.0 { residual } else { residual / scale }
}

/// Returns the rows whose nine neighbours are all inside the matrix.
fn interior(n: usize, m: usize) -> Range<usize> {
    let start = (m + 1).min(n);
    start..n.saturating_sub(m + 1).max(start)
}

/// Returns the columns that a band couples these rows to; all exist.
fn shifted(rows: &Range<usize>, offset: isize) -> Range<usize> {
    rows.start.wrapping_add_signed(offset)..rows.end.wrapping_add_signed(offset)
}

/// Computes a row, leaving out the neighbours outside the matrix.
fn edge_row(matrix: &NineBanded, b: &[f32], x: &[f32], row: usize) -> f32 {
    let product = Band::ALL.iter().fold(0.0, |sum, &band| {
        let column = row.checked_add_signed(band.offset(matrix.m()));
        let x = column.and_then(|column| x.get(column)).copied().unwrap_or(0.0);
        sum + matrix.band(band)[row] * x
    });
    x[row] + (b[row] - product) / matrix.band(Band::DD)[row]
}

/// Computes the rows with nine neighbours. Every slice is cut to the length of `out` first, so that
/// the loop has no check.
fn interior_rows(matrix: &NineBanded, b: &[f32], x: &[f32], rows: Range<usize>, out: &mut [f32]) {
    if rows.is_empty() {
        return;
    }
    let count = out.len();
    let a = Band::ALL.map(|band| &matrix.band(band)[rows.start..][..count]);
    let [dd, du, dl, ud, uu, ul, ld, lu, ll] = a;
    let neighbours =
        Band::ALL.map(|band| &x[shifted(&rows, band.offset(matrix.m())).start..][..count]);
    let [x, xdu, xdl, xud, xuu, xul, xld, xlu, xll] = neighbours;
    let b = &b[rows.start..][..count];
    for i in 0..count {
        let product = dd[i] * x[i]
            + du[i] * xdu[i]
            + dl[i] * xdl[i]
            + ud[i] * xud[i]
            + uu[i] * xuu[i]
            + ul[i] * xul[i]
            + ld[i] * xld[i]
            + lu[i] * xlu[i]
            + ll[i] * xll[i];
        out[i] = x[i] + (b[i] - product) / dd[i];
    }
}

fn subtract_product(band: &[f32], x: &[f32], out: &mut [f32]) {
    for ((out, &a), &x) in out.iter_mut().zip(band).zip(x) {
        *out -= a * x;
    }
}

fn check_lengths(matrix: &NineBanded, lengths: &[usize]) {
    let n = matrix.n();
    assert!(lengths.iter().all(|&length| length == n), "vectors must have length {n}: {lengths:?}");
}
