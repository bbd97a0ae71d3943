//! A call of OpenGL that does not return: a note says so, since it looks like nothing at all.

use std::sync::Once;
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use quadrille::internal::gl::entries;

use crate::output::note;

/// The time after which a call is noted.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time between two looks.
const LOOK: Duration = Duration::from_millis(500);

/// Looks after the calls of the process from now on, on a thread of its own.
pub(crate) fn watch(device: &str) {
    static ONCE: Once = Once::new();
    let device = device.to_owned();
    // Without the thread the work is the same, and nothing is noted.
    ONCE.call_once(|| drop(Builder::new().name("slow calls".into()).spawn(move || wait(&device))));
}

fn wait(device: &str) {
    let mut seen = Seen { entries: entries(), since: Instant::now() };
    loop {
        sleep(LOOK);
        if seen.lasts(entries(), Instant::now()) >= PATIENCE {
            return note(&text(device));
        }
    }
}

/// The calls that were begun and ended, and the time since when these numbers are what they are.
struct Seen {
    entries: (u64, u64),
    since: Instant,
}

impl Seen {
    /// Returns how long a call lasts, at this time; zero if none does.
    fn lasts(&mut self, entries: (u64, u64), now: Instant) -> Duration {
        if entries != self.entries || entries.0 == entries.1 {
            *self = Seen { entries, since: now };
        }
        now - self.since
    }
}

fn text(device: &str) -> String {
    format!(
        "note: a call of OpenGL on {device} has not returned for {} s: a long pass, a shader that is compiled, or a driver that hangs; Ctrl-C ends the command",
        PATIENCE.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_neither_ends_nor_makes_way_for_another_lasts() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut seen = Seen { entries: (0, 0), since: start };
        let mut lasts = |entries, seconds| seen.lasts(entries, after(seconds)).as_secs();
        assert_eq!([lasts((1, 0), 1), lasts((1, 0), 11)], [0, 10]);
        assert_eq!([lasts((2, 1), 12), lasts((2, 1), 15)], [0, 3], "another one");
        assert_eq!([lasts((2, 2), 16), lasts((2, 2), 99)], [0, 0], "none");
    }
}
