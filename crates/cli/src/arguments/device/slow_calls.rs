//! A call of OpenGL that does not return: a note says so, since it looks like nothing at all.

use std::sync::{Once, OnceLock};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use quadrille::internal::gl::entries;

use crate::output::note;

/// The time after which a call is noted.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time between two looks.
const LOOK: Duration = Duration::from_millis(500);

/// The device of the first context, once it is made.
static DEVICE: OnceLock<String> = OnceLock::new();

/// Looks after the calls of the process from now on, on a thread of its own: a driver may not even
/// return from the start of a context.
pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    // Without the thread the work is the same, and nothing is noted.
    ONCE.call_once(|| drop(Builder::new().name("slow calls".into()).spawn(wait)));
}

/// Names the device.
pub(crate) fn are_on(device: &str) {
    DEVICE.get_or_init(|| device.to_owned());
}

fn wait() {
    let mut seen = Seen { entries: entries(), since: Instant::now() };
    loop {
        sleep(LOOK);
        if seen.lasts(entries(), Instant::now()) >= PATIENCE {
            return note(&text(DEVICE.get()));
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

fn text(device: Option<&String>) -> String {
    let on = device.map(|device| format!(" on {device}")).unwrap_or_default();
    format!(
        "note: a call of OpenGL{on} has not returned for {} s: a long pass, a shader that is compiled, or a driver that hangs; Ctrl-C ends the command",
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
