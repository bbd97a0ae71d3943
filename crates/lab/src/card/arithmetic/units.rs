//! Units in the last place of a result that is known to more places.

/// The distance between floats around a number; denormals count as the smallest normal ones.
pub(crate) fn unit(exact: f64) -> f64 {
    let size = exact.abs().max(f64::from(f32::MIN_POSITIVE));
    // The exponent's bits, since a logarithm may round up to the next one.
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    2.0_f64.powi(exponent - 23)
}

/// Returns the error of a float in units in the last place. The unit is that of the result, or of
/// the largest number on the way to it, whose rounding no one could avoid.
pub(crate) fn units_off(got: f32, exact: f64, largest: f64) -> f64 {
    let error = (f64::from(got) - exact).abs();
    if error.is_nan() { f64::INFINITY } else { error / unit(exact.abs().max(largest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_exact_result() {
        assert_eq!(units_off(1.0, 1.0, 0.0), 0.0);
        assert_eq!(units_off(1.0 + f32::EPSILON, 1.0, 0.0), 1.0);
        assert_eq!(units_off(4.0, 4.0 - 2.0 * f64::from(f32::EPSILON), 0.0), 1.0);
        assert_eq!(units_off(f32::NAN, 1.0, 0.0), f64::INFINITY);
        assert_eq!(units_off(f32::INFINITY, 1.0, 0.0), f64::INFINITY);
    }

    #[test]
    fn a_cancelled_sum_is_judged_by_what_was_cancelled() {
        assert_eq!(units_off(f32::EPSILON, 0.0, 1.0), 1.0);
        assert_eq!(unit(f64::from(f32::MIN_POSITIVE)), unit(1e-45));
    }
}
