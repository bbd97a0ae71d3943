//! The paper's programs on one core, as the paper has them: straight loops over arrays, one number
//! after the other, in single precision, with the multiplications of the vertex programs.

use std::f32::consts::PI;
use std::hint::black_box;

use quadrille_vp::internal::reference::vectors::MULS_FACTORS;

/// log(pi x^3), natural.
pub(super) fn arithmetic(x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = (PI * (x * x * x)).ln();
    }
}

/// x^50, by 49 multiplications. A compiler that knows how many would unroll them and work on
/// several numbers at a time, as [`lanes`](super::lanes) does, which the paper's Visual C++ 6.0
/// could not.
pub(super) fn exponents(x: &[f32], y: &mut [f32]) {
    let exponent = black_box(50);
    for (y, x) in y.iter_mut().zip(x) {
        let mut power = *x;
        for _ in 1..exponent {
            power *= x;
        }
        *y = power;
    }
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
    let opcodes = black_box(opcodes);
    for (y, x) in y.iter_mut().zip(x) {
        let mut product = *x;
        for i in 0..opcodes {
            product *= MULS_FACTORS[i % 2];
        }
        *y = product;
    }
}
