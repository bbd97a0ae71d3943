//! A platform without a way to OpenGL: it lists no device, so that no context is ever made.

use std::convert::Infallible;
use std::ffi::{CStr, c_void};
use std::fmt;

use crate::gl::{Error, Result};
use crate::shader::Api;

use super::shared::{Attributes, Listed};

// Structs around what cannot be: callers, which are written for platforms with contexts, would
// have unreachable lines by types that they see to be empty.

/// A device; this platform lists none.
#[derive(Clone, Debug)]
pub(crate) struct Handle(Infallible);

/// Why a context was not made; this platform does not try.
pub(crate) struct Failure(Infallible);

impl fmt::Display for Failure {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

/// Returns the error that names this platform: by its system or, without one, its processor.
fn unsupported() -> Error {
    use std::env::consts::{ARCH, OS};
    let platform = match OS {
        "macos" => "macOS",
        "" => ARCH,
        other => other,
    };
    Error::Platform { platform }
}

/// A context; this platform has none.
pub(crate) struct Native(Infallible);

pub(crate) fn list() -> Result<Vec<Listed<Handle>>> {
    Err(unsupported())
}

impl Native {
    pub(crate) fn new(device: &Handle, _: Attributes) -> Result<Native, Failure> {
        match device.0 {}
    }

    pub(crate) fn of_any_version(device: &Handle, _: Api) -> Result<Native, Failure> {
        match device.0 {}
    }

    pub(crate) fn is_current(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn make_current(&self) -> Result<(), Failure> {
        match self.0 {}
    }

    pub(crate) fn release(&self) {
        match self.0 {}
    }

    pub(crate) fn has_pbuffer(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn has_window(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn load(&self) -> glow::Context {
        match self.0 {}
    }

    pub(crate) fn address(&self, _: &CStr) -> *const c_void {
        match self.0 {}
    }
}

#[cfg(feature = "window")]
impl Native {
    /// Makes a context on a window. The error is for people.
    pub(crate) fn on_window<W>(
        _: Attributes,
        _: std::rc::Rc<W>,
        _: crate::Extent,
    ) -> Result<Native, String> {
        Err(unsupported().to_string())
    }

    pub(crate) fn swap(&self) -> Result<(), Failure> {
        match self.0 {}
    }

    pub(crate) fn resize(&self, _: crate::Extent) {
        match self.0 {}
    }
}
