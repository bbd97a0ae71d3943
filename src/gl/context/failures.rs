//! The driver's error flag and messages as errors.

use glow::HasContext;

use super::debug::Message;
use super::reset::reset_name;
use super::shared::Shared;
use crate::gl::calls::clear_errors;
use crate::gl::{Error, Result};

impl Shared {
    /// Turns GL's error flag into an error that carries the driver's messages.
    pub(crate) fn check(&self, doing: impl FnOnce() -> String) -> Result<()> {
        // SAFETY: called between entry and the end of one of our own functions.
        match unsafe { self.gl.get_error() } {
            glow::NO_ERROR => Ok(()),
            code => Err(self.error_of(code, doing(), 0)),
        }
    }

    /// Does the work of [`check`](Shared::check) for a call that allocates `bytes`.
    pub(crate) fn check_allocation(&self, what: &str, bytes: u64) -> Result<()> {
        // SAFETY: as in `check`.
        match unsafe { self.gl.get_error() } {
            glow::NO_ERROR => Ok(()),
            code => Err(self.error_of(code, what.to_owned(), bytes)),
        }
    }

    fn error_of(&self, code: u32, doing: String, bytes: u64) -> Error {
        const CONTEXT_LOST: u32 = 0x0507;
        const CONTEXT_LOST_WEBGL: u32 = 0x9242;
        // One mistake may raise several flags, and later calls must start clean.
        // SAFETY: as in `check`.
        unsafe { clear_errors(&self.gl) };
        let messages = self.sink.drain();
        match code {
            glow::OUT_OF_MEMORY => Error::OutOfMemory { what: doing, bytes, messages },
            CONTEXT_LOST | CONTEXT_LOST_WEBGL => {
                let by_driver = "the driver says GL_CONTEXT_LOST";
                let status = self.origin.loss().unwrap_or(by_driver);
                self.lost.set(Some(status));
                Error::ContextLost { status }
            }
            code => Error::Driver { doing, code: code_name(code), messages },
        }
    }

    /// Returns an error for a call of glow that failed with words instead of a code.
    pub(crate) fn failure(&self, doing: &str, detail: &str) -> Error {
        Error::Driver { doing: doing.into(), code: detail.to_owned(), messages: self.sink.drain() }
    }

    /// Asks a robust context whether it was reset.
    pub(crate) fn check_reset(&self) -> Result<()> {
        if let Some(status) = self.origin.loss() {
            self.lost.set(Some(status));
            return Err(Error::ContextLost { status });
        }
        let Some(reset_status) = self.reset_status else { return Ok(()) };
        // SAFETY: loaded from this context, which is current.
        match reset_name(unsafe { reset_status() }) {
            None => Ok(()),
            Some(status) => {
                self.lost.set(Some(status));
                Err(Error::ContextLost { status })
            }
        }
    }

    pub(crate) fn drain_messages(&self) -> Vec<Message> {
        self.sink.drain()
    }
}

fn code_name(code: u32) -> String {
    let name = match code {
        glow::INVALID_ENUM => "GL_INVALID_ENUM",
        glow::INVALID_VALUE => "GL_INVALID_VALUE",
        glow::INVALID_OPERATION => "GL_INVALID_OPERATION",
        glow::INVALID_FRAMEBUFFER_OPERATION => "GL_INVALID_FRAMEBUFFER_OPERATION",
        glow::OUT_OF_MEMORY => "GL_OUT_OF_MEMORY",
        _ => return format!("error 0x{code:04x}"),
    };
    name.into()
}
