//! Powers of two that bring numbers near 1, so that neither they nor their squares leave the range
//! of floats.

/// Returns the largest magnitude.
pub(crate) fn largest(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |most, number| most.max(number.abs()))
}

/// Returns the power of two that scales a magnitude near 1, which rounds nothing; 1 for 0, infinity
/// and NaN.
pub(crate) fn scale_of(magnitude: f32) -> f32 {
    if !(magnitude > 0.0 && magnitude.is_finite()) {
        return 1.0;
    }
    // The exponent alone; within these ends its reciprocal is a normal number too.
    let power = f32::from_bits(magnitude.to_bits() & 0x7f80_0000);
    power.clamp(f32::MIN_POSITIVE, f32::MIN_POSITIVE.recip()).recip()
}
