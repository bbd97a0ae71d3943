//! The numbers that matrices are made of.

use crate::data::Element;

/// A type of number that a [`Matrix`](crate::data::Matrix) can hold: `f32`, `i16` or `i32`.
/// Integers wrap as their type does.
pub trait Number:
    Element + Send + Sync + Default + PartialEq + PartialOrd + std::fmt::Debug + std::fmt::Display
{
    /// The name in the command and in the CUDA tutorial: `float`, `short`, `int`.
    const NAME: &'static str;

    /// Whether it rounds; integers wrap.
    const IS_FLOAT: bool;

    /// The number 1.
    const ONE: Self;

    /// Adds the product of two other numbers: rounded after each operation, or wrapped.
    fn plus_product(self, a: Self, b: Self) -> Self;

    /// Returns the number in double precision.
    fn to_f64(self) -> f64;

    /// Returns the nearest number of this type, if any: no integer is near a fraction, and no
    /// finite float is near a number that exceeds them all.
    fn from_f64(number: f64) -> Option<Self>;

    /// Returns exactly this number, where this type has it.
    fn from_i64(number: i64) -> Option<Self>;

    /// Creates a number from the upper of 64 random bits: a float uniform in [-1, 1), an integer
    /// over its full range.
    fn from_random_bits(bits: u64) -> Self;
}

impl Number for f32 {
    const NAME: &'static str = "float";
    const IS_FLOAT: bool = true;
    const ONE: f32 = 1.0;

    fn plus_product(self, a: f32, b: f32) -> f32 {
        self + a * b
    }

    fn to_f64(self) -> f64 {
        self.into()
    }

    fn from_f64(number: f64) -> Option<f32> {
        let single = number as f32;
        (single.is_finite() || !number.is_finite()).then_some(single)
    }

    fn from_i64(number: i64) -> Option<f32> {
        let single = number as f32;
        // Through i128: 2^63 as a float would saturate on its way back to i64.
        (single as i128 == i128::from(number)).then_some(single)
    }

    fn from_random_bits(bits: u64) -> f32 {
        // 24 bits, as many as a float has: no step of this rounds.
        (bits >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

macro_rules! integers {
    ($($type:ty: $name:literal),*) => { $(
        impl Number for $type {
            const NAME: &'static str = $name;
            const IS_FLOAT: bool = false;
            const ONE: $type = 1;

            fn plus_product(self, a: $type, b: $type) -> $type {
                self.wrapping_add(a.wrapping_mul(b))
            }

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn from_f64(number: f64) -> Option<$type> {
                let integer = number as $type;
                (integer.to_f64() == number).then_some(integer)
            }

            fn from_i64(number: i64) -> Option<$type> {
                number.try_into().ok()
            }

            fn from_random_bits(bits: u64) -> $type {
                (bits >> (u64::BITS - <$type>::BITS)) as $type
            }
        }
    )* };
}

integers!(i16: "short", i32: "int");

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn floats_take_the_nearest_and_integers_the_same() {
        assert_eq!(f32::from_f64(0.1), Some(0.1));
        assert_eq!(f32::from_f64(1e39), None);
        assert_eq!(f32::from_f64(f64::INFINITY), Some(f32::INFINITY));
        assert!(f32::from_f64(f64::NAN).is_some_and(f32::is_nan));
        assert_eq!(i16::from_f64(-32768.0), Some(i16::MIN));
        assert_eq!([32768.0, 0.5, f64::NAN].map(i16::from_f64), [None; 3]);
    }

    #[test]
    fn an_integer_becomes_itself_or_nothing() {
        assert_eq!([1 << 24, (1 << 24) + 1].map(f32::from_i64), [Some(16777216.0), None]);
        assert_eq!(f32::from_i64(i64::MAX), None);
        assert_eq!([-32768, 32768].map(i16::from_i64), [Some(i16::MIN), None]);
        assert_eq!([1 << 31, -(1 << 31)].map(i32::from_i64), [None, Some(i32::MIN)]);
    }

    #[test]
    fn random_bits_reach_both_ends_of_the_range() {
        assert_eq!(f32::from_random_bits(0), -1.0);
        assert_eq!(f32::from_random_bits(u64::MAX), 1.0 - f32::EPSILON);
        assert_eq!([0, 1 << 63, u64::MAX].map(i16::from_random_bits), [0, i16::MIN, -1]);
    }
}
