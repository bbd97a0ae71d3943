//! The types and the counter that the modules of all platforms share.

use std::cell::Cell;

use crate::shader::Api;

/// The attributes of a context to make.
#[derive(Clone, Copy)]
pub(crate) struct Attributes {
    pub(crate) api: Api,
    pub(crate) debug: bool,
}

/// A device as its platform lists it.
pub(crate) struct Listed<Handle> {
    pub(crate) label: String,
    pub(crate) software: bool,
    pub(crate) handle: Handle,
}

thread_local! {
    /// The number of times quadrille made one of its contexts, or none, current on this thread.
    static SWITCHES: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of times quadrille changed the current context of this thread. Code that
/// found a context current knows that it still is if the count is the same.
pub(crate) fn switches() -> u64 {
    SWITCHES.get()
}

pub(super) fn count_switch() {
    SWITCHES.set(SWITCHES.get() + 1);
}
