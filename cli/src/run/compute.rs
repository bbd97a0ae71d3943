//! The steps, with a progress bar; Ctrl-C stops them and keeps the last state.

use std::time::{Duration, Instant};

use quadrille::experiment::{Error, Experiment, Output};
use quadrille::observer::{Control, Progress};

use super::super::interrupt;
use super::super::progress::Turns;
use super::super::view::{Beginning, Live};

pub(super) struct Done {
    pub(super) iterations: u64,
    pub(super) stopped: bool,
    /// The time of the first step, in which drivers compile.
    pub(super) first: Duration,
}

/// The time of a batch of steps: if it is shorter, the device waits for the host; if longer, Ctrl-C waits.
const BATCH: Duration = Duration::from_millis(100);

pub(super) fn steps(experiment: &mut Experiment, iterations: u64) -> Result<Done, Error> {
    let begun = Instant::now();
    experiment.step()?;
    experiment.finish()?;
    let mut done = Done { iterations: 1, stopped: false, first: begun.elapsed() };
    let bar = Turns::new("iterations");
    let mut batch = 1;
    while done.iterations < iterations {
        let progress =
            Progress { done: done.iterations, expected: Some(iterations), residual: None };
        if bar.show(&progress) == Control::Stop {
            done.stopped = true;
            break;
        }
        let begun = Instant::now();
        let count = batch.min(iterations - done.iterations);
        for _ in 0..count {
            experiment.step()?;
        }
        experiment.finish()?;
        done.iterations += count;
        batch = next(batch, begun.elapsed());
    }
    Ok(done)
}

/// Shows the steps in a window until it is closed.
pub(super) fn viewed(
    experiment: &mut Experiment,
    live: Live,
    beginning: &Beginning,
) -> Result<Done, Error> {
    let stopped = live.show(experiment, beginning)?;
    // After a restart, outputs without feedback are empty.
    if experiment.iteration() == 0 && !experiment.outputs().iter().all(Output::feeds_back) {
        experiment.step()?;
    }
    Ok(Done { iterations: experiment.iteration(), stopped, first: Duration::ZERO })
}

/// The next number of steps: doubled if the batch was short, halved if it was long.
fn next(batch: u64, took: Duration) -> u64 {
    match took {
        took if took < BATCH / 2 => batch.saturating_mul(2),
        took if took > BATCH * 2 => (batch / 2).max(1),
        _ => batch,
    }
}

impl Done {
    /// Fails if Ctrl-C stopped the steps.
    pub(super) fn judge(&self, iterations: Option<u64>) -> anyhow::Result<()> {
        if !self.stopped {
            return Ok(());
        }
        let of = iterations.map(|iterations| format!(" of {iterations}")).unwrap_or_default();
        let rest = format!(" after {}{of} iterations; that state was kept", self.iterations);
        Err(interrupt::stopped(rest).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_until_they_are_seen_and_shrink_again() {
        let milliseconds = Duration::from_millis;
        assert_eq!(next(4, milliseconds(1)), 8);
        assert_eq!(next(4, milliseconds(100)), 4);
        assert_eq!(next(4, milliseconds(900)), 2);
        assert_eq!(next(1, milliseconds(900)), 1);
    }
}
