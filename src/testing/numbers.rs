//! The values that can be compared: fields, and slices, arrays and vectors of numbers.

use std::borrow::Cow;

use crate::data::Field;

/// A type whose numbers can be compared.
pub trait Numbers {
    /// Returns the numbers as a field; `None` where there are no numbers.
    fn as_field(&self) -> Option<Cow<'_, Field>>;
}

impl Numbers for Field {
    fn as_field(&self) -> Option<Cow<'_, Field>> {
        Some(Cow::Borrowed(self))
    }
}

macro_rules! numbers {
    ($($type:ty),+) => { $(
        impl Numbers for [$type] {
            fn as_field(&self) -> Option<Cow<'_, Field>> {
                Field::line(self.to_vec()).ok().map(Cow::Owned)
            }
        }
        impl<const N: usize> Numbers for [$type; N] {
            fn as_field(&self) -> Option<Cow<'_, Field>> {
                self.as_slice().as_field()
            }
        }
        impl Numbers for Vec<$type> {
            fn as_field(&self) -> Option<Cow<'_, Field>> {
                self.as_slice().as_field()
            }
        }
    )+ };
}
numbers!(f32, i32, u32);

impl<T: Numbers + ?Sized> Numbers for &T {
    fn as_field(&self) -> Option<Cow<'_, Field>> {
        (**self).as_field()
    }
}
