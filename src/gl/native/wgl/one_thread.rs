//! The one thread of a process that has contexts of ANGLE.
//!
//! They share a Direct3D device, whose state each expects as it left it. Threads that took turns,
//! under a lock and each making its own context current anew, got wrong numbers (Qt 5.15's ANGLE on
//! wine), and so did the contexts after them. Hence a second thread is refused.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{ThreadId, current};

/// The thread, and the number of its contexts.
static USER: Mutex<Option<(ThreadId, usize)>> = Mutex::new(None);

/// A guard that each context of ANGLE has.
pub(super) struct OneThread(());

impl OneThread {
    /// Counts a context of this thread. The error is for people.
    pub(super) fn enter() -> Result<OneThread, &'static str> {
        let mut user = user();
        let (thread, contexts) = user.unwrap_or((current().id(), 0));
        if thread != current().id() {
            return Err(
                "another thread of this process has a context of ANGLE, and those of several \
                 threads disturb each other: drop it first, compute in that thread, or use another \
                 process",
            );
        }
        *user = Some((thread, contexts + 1));
        Ok(OneThread(()))
    }
}

impl Drop for OneThread {
    fn drop(&mut self) {
        let mut user = user();
        *user = user.filter(|(_, contexts)| *contexts > 1).map(|(of, contexts)| (of, contexts - 1));
    }
}

fn user() -> MutexGuard<'static, Option<(ThreadId, usize)>> {
    USER.lock().unwrap_or_else(PoisonError::into_inner)
}
