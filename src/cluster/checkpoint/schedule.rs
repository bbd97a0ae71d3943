//! When a checkpoint is due.

use std::time::{Duration, Instant};

use super::super::{Communicator, Error, collective};
use super::agreement::is_first;

/// The time between checkpoints, by the clock of the first rank's process.
#[derive(Clone, Debug)]
pub struct Schedule {
    every: Duration,
    last: Instant,
}

impl Schedule {
    /// The first is due this long from now.
    pub fn every(every: Duration) -> Schedule {
        Schedule { every, last: Instant::now() }
    }

    /// Whether one is due: the same for all processes. If so the time begins anew.
    ///
    /// # Errors
    ///
    /// Errors of the communicator.
    pub fn is_due(&mut self, ranks: &dyn Communicator) -> Result<bool, Error> {
        let has_passed = is_first(ranks) && self.has_passed();
        collective::any(ranks, has_passed)
    }

    /// Whether one is due by the clock of this process. If so the time begins anew.
    pub fn has_passed(&mut self) -> bool {
        let has_passed = self.last.elapsed() >= self.every;
        if has_passed {
            self.last = Instant::now();
        }
        has_passed
    }
}
