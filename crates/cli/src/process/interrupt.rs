//! Signals that end the command: Ctrl-C, SIGTERM, SIGHUP, and SIGUSR1 under a launcher; on Windows
//! Ctrl-C, Ctrl-Break, and the end of the console or of the session. Work with results to keep stops
//! at its next safe point; everything else, and everything after a second signal, ends at once. Work
//! that comes to no safe point, in a pass that does not return, ends after ten seconds.

#[cfg(windows)]
mod console;
mod patience;
#[cfg(unix)]
mod signals;

use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use quadrille::Kind;

use super::failure;
use super::failure::Failure;

#[cfg(windows)]
use console as system;
#[cfg(unix)]
use signals as system;
use system::SIGUSR1;

/// The signal that came first; 0 before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static STATE: AtomicU8 = AtomicU8::new(AT_ONCE);
/// Counts the safe points that the work comes to.
static SAFE_POINTS: AtomicU64 = AtomicU64::new(0);

/// Nothing would be lost: the command ends at once.
const AT_ONCE: u8 = 0;
/// A loop checks [`pressed`]; a second signal ends the command at once.
const WATCHED: u8 = 1;
/// A file is being written, which is short and must not be interrupted; a second signal interrupts
/// it.
const WRITING: u8 = 2;

/// `timeout` signals the command and its group: a second signal this soon is the same request.
const ECHO: Duration = Duration::from_millis(50);

/// Handles what comes, from now on.
pub(crate) fn listen() -> anyhow::Result<()> {
    system::listen(hear)
}

/// Takes a signal that came so long after the first.
fn hear(signal: i32, since_first: Duration) {
    let again = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err();
    match (again, STATE.load(Ordering::SeqCst)) {
        (false, WATCHED | WRITING) => patience::begin(),
        (true, _) if since_first < ECHO => {}
        _ => end(exit_code()),
    }
}

/// The exit code after a signal: 130 after Ctrl-C or SIGUSR1, 143 after SIGTERM, 129 after SIGHUP,
/// as shells count. Windows ends a session as by SIGTERM, and a console as by SIGHUP.
pub(crate) fn exit_code() -> u8 {
    match SIGNAL.load(Ordering::SeqCst) {
        // It asks for the end as Ctrl-C does.
        0 | SIGUSR1 => failure::exit_code_of(Kind::Cancelled),
        signal => 128 + signal as u8,
    }
}

/// Ends the process at once, without its exit handlers and without temporary files that it writes.
pub(crate) fn end(code: u8) -> ! {
    quadrille::internal::io::remove_unfinished();
    system::end(code)
}

/// The error of work that a signal stopped. `rest` says how far the work got.
pub(crate) fn stopped(rest: impl std::fmt::Display) -> Failure {
    let by = system::name(SIGNAL.load(Ordering::SeqCst));
    Failure::Stopped { text: format!("stopped by {by}{rest}") }
}

/// Whether a signal came. To ask is to be at a safe point.
pub(crate) fn pressed() -> bool {
    SAFE_POINTS.fetch_add(1, Ordering::Relaxed);
    came().is_some()
}

/// The signal that came first.
pub(super) fn came() -> Option<i32> {
    Some(SIGNAL.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// Runs work that checks [`pressed`] and stops by itself.
pub(crate) fn watched<R>(work: impl FnOnce() -> R) -> R {
    within(WATCHED, work)
}

pub(crate) fn writing<R>(work: impl FnOnce() -> R) -> R {
    within(WRITING, work)
}

fn within<R>(state: u8, work: impl FnOnce() -> R) -> R {
    let before = STATE.swap(state, Ordering::SeqCst);
    SAFE_POINTS.fetch_add(1, Ordering::Relaxed);
    let result = work();
    STATE.store(before, Ordering::SeqCst);
    SAFE_POINTS.fetch_add(1, Ordering::Relaxed);
    result
}
