//! The paper's programs on one core: plain loops in single precision, with the multiplications of
//! the vertex programs.
//!
//! A loop over some numbers at a time lets the compiler keep them in wide registers, each a chain of
//! its own.

use std::f32::consts::PI;

use quadrille_vp::internal::reference::vectors::MULS_FACTORS;

/// Numbers that are worked on at a time.
const LANES: usize = 16;

/// log(pi x^3), natural.
pub(super) fn arithmetic(x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = (PI * (x * x * x)).ln();
    }
}

/// x^50, by 49 multiplications.
pub(super) fn exponents(x: &[f32], y: &mut [f32]) {
    by_lanes(x, y, |factors| {
        let mut powers = factors;
        for _ in 1..50 {
            for (power, factor) in powers.iter_mut().zip(factors) {
                *power *= factor;
            }
        }
        powers
    });
}

/// x!, by as many multiplications as it takes.
pub(super) fn factorial(x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        let (mut product, mut factor) = (1.0, *x);
        while factor >= 2.0 {
            product *= factor;
            factor -= 1.0;
        }
        *y = product;
    }
}

/// x multiplied a number of times, alternately by two factors.
pub(super) fn muls(x: &[f32], y: &mut [f32], opcodes: usize) {
    by_lanes(x, y, |mut products| {
        for i in 0..opcodes {
            let factor = MULS_FACTORS[i % 2];
            products.iter_mut().for_each(|product| *product *= factor);
        }
        products
    });
}

/// Applies a function of some lanes to all of a vector; the last lanes may be empty.
fn by_lanes(x: &[f32], y: &mut [f32], function: impl Fn([f32; LANES]) -> [f32; LANES]) {
    let (whole, rest) = x.as_chunks::<LANES>();
    let (results, last) = y.as_chunks_mut::<LANES>();
    for (result, numbers) in results.iter_mut().zip(whole) {
        *result = function(*numbers);
    }
    let mut padded = [1.0; LANES];
    padded.iter_mut().zip(rest).for_each(|(lane, number)| *lane = *number);
    let padded = function(padded);
    last.iter_mut().zip(padded).for_each(|(number, lane)| *number = lane);
}
