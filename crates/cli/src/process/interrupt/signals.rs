//! Signals, as Unix has them.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use signal_hook::iterator::Signals;

pub(super) use signal_hook::consts::SIGUSR1;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::process::launcher::launched;

/// Handles the signals, except those that are ignored: `nohup` ignores SIGHUP, and a shell script
/// ignores SIGINT for background commands.
pub(super) fn listen(hear: fn(i32, Duration)) -> anyhow::Result<()> {
    let ignored = ignored();
    // Launchers forward SIGUSR1 alone without an end of their own some time after it.
    let of_launcher = launched().map(|_| SIGUSR1);
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().chain(of_launcher);
    let heard = heard.filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(heard).context("cannot listen to signals")?;
    let listener = std::thread::Builder::new().name("signals".into());
    let hear_all = move || {
        let mut first = None;
        for signal in signals.forever() {
            hear(signal, first.get_or_insert_with(Instant::now).elapsed());
        }
    };
    listener.spawn(hear_all).context("cannot start the thread that listens to signals")?;
    Ok(())
}

/// The bytes that this process has written, to files and pipes; 0 if Linux does not report them.
pub(super) fn bytes_written() -> u64 {
    let counts = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    let written = counts.lines().find_map(|line| line.strip_prefix("wchar:"));
    written.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0)
}

/// The ignored signals, one bit each from signal 1 on; none if Linux does not report them.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends the process without exit handlers: those of the driver would take it apart under its own
/// threads, and under the thread that is inside it when a signal comes.
pub(super) fn end(code: u8) -> ! {
    signal_hook::low_level::exit(code.into())
}

/// The name of a signal, as people know it.
pub(super) fn name(signal: i32) -> &'static str {
    match signal {
        SIGTERM => "SIGTERM",
        SIGHUP => "SIGHUP",
        SIGUSR1 => "SIGUSR1",
        _ => "Ctrl-C",
    }
}
