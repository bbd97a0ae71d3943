//! Signals that end the command: Ctrl-C, SIGTERM, SIGHUP, and SIGUSR1 under a launcher. Work with
//! results to keep stops at its next safe point; everything else, and everything after a second
//! signal, ends at once.

use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;

use quadrille::Kind;

use super::failure;
use super::failure::Failure;
use super::launcher::launched;

/// The signal that came first; 0 before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static STATE: AtomicU8 = AtomicU8::new(AT_ONCE);

/// Nothing would be lost: the command ends at once.
const AT_ONCE: u8 = 0;
/// A loop checks [`pressed`]; a second signal ends the command at once.
const WATCHED: u8 = 1;
/// A file is being written, which is short and must not be interrupted; a second signal interrupts
/// it.
const WRITING: u8 = 2;

/// `timeout` signals the command and its group: a second signal this soon is the same request.
const ECHO: Duration = Duration::from_millis(50);

/// Handles the signals, except those that are ignored: `nohup` ignores SIGHUP, and a shell script
/// ignores SIGINT for background commands.
pub(crate) fn listen() -> anyhow::Result<()> {
    let ignored = ignored();
    // Launchers forward SIGUSR1 alone without an end of their own some time after it.
    let of_launcher = launched().map(|_| SIGUSR1);
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().chain(of_launcher);
    let heard = heard.filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(heard).context("cannot listen to signals")?;
    let listener = std::thread::Builder::new().name("signals".into());
    let hear = move || {
        let mut first = None;
        for signal in signals.forever() {
            hear(signal, first.get_or_insert_with(Instant::now).elapsed());
        }
    };
    listener.spawn(hear).context("cannot start the thread that listens to signals")?;
    Ok(())
}

/// The ignored signals, one bit each from signal 1 on; none if Linux does not report them.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

fn hear(signal: i32, since_first: Duration) {
    let again = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err();
    match (again, STATE.load(Ordering::SeqCst)) {
        (false, WATCHED | WRITING) => {}
        (true, _) if since_first < ECHO => {}
        _ => end(exit_code()),
    }
}

/// Ends the process without exit handlers: those of the driver would take it apart under its own
/// threads, and under the thread that is inside it when a signal comes.
pub(crate) fn end(code: u8) -> ! {
    signal_hook::low_level::exit(code.into())
}

/// The exit code after a signal: 130 after Ctrl-C or SIGUSR1, 143 after SIGTERM, 129 after SIGHUP,
/// as shells count.
pub(crate) fn exit_code() -> u8 {
    match SIGNAL.load(Ordering::SeqCst) {
        // It asks for the end as Ctrl-C does.
        0 | SIGUSR1 => failure::exit_code_of(Kind::Cancelled),
        signal => 128 + signal as u8,
    }
}

/// The error of work that a signal stopped. `rest` says how far the work got.
pub(crate) fn stopped(rest: impl std::fmt::Display) -> Failure {
    let by = match SIGNAL.load(Ordering::SeqCst) {
        SIGTERM => "SIGTERM",
        SIGHUP => "SIGHUP",
        SIGUSR1 => "SIGUSR1",
        _ => "Ctrl-C",
    };
    Failure::Stopped { text: format!("stopped by {by}{rest}") }
}

pub(crate) fn pressed() -> bool {
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
    let result = work();
    STATE.store(before, Ordering::SeqCst);
    result
}
