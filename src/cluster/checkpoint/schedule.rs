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
        let is_due = collective::any(ranks, is_first(ranks) && self.last.elapsed() >= self.every)?;
        if is_due {
            self.last = Instant::now();
        }
        Ok(is_due)
    }
}
