//! The types of numbers that are written.

mod sealed {
    pub trait Sealed {}
}

/// A type of number that is written in parts: `f32`, `f64`, `i16` or `i32`.
pub trait Element: sealed::Sealed + bytemuck::Pod {
    /// NumPy's name of it.
    const NAME: &'static str;
}

macro_rules! elements {
    ($($type:ty: $name:literal),*) => { $(
        impl sealed::Sealed for $type {}
        impl Element for $type {
            const NAME: &'static str = $name;
        }
    )* };
}

elements!(f32: "f4", f64: "f8", i16: "i2", i32: "i4");

/// Returns the type in the header: in this machine's order of bytes, in which numbers are written
/// as they are.
pub(super) fn descr<T: Element>() -> String {
    let order = if cfg!(target_endian = "little") { '<' } else { '>' };
    format!("{order}{}", T::NAME)
}
