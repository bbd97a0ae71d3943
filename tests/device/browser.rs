//! The tests as a browser runs them, one call for each: a panic ends the compiled module, which is then loaded again.

use wasm_bindgen::prelude::*;

/// A test, which the attribute `test` of `web/device/test-macro` registers.
pub struct Test {
    pub name: &'static str,
    pub run: fn() -> Result<(), String>,
}

inventory::collect!(Test);

/// What test functions return.
pub trait Outcome {
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
pub fn names() -> Vec<String> {
    inventory::iter::<Test>.into_iter().map(|test| test.name.to_owned()).collect()
}

/// Runs a test; what is thrown says why it failed.
#[wasm_bindgen]
pub fn run(name: &str) -> Result<(), String> {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
    let test = inventory::iter::<Test>.into_iter().find(|test| test.name == name);
    test.map_or_else(|| Err(format!("no test {name}")), |test| (test.run)())
}
