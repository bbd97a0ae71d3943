//! The types of numbers that files hold.

mod sealed {
    pub trait Sealed {}
}

/// A type of number that is written: `f32`, `f64`, `half::f16`, `i16`, `i32`, `u8` or `u32`.
pub trait Element: sealed::Sealed + bytemuck::Pod {
    /// NumPy's name of it.
    const DESCR: &'static str;
}

macro_rules! elements {
    ($($type:ty: $name:literal),*) => { $(
        impl sealed::Sealed for $type {}
        impl Element for $type {
            const DESCR: &'static str = $name;
        }
    )* };
}

elements!(f32: "f4", f64: "f8", half::f16: "f2", i16: "i2", i32: "i4", u8: "u1", u32: "u4");
