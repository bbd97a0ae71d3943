//! The steps: a bar, and a stop at Ctrl-C that keeps the last one.

use std::time::{Duration, Instant};

use quadrille::experiment::{Error, Experiment, Output};
use quadrille::observer::{Control, Progress};

use super::super::interrupt;
use super::super::progress::Turns;
use super::super::view::{Beginning, Live};

/// What was done.
pub(super) struct Done {
    pub(super) iterations: u64,
    pub(super) stopped: bool,
    /// How long the first step took, in which drivers compile.
    pub(super) first: Duration,
}

/// How long the host looks away: shorter, and the device waits for it; longer, and Ctrl-C waits.
const AWAY: Duration = Duration::from_millis(100);

/// Runs so many steps.
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
    // A restart leaves nothing of what does not feed back.
    if experiment.iteration() == 0 && !experiment.outputs().iter().all(Output::feeds_back) {
        experiment.step()?;
    }
    Ok(Done { iterations: experiment.iteration(), stopped, first: Duration::ZERO })
}

/// Twice as many steps where that is still short, half as many where it was long.
fn next(batch: u64, took: Duration) -> u64 {
    match took {
        took if took < AWAY / 2 => batch.saturating_mul(2),
        took if took > AWAY * 2 => (batch / 2).max(1),
        _ => batch,
    }
}

impl Done {
    /// Ctrl-C is not success, whatever was written.
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
