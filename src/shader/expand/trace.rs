//! The steps taken on each text, noted for tests that each is taken once.

use std::cell::RefCell;

thread_local! {
    static STEPS: RefCell<Vec<(&'static str, String)>> = const { RefCell::new(Vec::new()) };
}

/// Notes a step that was taken on the shader of this name.
pub(in crate::shader) fn note(step: &'static str, shader: &str) {
    STEPS.with_borrow_mut(|steps| steps.push((step, shader.to_owned())));
}

/// The steps that this thread took on the shader of this name, in order; they are forgotten.
pub(crate) fn taken(shader: &str) -> Vec<&'static str> {
    let steps = STEPS.take().into_iter();
    steps.filter(|(_, name)| name == shader).map(|(step, _)| step).collect()
}
