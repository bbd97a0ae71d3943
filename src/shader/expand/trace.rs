//! The steps taken on each text, for tests that each is taken once.

use std::cell::RefCell;

thread_local! {
    /// The recorded steps; `None` except in a test that records them.
    static STEPS: RefCell<Option<Vec<(&'static str, String)>>> = const { RefCell::new(None) };
}

/// Notes a step that was taken on the shader of this name, if this thread [records](record) them.
pub fn note(step: &'static str, shader: &str) {
    STEPS.with_borrow_mut(|steps| {
        if let Some(steps) = steps {
            steps.push((step, shader.to_owned()));
        }
    });
}

/// Records the steps that this thread takes from now on.
pub fn record() {
    STEPS.set(Some(Vec::new()));
}

/// Returns the steps recorded on the shader of this name, in order, and ends the recording.
pub fn taken(shader: &str) -> Vec<&'static str> {
    let steps = STEPS.take().unwrap_or_default().into_iter();
    steps.filter(|(_, name)| name == shader).map(|(step, _)| step).collect()
}
