//! The tests as a browser runs them, one call for each: a panic ends the compiled module, which is then loaded again.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

thread_local! {
    /// Whether a test has asked for contexts, and whether any of them was of a kind that a browser has.
    static ASKED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Notes that a test asks for contexts.
pub(crate) fn asked(has_any: bool) {
    ASKED.set(Some(has_any || ASKED.get() == Some(true)));
}

/// A test, which the attribute `test` of `crates/web/device/test-macro` registers.
pub(crate) struct Test {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Result<(), String>,
}

inventory::collect!(Test);

/// What test functions return.
pub(crate) trait Outcome {
    fn of(self) -> Result<(), String>;
}

impl Outcome for () {
    fn of(self) -> Result<(), String> {
        Ok(())
    }
}

impl<E: std::fmt::Debug> Outcome for Result<(), E> {
    fn of(self) -> Result<(), String> {
        self.map_err(|error| format!("{error:?}"))
    }
}

/// Returns the names of all tests.
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "JavaScript calls it")]
pub fn names() -> Vec<String> {
    inventory::iter::<Test>.into_iter().map(|test| test.name.to_owned()).collect()
}

/// Runs a test, and returns whether it ran: not where it asks only for contexts that a browser has not. What is thrown says why it
/// failed.
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "JavaScript calls it")]
pub fn run(name: &str) -> Result<bool, String> {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
    ASKED.set(None);
    let test = inventory::iter::<Test>.into_iter().find(|test| test.name == name);
    test.map_or_else(|| Err(format!("no test {name}")), |test| (test.run)())?;
    Ok(ASKED.get() != Some(false))
}
