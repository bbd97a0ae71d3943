//! The window system: lists devices, makes contexts and makes them current.
//!
//! Each platform has a module here that defines `Native`, `Handle`, `Failure` and `list`; nothing else in
//! the library depends on the platform. A module for WebGL2 would stand beside [`egl`].

use std::cell::Cell;

use crate::shader::Api;

#[cfg(target_os = "linux")]
mod egl;
#[cfg(target_os = "linux")]
use egl as platform;

#[cfg(not(target_os = "linux"))]
mod missing;
#[cfg(not(target_os = "linux"))]
use missing as platform;

pub(super) use platform::{Failure, Handle, Native, list};

/// What a context should be.
#[derive(Clone, Copy)]
pub(super) struct Attributes {
    pub(super) api: Api,
    pub(super) debug: bool,
}

/// A device as its platform lists it.
pub(super) struct Listed {
    pub(super) label: String,
    pub(super) software: bool,
    pub(super) handle: Handle,
}

thread_local! {
    /// How often quadrille made a context of its own current on this thread, or none.
    static SWITCHES: Cell<u64> = const { Cell::new(0) };
}

/// How often quadrille changed which context is current on this thread. Code that found a context
/// current knows that it still is if the count is the same.
pub(super) fn switches() -> u64 {
    SWITCHES.get()
}

fn count_switch() {
    SWITCHES.set(SWITCHES.get() + 1);
}
