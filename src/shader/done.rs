//! What was done to which text, noted for tests that it is done once.

use std::cell::RefCell;

thread_local! {
    static DONE: RefCell<Vec<(&'static str, String)>> = const { RefCell::new(Vec::new()) };
}

/// Notes a piece of work on the shader of this name.
pub(super) fn note(what: &'static str, shader: &str) {
    DONE.with_borrow_mut(|done| done.push((what, shader.to_owned())));
}

/// What this thread did to the shader of this name, in order; it is forgotten.
pub(crate) fn taken(shader: &str) -> Vec<&'static str> {
    let done = DONE.take().into_iter();
    done.filter(|(_, name)| name == shader).map(|(what, _)| what).collect()
}
