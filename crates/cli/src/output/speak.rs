//! Prints one message for an error that several processes may have: the lowest of them prints it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::process::{interrupt, launcher};

/// Longer than a launcher takes to end all processes after the first: Open MPI's takes a second.
const HEAD_START: Duration = Duration::from_secs(2);
/// The time between the messages of two other ranks.
const EACH: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// Waits before this process reports its failure: a lower rank with the same reason reports it
/// first, and then the launcher ends this one meanwhile. If the launcher asks this process to end,
/// that happens in silence.
pub(crate) fn await_turn() {
    let rank = launcher::rank() as u32;
    if rank == 0 {
        return;
    }
    let begun = Instant::now();
    let asked_before = interrupt::pressed();
    while begun.elapsed() < LONGEST.min(HEAD_START + EACH * rank) {
        sleep(Duration::from_millis(5));
        if interrupt::pressed() && !asked_before {
            interrupt::end(interrupt::exit_code());
        }
    }
}

/// The rank that an error is of, where that matters: `rank 2: `.
pub(crate) fn speaker() -> String {
    match launcher::rank() {
        0 => String::new(),
        rank => format!("rank {rank}: "),
    }
}
