//! The numbers that nine-banded matrices are made of.

use crate::data::Element;

/// A type of number that a [`NineBanded`](crate::data::NineBanded) matrix can hold: `f32` or `f64`.
pub trait Float:
    Element + Default + Send + Sync + PartialOrd + Into<f64> + std::fmt::Debug + std::fmt::Display
{
    /// The name of the type in messages, with its largest number.
    const PRECISION: &'static str;

    /// Returns the nearest number of this type; an infinity beyond the largest.
    fn nearest(number: f64) -> Self;
}

impl Float for f32 {
    const PRECISION: &'static str = "single precision (largest 3.4028235e38)";

    fn nearest(number: f64) -> f32 {
        number as f32
    }
}

impl Float for f64 {
    const PRECISION: &'static str = "double precision (largest 1.7976931348623157e308)";

    fn nearest(number: f64) -> f64 {
        number
    }
}
