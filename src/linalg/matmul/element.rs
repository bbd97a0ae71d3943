//! The element types of products.

use crate::data::Number;
use crate::gl::{Context, Texel};
use crate::stream::Engine;

use super::backend::{Backend, Operands, compute, drawn};
use super::{Error, Method, Options, Result};

/// An element type: `f32` for every method, `i16` and `i32` for those with
/// [`Method::takes_integers`]. Integers wrap; compute shaders have no 16-bit integers, so they add
/// `i16` in 32 bits and keep the low half, which is the same.
pub trait Element: Number + Texel {
    /// Returns the engine of a method other than [`Method::Serial`].
    #[doc(hidden)]
    fn backend(
        context: &Context,
        method: Method,
        options: &Options,
        operands: Operands,
    ) -> Result<Box<dyn Backend<Self>>>;
}

macro_rules! elements {
    ($($type:ty: $drawn:path),*) => { $(
        impl Element for $type {
            fn backend(
                context: &Context,
                method: Method,
                options: &Options,
                operands: Operands,
            ) -> Result<Box<dyn Backend<$type>>> {
                let takes_it = <$type>::IS_FLOAT || method.takes_integers();
                match method.engine() {
                    _ if !takes_it => Err(Error::not_for::<$type>(method)),
                    Some(Engine::Compute) => compute::engine(context, method, options, operands),
                    _ => $drawn(context, method, options, operands),
                }
            }
        }
    )* };
}

elements!(f32: drawn::floats, i16: drawn::integers, i32: drawn::integers);
