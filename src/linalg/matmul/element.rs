//! The types of number that a device multiplies.

use crate::Shape;
use crate::data::Number;
use crate::gl::{Context, Texel};

use super::engine::Engine;
use super::{Engine as Who, Error, Method, Options, compute, drawn};

/// A number that a device multiplies: `f32` by every method, `i16` and `i32` by those of which
/// [`Method::takes_integers`] says so. Integers wrap; compute shaders, which know no 16 bits, make
/// sums of `i16` in 32 and keep the low half, which is the same.
pub trait Element: Number + Texel {
    /// What does the work for a method that is not the host's.
    #[doc(hidden)]
    fn engine(
        context: &Context,
        method: Method,
        options: &Options,
        a: Shape,
        b: Shape,
    ) -> Result<Box<dyn Engine<Self>>, Error>;
}

impl Element for f32 {
    fn engine(
        context: &Context,
        method: Method,
        options: &Options,
        a: Shape,
        b: Shape,
    ) -> Result<Box<dyn Engine<f32>>, Error> {
        match method.engine() {
            Who::Compute => compute::engine(context, method, options, a, b),
            _ => drawn::floats(context, method, options, a, b),
        }
    }
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        impl Element for $type {
            fn engine(
                context: &Context,
                method: Method,
                options: &Options,
                a: Shape,
                b: Shape,
            ) -> Result<Box<dyn Engine<$type>>, Error> {
                match method.engine() {
                    _ if !method.takes_integers() => Err(Error::not_for::<$type>(method)),
                    Who::Compute => compute::engine(context, method, options, a, b),
                    _ => drawn::integers(context, method, options, a, b),
                }
            }
        }
    )* };
}

integers!(i16, i32);
