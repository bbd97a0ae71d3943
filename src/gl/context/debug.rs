//! The driver's own messages (KHR_debug), kept so that they become part of the error they explain.

use std::sync::{Arc, Mutex, PoisonError};

use glow::HasContext;

/// A message of the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// The driver's number for it.
    pub id: u32,
    /// The text of the message.
    pub text: String,
}

/// Messages that came since the last drain. The driver may call from a thread of its own.
#[derive(Clone, Default)]
pub(crate) struct Sink(Arc<Mutex<Vec<Message>>>);

/// More than this is the same mistake in a loop.
const MOST: usize = 64;

impl Sink {
    /// Listens to the driver where it can be heard. Performance advice and notifications are not
    /// mistakes and are left out.
    pub(super) fn listen(gl: &mut glow::Context) -> Sink {
        let sink = Sink::default();
        if !gl.supports_debug() {
            return sink;
        }
        let inbox = sink.clone();
        // SAFETY: the caller made the context current; the callback owns all that it touches.
        unsafe {
            gl.enable(glow::DEBUG_OUTPUT);
            gl.enable(glow::DEBUG_OUTPUT_SYNCHRONOUS);
            gl.debug_message_callback(move |_, kind, id, severity, text| {
                let mistake = kind == glow::DEBUG_TYPE_ERROR
                    || kind == glow::DEBUG_TYPE_UNDEFINED_BEHAVIOR
                    || kind == glow::DEBUG_TYPE_DEPRECATED_BEHAVIOR
                    || severity == glow::DEBUG_SEVERITY_HIGH;
                if mistake {
                    inbox.push(Message { id, text: text.trim_end().to_owned() });
                }
            });
        }
        sink
    }

    fn push(&self, message: Message) {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.len() < MOST {
            messages.push(message);
        }
    }

    /// Takes what has come.
    pub(crate) fn drain(&self) -> Vec<Message> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
