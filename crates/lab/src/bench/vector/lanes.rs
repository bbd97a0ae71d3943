//! Programs of the paper on one core, some numbers at a time: the compiler keeps them in wide
//! registers, each a chain of its own. The paper's loops had no such thing.

use quadrille_vp::internal::reference::vectors::MULS_FACTORS;

/// Numbers that are worked on at a time.
const LANES: usize = 16;

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
