//! What keys are made of numbers, and what that defines in shaders.

use crate::shader::Source;

use super::super::number::Number;

/// What is made of a number's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// The define of the numbers.
    number: &'static str,
    order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    Ascending,
    Descending,
    /// None: the bits themselves.
    Bits,
}

impl Key {
    /// Returns the keys by which numbers are sorted.
    pub(crate) fn ordered<T: Number>(descending: bool) -> Key {
        let order = if descending { Order::Descending } else { Order::Ascending };
        Key { number: T::DEFINE, order }
    }

    /// Returns the bits of numbers, as they are.
    pub(crate) fn bits<T: Number>() -> Key {
        Key { number: T::DEFINE, order: Order::Bits }
    }

    /// Defines what include/sort_key.glsl needs.
    pub(crate) fn define(self, source: Source) -> Source {
        let source = source.define(self.number, 1);
        match self.order {
            Order::Ascending => source,
            Order::Descending => source.define("DESCENDING", 1),
            Order::Bits => source.define("BITS", 1),
        }
    }
}
