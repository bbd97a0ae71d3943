//! What the modules of all platforms share.

use std::cell::Cell;

use crate::shader::Api;

/// What a context should be.
#[derive(Clone, Copy)]
pub(in crate::gl) struct Attributes {
    pub(in crate::gl) api: Api,
    pub(in crate::gl) debug: bool,
}

/// A device as its platform lists it.
pub(in crate::gl) struct Listed<Handle> {
    pub(in crate::gl) label: String,
    pub(in crate::gl) software: bool,
    pub(in crate::gl) handle: Handle,
}

thread_local! {
    /// How often quadrille made a context of its own current on this thread, or none.
    static SWITCHES: Cell<u64> = const { Cell::new(0) };
}

/// How often quadrille changed which context is current on this thread. Code that found a context
/// current knows that it still is if the count is the same.
pub(in crate::gl) fn switches() -> u64 {
    SWITCHES.get()
}

pub(super) fn count_switch() {
    SWITCHES.set(SWITCHES.get() + 1);
}
