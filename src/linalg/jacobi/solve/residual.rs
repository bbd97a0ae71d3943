//! The residual that is reported: in double precision, of the host's matrix and of x as it is
//! returned.
//!
//! Devices may take very small values for zero, in a step as in their residual, and x is rounded
//! once more when the scaling is undone. The device's residual shows neither.

use crate::data::{Band, Block, NineBanded};

/// Rows in a block, which stay in the fastest cache for all nine bands.
const ROWS: usize = 1024;

/// Returns the 2-norm of b - A x over that of b; the norm of b - A x itself if b is zero. It takes
/// 18 n operations and no memory: 9 ns an unknown on one core, about as long as an iteration on a
/// software renderer.
pub(super) fn relative_residual(matrix: &NineBanded, x: &[f32], rhs: &[f32]) -> f64 {
    let whole = Block::whole(matrix.n(), matrix.m());
    let (residual, scale) = (residual_squares(matrix, x, rhs, &whole).sqrt(), norm(rhs));
    if scale == 0.0 { residual } else { residual / scale }
}

/// Returns the sum of the squares of b - A x over the rows of a block.
pub(crate) fn residual_squares(matrix: &NineBanded, x: &[f32], rhs: &[f32], of: &Block) -> f64 {
    let (n, m) = (matrix.n(), matrix.m());
    let mut squares = 0.0;
    for (chunk, rhs) in rhs.chunks(ROWS).enumerate() {
        let start = chunk * ROWS;
        let mut rest = [0.0; ROWS];
        rest.iter_mut().zip(rhs).for_each(|(rest, b)| *rest = f64::from(*b));
        for band in Band::ALL {
            let inside = band.rows(n, m);
            let (first, end) = (inside.start.max(start), inside.end.min(start + rhs.len()));
            if first >= end {
                continue;
            }
            let column = first.wrapping_add_signed(band.offset(m));
            let entries = &matrix.band(band)[first..end];
            let products =
                entries.iter().zip(&x[column..]).map(|(a, x)| f64::from(*a) * f64::from(*x));
            rest[first - start..]
                .iter_mut()
                .zip(products)
                .for_each(|(rest, product)| *rest -= product);
        }
        for row in start / m..(start + rhs.len()).div_ceil(m) {
            if of.rows.contains(&row) {
                let numbers = of.in_row(row, n, m);
                let (first, end) = (numbers.start.max(start), numbers.end.min(start + rhs.len()));
                // A chunk may begin or end beside what is owned of a row.
                if first < end {
                    let squared = |rest: &f64| rest * rest;
                    squares += rest[first - start..end - start].iter().map(squared).sum::<f64>();
                }
            }
        }
    }
    squares
}

/// Returns the 2-norm, in double precision.
pub(crate) fn norm(numbers: &[f32]) -> f64 {
    numbers.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::random_couplings;
    use crate::reference::jacobi::residual_f64;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn it_is_the_twins_at_every_size_and_sees_one_wrong_unknown() {
        let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        let mut next = || generator.random_range(-1.0..1.0_f32);
        for (n, m) in [(1, 3), (2, 5), (61, 8), (1023, 31), (1024, 32), (1025, 1024), (5000, 1500)]
        {
            let matrix = random_couplings(n, m, &mut next).unwrap();
            let mut vector = || -> Vec<f32> { (0..n).map(|_| next()).collect() };
            let (mut x, rhs) = (vector(), vector());
            let wide =
                |numbers: &[f32]| -> Vec<f64> { numbers.iter().map(|x| f64::from(*x)).collect() };
            let twin = residual_f64(&matrix, &wide(&x), &wide(&rhs));
            let got = relative_residual(&matrix, &x, &rhs);
            assert!((got - twin).abs() <= 1e-12 * twin, "{n} in rows of {m}: {got}, {twin}");
            x[n / 2] += 0.25;
            assert!((relative_residual(&matrix, &x, &rhs) - twin).abs() > 1e-6 * twin, "{n}");
            x[n / 2] = f32::NAN;
            assert!(relative_residual(&matrix, &x, &rhs).is_nan(), "{n}");
        }
    }
}
