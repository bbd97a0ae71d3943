//! Ctrl-C: work that can keep what it has stops at its next safe point; all else ends at once.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use anyhow::Context as _;

use crate::Kind;

static PRESSED: AtomicBool = AtomicBool::new(false);
static STATE: AtomicU8 = AtomicU8::new(AT_ONCE);

/// Nothing would be lost: end.
const AT_ONCE: u8 = 0;
/// A loop looks at [`pressed`]; a second Ctrl-C does not wait for it.
const WATCHED: u8 = 1;
/// A file is being written, which takes a moment and must not be cut.
const WRITING: u8 = 2;

/// Takes Ctrl-C over.
pub(super) fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        let again = PRESSED.swap(true, Ordering::SeqCst);
        match STATE.load(Ordering::SeqCst) {
            WATCHED if !again => {}
            WRITING => {}
            _ => std::process::exit(Kind::Cancelled.exit_code().into()),
        }
    })
    .context("cannot listen to Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub(super) fn pressed() -> bool {
    PRESSED.load(Ordering::SeqCst)
}

/// Runs work that looks at [`pressed`] and stops by itself.
pub(super) fn watched<R>(work: impl FnOnce() -> R) -> R {
    within(WATCHED, work)
}

/// Runs work that must not be cut.
pub(super) fn writing<R>(work: impl FnOnce() -> R) -> R {
    within(WRITING, work)
}

fn within<R>(state: u8, work: impl FnOnce() -> R) -> R {
    let before = STATE.swap(state, Ordering::SeqCst);
    let result = work();
    STATE.store(before, Ordering::SeqCst);
    result
}
