//! A platform without a way to OpenGL: it lists no device, so that no context is ever made.

use std::convert::Infallible;
use std::ffi::{CStr, c_void};

use crate::gl::Error;
use crate::shader::Api;

use super::shared::{Attributes, Listed};

pub(in crate::gl) use std::convert::Infallible as Handle;
pub(in crate::gl) use std::convert::Infallible as Failure;

/// A context; this platform has none.
pub(in crate::gl) struct Native(Infallible);

pub(in crate::gl) fn list() -> Result<Vec<Listed<Handle>>, Error> {
    Err(Error::Platform { platform: std::env::consts::OS })
}

impl Native {
    pub(in crate::gl) fn new(device: &Handle, _: Attributes) -> Result<Native, Failure> {
        match *device {}
    }

    pub(in crate::gl) fn of_any_version(device: &Handle, _: Api) -> Result<Native, Failure> {
        match *device {}
    }

    pub(in crate::gl) fn is_current(&self) -> bool {
        match self.0 {}
    }

    pub(in crate::gl) fn make_current(&self) -> Result<(), Failure> {
        match self.0 {}
    }

    pub(in crate::gl) fn release(&self) {
        match self.0 {}
    }

    pub(in crate::gl) fn has_pbuffer(&self) -> bool {
        match self.0 {}
    }

    pub(in crate::gl) fn has_window(&self) -> bool {
        match self.0 {}
    }

    pub(in crate::gl) fn load(&self) -> glow::Context {
        match self.0 {}
    }

    pub(in crate::gl) fn address(&self, _: &CStr) -> *const c_void {
        match self.0 {}
    }
}

#[cfg(feature = "window")]
impl Native {
    /// Makes a context on a window. The error is for people.
    pub(in crate::gl) fn on_window<W>(
        _: Attributes,
        _: std::rc::Rc<W>,
        _: crate::Extent,
    ) -> Result<Native, String> {
        Err(Error::Platform { platform: std::env::consts::OS }.to_string())
    }

    pub(in crate::gl) fn swap(&self) -> Result<(), Failure> {
        match self.0 {}
    }

    pub(in crate::gl) fn resize(&self, _: crate::Extent) {
        match self.0 {}
    }
}
