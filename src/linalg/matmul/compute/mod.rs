//! The methods of compute shaders.

use crate::Shape;
use crate::gl::Context;

use super::multiplier::Engine;
use super::{Element, Error, Method, Wish};

/// `compute-simple`, `compute-tiled` and `compute-shared`.
pub(super) fn engine<T: Element>(
    _context: &Context,
    method: Method,
    _wish: &Wish,
    _a: Shape,
    _b: Shape,
) -> Result<Box<dyn Engine<T>>, Error> {
    Err(Error::Bad { method, text: "is not there yet".into() })
}

/// `compute-blocked`.
pub(super) fn blocked(
    _context: &Context,
    _wish: &Wish,
    _a: Shape,
    _b: Shape,
) -> Result<Box<dyn Engine<f32>>, Error> {
    Err(Error::Bad { method: Method::ComputeBlocked, text: "is not there yet".into() })
}
