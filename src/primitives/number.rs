//! The numbers that primitives work on, and the operations that join them.

use crate::error::named;
use crate::gl::Element;
use crate::grid::Lane;
use crate::shader::Source;

/// A number of a vector on a device that primitives work on: `f32`, `i32` or `u32`. Integers wrap
/// around at 32 bits, as the device's do.
pub trait Number: Lane + Element {
    #[doc(hidden)]
    const DEFINE: &'static str;

    /// The define for a shader that makes other numbers of these.
    #[doc(hidden)]
    const FROM: &'static str;

    /// Returns the number as the host knows it, which is exact.
    #[doc(hidden)]
    fn double(self) -> f64;

    /// Returns whether this type has the number.
    #[doc(hidden)]
    fn holds(number: f64) -> bool;

    /// Returns the number that an operation with any other leaves unchanged.
    #[doc(hidden)]
    fn identity(operation: Operation) -> Self;

    /// Returns a texel whose first number is this.
    #[doc(hidden)]
    fn texel(self) -> Self::Quad;
}

/// An associative operation that joins two numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// The sum.
    #[default]
    Sum,
    /// The product.
    Product,
    /// The smaller; NaN if one is, on devices that keep NaN.
    Min,
    /// The greater; NaN if one is, on devices that keep NaN.
    Max,
}

impl Operation {
    fn define(self) -> &'static str {
        match self {
            Operation::Sum => "JOIN_SUM",
            Operation::Product => "JOIN_PRODUCT",
            Operation::Min => "JOIN_MIN",
            Operation::Max => "JOIN_MAX",
        }
    }
}

named!(Operation: "operation" { Sum: "sum", Product: "product", Min: "min", Max: "max" });

macro_rules! numbers {
    ($($number:ty, $define:literal, $from:literal, $least:expr, $greatest:expr;)*) => { $(
        impl Number for $number {
            const DEFINE: &'static str = $define;
            const FROM: &'static str = $from;

            fn double(self) -> f64 {
                f64::from(self)
            }

            fn holds(number: f64) -> bool {
                f64::from(number as $number) == number
            }

            fn identity(operation: Operation) -> Self {
                match operation {
                    Operation::Sum => 0 as $number,
                    Operation::Product => 1 as $number,
                    Operation::Min => $greatest,
                    Operation::Max => $least,
                }
            }

            fn texel(self) -> [$number; 4] {
                [self, 0 as $number, 0 as $number, 0 as $number]
            }
        }
    )* };
}

numbers! {
    f32, "NUMBER_FLOAT", "FROM_FLOAT", f32::NEG_INFINITY, f32::INFINITY;
    i32, "NUMBER_INT", "FROM_INT", i32::MIN, i32::MAX;
    u32, "NUMBER_UINT", "FROM_UINT", u32::MIN, u32::MAX;
}

/// Defines what numbers a shader works on, and how it joins them.
pub(super) fn define(number: &'static str, operation: Operation, source: Source) -> Source {
    source.define(number, 1).define(operation.define(), 1)
}
