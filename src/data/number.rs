//! The numbers that matrices are made of.

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
}

/// A type of number that a [`Matrix`](super::Matrix) can hold: `f32`, `i16` or `i32`. Integers wrap
/// as their type does.
pub trait Number:
    sealed::Sealed
    + bytemuck::Pod
    + Default
    + PartialEq
    + PartialOrd
    + std::fmt::Debug
    + std::fmt::Display
{
    /// What the command calls it, as the CUDA document does: `float`, `short`, `int`.
    const NAME: &'static str;

    /// This number and the product of two others: rounded after each operation, or wrapped.
    fn plus_product(self, a: Self, b: Self) -> Self;

    /// The same number in double precision.
    fn to_f64(self) -> f64;
}

impl Number for f32 {
    const NAME: &'static str = "float";

    fn plus_product(self, a: f32, b: f32) -> f32 {
        self + a * b
    }

    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Number for i16 {
    const NAME: &'static str = "short";

    fn plus_product(self, a: i16, b: i16) -> i16 {
        self.wrapping_add(a.wrapping_mul(b))
    }

    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Number for i32 {
    const NAME: &'static str = "int";

    fn plus_product(self, a: i32, b: i32) -> i32 {
        self.wrapping_add(a.wrapping_mul(b))
    }

    fn to_f64(self) -> f64 {
        self.into()
    }
}
