//! Computes the programs of Thompson, Hahn and Oskin (2002) in double precision.

use std::f64::consts::PI;

/// The factors by which [`muls`] multiplies in turn. Their product is 1, so that any number of them
/// neither overflows nor underflows.
pub const MULS_FACTORS: [f32; 2] = [1.25, 0.8];

/// Returns log(pi x^3), the natural logarithm.
pub fn arithmetic(x: f32) -> f64 {
    (PI * f64::from(x).powi(3)).ln()
}

/// Returns x^50.
pub fn exponents(x: f32) -> f64 {
    let x = f64::from(x);
    (1..50).fold(x, |power, _| power * x)
}

/// Returns x! of a whole number; 0! = 1.
pub fn factorial(x: f32) -> f64 {
    (1..=x as u32).map(f64::from).product()
}

/// Returns the factorial of figure 3 in Thompson, Hahn and Oskin (2002), where 0! = 0.
pub fn factorial_of_2002(x: f32) -> f64 {
    if x == 0.0 { 0.0 } else { factorial(x) }
}

/// Multiplies x this number of times, by the factors in turn.
pub fn muls(x: f32, opcodes: usize) -> f64 {
    let factors = MULS_FACTORS.map(f64::from).into_iter().cycle();
    factors.take(opcodes).fold(f64::from(x), |product, factor| product * factor)
}

/// Returns 2^x.
pub fn exp2(x: f32) -> f64 {
    f64::from(x).exp2()
}

/// Returns the logarithm of |x| to the base 2.
pub fn log2(x: f32) -> f64 {
    f64::from(x).abs().log2()
}

/// Returns the dot product of two vectors of one length.
pub fn dot(x: &[f32], y: &[f32]) -> f64 {
    x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// Returns the sum of a vector's squares.
pub fn sum_of_squares(x: &[f32]) -> f64 {
    dot(x, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_a_calculator_says() {
        assert!((arithmetic(2.0) - 3.224_171_427_529_236).abs() < 1e-14);
        assert_eq!(exponents(2.0), 1_125_899_906_842_624.0);
        let factorials = [0.0, 1.0, 2.0, 5.0, 9.0].map(factorial);
        assert_eq!(factorials, [1.0, 1.0, 2.0, 120.0, 362_880.0]);
        assert_eq!([0.0, 1.0, 9.0].map(factorial_of_2002), [0.0, 1.0, 362_880.0]);
        assert_eq!([muls(3.0, 0), muls(3.0, 1)], [3.0, 3.75]);
        assert!((muls(3.0, 120) - 3.0).abs() < 1e-5);
        assert_eq!([exp2(3.0), log2(-8.0)], [8.0, 3.0]);
        assert_eq!(dot(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 32.0);
        assert_eq!(sum_of_squares(&[3.0, 4.0]), 25.0);
    }
}
