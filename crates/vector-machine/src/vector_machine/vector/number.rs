//! The two types of element: single-precision floats and unsigned bytes.

use quadrille::grid::Lane;

/// The element type of a vector: `f32` or `u8`.
pub trait Number: Lane {
    /// The name of the type.
    const NAME: &'static str;

    /// Whether the type is a byte, which a texture stores as a fraction of 255.
    const IS_BYTE: bool;

    /// Returns the number that a program reads.
    fn to_f32(self) -> f32;

    /// Returns the element for a result of a program: a byte is x + 0.5 without its fraction, at
    /// least 0 and at most 255, and 0 for NaN.
    fn from_f32(number: f32) -> Self;
}

impl Number for f32 {
    const NAME: &'static str = "f32";
    const IS_BYTE: bool = false;

    fn to_f32(self) -> f32 {
        self
    }

    fn from_f32(number: f32) -> f32 {
        number
    }
}

impl Number for u8 {
    const NAME: &'static str = "u8";
    const IS_BYTE: bool = true;

    fn to_f32(self) -> f32 {
        f32::from(self)
    }

    fn from_f32(number: f32) -> u8 {
        // A cast saturates, and takes NaN to 0.
        (number.clamp(0.0, 255.0) + 0.5) as u8
    }
}

/// Returns a number after an 8-bit pixel: clamped to 0..1 and rounded to a multiple of 1/255.
pub(crate) fn through_pixel(number: f32) -> f32 {
    f32::from((number.clamp(0.0, 1.0) * 255.0 + 0.5) as u8) / 255.0
}

#[cfg(test)]
mod tests {
    use super::{Number, through_pixel};

    #[test]
    fn bytes_saturate_and_round() {
        let bytes = [-3.0, 0.49, 0.5, 254.5, 720.0, f32::NAN, f32::INFINITY].map(u8::from_f32);
        assert_eq!(bytes, [0, 0, 1, 255, 255, 0, 255]);
    }

    #[test]
    fn pixels_keep_eight_bits() {
        assert_eq!(through_pixel(0.5), 128.0 / 255.0);
        assert_eq!([-1.0, 1.0, 7.0].map(through_pixel), [0.0, 1.0, 1.0]);
    }
}
