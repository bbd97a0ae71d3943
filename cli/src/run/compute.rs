//! The steps, with a progress bar; Ctrl-C stops them and keeps the last state.

use std::time::{Duration, Instant};

use quadrille::experiment::{Error, Experiment, Output};
use quadrille::observer::Progress;

use super::super::interrupt;
use super::super::progress::Turns;
use super::super::view::{Beginning, Live};

pub(super) struct Done {
    pub(super) iterations: u64,
    pub(super) stopped: bool,
    /// The time of the first step, in which drivers compile.
    pub(super) first: Duration,
}

pub(super) fn steps(experiment: &mut Experiment, iterations: u64) -> Result<Done, Error> {
    let begun = Instant::now();
    experiment.step()?;
    experiment.finish()?;
    let first = begun.elapsed();
    let bar = Turns::new("iterations");
    let mut observe = |progress: &Progress| {
        let expected = progress.expected.map(|expected| expected + 1);
        bar.show(&Progress { done: progress.done + 1, expected, residual: None })
    };
    let more = experiment.advance(iterations - 1, &mut observe)?;
    Ok(Done { iterations: 1 + more, stopped: 1 + more < iterations, first })
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
