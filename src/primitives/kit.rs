//! What primitives are made of: kernels that are kept, keys, parts of vectors by the classes of their
//! numbers, and the division of panels among work groups.

pub(super) mod key;
pub(super) mod parts;
pub(super) mod starts;
pub(super) mod store;
pub(super) mod strips;

use crate::gl::{AnyTexture, Context};
use crate::grid::row_shift;
use crate::stream::Engine;
use crate::stream::launch::Launch;

/// Returns compute where the context has it, software renderers included: for operations that take fragments several times
/// the work, such as sorts.
pub(super) fn compute_if_any(context: &Context) -> Engine {
    match context.abilities().compute {
        Some(_) => Engine::Compute,
        None => Engine::Fragment,
    }
}

/// Binds a panel of a vector as the texture `numbers`, and as uniforms the shift of its rows and how many numbers it has.
pub(super) fn with_numbers<'a>(
    launch: Launch<'a>,
    panel: &'a dyn AnyTexture,
    length: usize,
) -> Launch<'a> {
    let launch = launch.input("numbers", panel).uniform("shift", row_shift(panel.extent()));
    launch.uniform("length_of_panel", length as i32)
}
