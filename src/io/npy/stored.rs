//! Numbers as files hold them, and as arrays hold them after reading.

use std::path::Path;

use super::super::error::{no_memory, whole_file};
use super::{Error, Result};
use crate::data::{Float, Number};
use crate::error::Place;
use crate::memory;

/// A number as arrays hold it after reading: those of matrices, doubles, and unsigned ones.
pub(crate) trait InMemory: Copy + Default {
    const IS_FLOAT: bool;
    const UNSIGNED: bool;

    /// Returns the nearest number of this type, if any.
    fn near(number: f64) -> Option<Self>;

    /// Returns exactly this number, where this type has it.
    fn exactly(number: i64) -> Option<Self>;

    fn double(self) -> f64;
}

impl<T: Number> InMemory for T {
    const IS_FLOAT: bool = T::IS_FLOAT;
    const UNSIGNED: bool = false;

    fn near(number: f64) -> Option<T> {
        T::from_f64(number)
    }

    fn exactly(number: i64) -> Option<T> {
        T::from_i64(number)
    }

    fn double(self) -> f64 {
        self.to_f64()
    }
}

impl InMemory for u32 {
    const IS_FLOAT: bool = false;
    const UNSIGNED: bool = true;

    fn near(number: f64) -> Option<u32> {
        let integer = number as u32;
        (f64::from(integer) == number).then_some(integer)
    }

    fn exactly(number: i64) -> Option<u32> {
        number.try_into().ok()
    }

    fn double(self) -> f64 {
        self.into()
    }
}

impl InMemory for f64 {
    const IS_FLOAT: bool = true;
    const UNSIGNED: bool = false;

    fn near(number: f64) -> Option<f64> {
        Some(number)
    }

    fn exactly(number: i64) -> Option<f64> {
        let double = number as f64;
        // Through i128: 2^63 as a float would saturate on its way back to i64.
        (double as i128 == i128::from(number)).then_some(double)
    }

    fn double(self) -> f64 {
        self
    }
}

/// A number as files hold it.
pub(super) trait Stored: Copy {
    /// Returns the number of as many bytes as it has, the highest first where they are `big`.
    fn of(bytes: &[u8], big: bool) -> Self;

    /// Converts the number to another type; `None` if it is not representable there.
    fn turned<T: InMemory>(self) -> Option<T>;

    /// Returns the error of a number that is not representable in that type.
    fn misfit<T: InMemory>(self, place: Place, at: String) -> Error;

    /// Returns whether the conversion rounded the number.
    fn is_rounded_to<T: InMemory>(self, _number: T) -> bool {
        false
    }
}

/// Appends the values that the bytes of a file hold, and returns whether one was rounded. `index_text` names
/// one that is not representable, by how many are before it in these bytes.
pub(super) fn append<F: Stored, T: InMemory>(
    path: &Path,
    (bytes, big): (&[u8], bool),
    values: &mut Vec<T>,
    index_text: impl Fn(usize) -> String,
) -> Result<bool> {
    let mut rounded = false;
    for (at, bytes) in bytes.chunks_exact(size_of::<F>()).enumerate() {
        let stored = F::of(bytes, big);
        let Some(value) = stored.turned::<T>() else {
            return Err(stored.misfit::<T>(whole_file(path), index_text(at)));
        };
        rounded |= stored.is_rounded_to(value);
        memory::push(values, value).map_err(no_memory(path))?;
    }
    Ok(rounded)
}

macro_rules! in_bytes {
    () => {
        fn of(bytes: &[u8], big: bool) -> Self {
            let mut own = [0; size_of::<Self>()];
            own.copy_from_slice(bytes);
            if big { Self::from_be_bytes(own) } else { Self::from_le_bytes(own) }
        }
    };
}

/// As NumPy has it: any bit is true.
macro_rules! in_a_byte {
    () => {
        fn of(bytes: &[u8], _: bool) -> Self {
            bytes != [0]
        }
    };
}

macro_rules! stored_floats {
    ($($type:ty),*) => { $(
        impl Stored for $type {
            in_bytes!();

            fn turned<T: InMemory>(self) -> Option<T> {
                T::near(self.into())
            }

            // Doubles hold all of them.
            fn misfit<T: InMemory>(self, place: Place, at: String) -> Error {
                Error::Overflow { place, at, value: format!("{self:e}"), precision: f32::PRECISION }
            }

            fn is_rounded_to<T: InMemory>(self, number: T) -> bool {
                self.is_finite() && number.double() != f64::from(self)
            }
        }
    )* };
}

macro_rules! stored_integers {
    ($bytes:ident: $($type:ty),*) => { $(
        impl Stored for $type {
            $bytes!();

            fn turned<T: InMemory>(self) -> Option<T> {
                T::exactly(self.into())
            }

            fn misfit<T: InMemory>(self, place: Place, at: String) -> Error {
                let (value, bytes) = (self.into(), size_of::<T>());
                match T::IS_FLOAT {
                    true => {
                        let precision = if bytes == 4 { "single" } else { "double" };
                        Error::Inexact { place, at, value, precision }
                    }
                    false => Error::TooWide { place, at, value, bits: 8 * bytes },
                }
            }
        }
    )* };
}

stored_floats!(half::f16, f32, f64);
stored_integers!(in_bytes: i8, i16, i32, i64, u8, u16, u32);
stored_integers!(in_a_byte: bool);
