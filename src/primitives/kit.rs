//! What primitives are made of: kernels that are kept, keys, parts of vectors by the classes of their
//! numbers, and the division of panels among work groups.

pub(super) mod kept;
pub(super) mod key;
pub(super) mod parts;
pub(super) mod starts;
pub(super) mod store;
pub(super) mod strips;

use crate::gl::Context;
use crate::stream::Engine;

/// Returns compute where the context has it, software renderers included: for operations that take fragments several times
/// the work, such as sorts.
pub(super) fn compute_if_any(context: &Context) -> Engine {
    match context.abilities().compute {
        Some(_) => Engine::Compute,
        None => Engine::Fragment,
    }
}
