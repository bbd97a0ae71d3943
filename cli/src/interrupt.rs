//! Signals that ask the command to end: Ctrl-C, SIGTERM, SIGHUP. Work that can keep what it has stops at
//! its next safe point; all else ends at once, and a second signal ends everything at once.

use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use quadrille::Kind;

use crate::failure::{self, Failure};

/// The signal that came first; 0 before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static STATE: AtomicU8 = AtomicU8::new(AT_ONCE);

/// Nothing would be lost: end.
const AT_ONCE: u8 = 0;
/// A loop looks at [`pressed`]; a second signal does not wait for it.
const WATCHED: u8 = 1;
/// Something is being written, which takes a moment and must not be cut; a second signal cuts it.
const WRITING: u8 = 2;

/// `timeout` sends its signal to the command and to its group: what comes so soon is the same request.
const ECHO: Duration = Duration::from_millis(50);

/// Takes the signals over, except those that whoever started the command has had it ignore: `nohup`
/// ignores SIGHUP, and a shell script SIGINT for what it runs in the background.
pub(super) fn listen() -> anyhow::Result<()> {
    let ignored = ignored();
    let heard =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
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

/// The signals that are ignored, a bit each from signal 1 on. Where Linux does not tell, none.
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

/// Ends the process without exit handlers: those of the driver would take it apart under its own threads,
/// and under the thread that is inside it when a signal comes.
pub(super) fn end(code: u8) -> ! {
    signal_hook::low_level::exit(code.into())
}

/// The exit code after a signal: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP, as shells count.
pub(super) fn exit_code() -> u8 {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => failure::exit_code_of(Kind::Cancelled),
        signal => 128 + signal as u8,
    }
}

/// The end of work that a signal stopped. `rest` says how far it came.
pub(super) fn stopped(rest: impl std::fmt::Display) -> Failure {
    let by = match SIGNAL.load(Ordering::SeqCst) {
        SIGTERM => "SIGTERM",
        SIGHUP => "SIGHUP",
        _ => "Ctrl-C",
    };
    Failure::Stopped { text: format!("stopped by {by}{rest}") }
}

/// Whether a signal has come.
pub(super) fn pressed() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
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
