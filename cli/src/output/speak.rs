//! One message for an error that several processes may have: the lowest of them speaks.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::process::{interrupt, launcher};

/// Longer than a launcher takes to end all processes after the first: Open MPI's takes a second.
const HEAD_START: Duration = Duration::from_secs(2);
/// And between two others, of any number.
const EACH: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// Before this process says why it fails: a lower rank with the same reason says so first, and then the launcher ends this one
/// meanwhile. If it asks this process to end, that ends in silence.
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

/// Who an error is of, where that says something: `rank 2: `.
pub(crate) fn speaker() -> String {
    match launcher::rank() {
        0 => String::new(),
        rank => format!("rank {rank}: "),
    }
}
