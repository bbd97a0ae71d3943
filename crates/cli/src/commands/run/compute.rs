//! The steps, with a progress bar; Ctrl-C stops them and keeps the last state.

use std::time::{Duration, Instant};

use quadrille::{Control, Progress};
use quadrille_run::{Error, Experiment, Output};

use super::checkpoints::Checkpoints;
use super::outputs::Outputs;
use super::timeout::ProgressWriter;
use super::view::{Beginning, Live};
use crate::output::progress::Bar;
use crate::process::failure::Failure;
use crate::process::interrupt;

pub(super) struct StepsDone {
    pub(super) iterations: u64,
    pub(super) stopped: bool,
    /// The time of the first step, in which drivers compile.
    pub(super) first: Duration,
}

/// The outputs and the checkpoints that are written between steps.
pub(super) struct BetweenSteps<'a> {
    pub(super) outputs: &'a mut Outputs,
    pub(super) checkpoints: &'a mut Checkpoints,
    pub(super) progress: ProgressWriter,
}

impl BetweenSteps<'_> {
    /// The step after this one at which something is written, at most the last one.
    fn next(&self, done: u64, until: u64) -> u64 {
        let every = [self.outputs.frames(), self.checkpoints.every()].into_iter().flatten();
        let next = every.map(|every| (done / every).saturating_add(1).saturating_mul(every));
        next.min().unwrap_or(until).min(until)
    }

    fn keep(&mut self, experiment: &Experiment) -> anyhow::Result<Control> {
        self.progress.steps(experiment.iteration());
        let control = self.outputs.write_frames(experiment)?;
        self.checkpoints.keep(experiment)?;
        self.tell_checkpoint();
        Ok(control)
    }

    fn tell_checkpoint(&self) {
        self.checkpoints.last().into_iter().for_each(|step| self.progress.checkpoint(step));
    }
}

/// Runs steps until this many are done in all, and writes what is due between them.
pub(super) fn steps(
    experiment: &mut Experiment,
    until: u64,
    mut between: BetweenSteps<'_>,
) -> anyhow::Result<StepsDone> {
    let begun = Instant::now();
    let mut first = Duration::ZERO;
    between.progress.all(until);
    between.progress.steps(experiment.iteration());
    between.tell_checkpoint();
    if experiment.iteration() < until {
        experiment.step()?;
        experiment.finish()?;
        first = begun.elapsed();
        let bar = Bar::new("iterations");
        while between.keep(experiment)? == Control::Continue {
            let done = experiment.iteration();
            let next = between.next(done, until);
            let mut observe = |progress: &Progress| {
                let done = done + progress.done;
                between.progress.steps(done);
                bar.show(&Progress::new(done, Some(until)))
            };
            if next == done || experiment.advance(next - done, &mut observe)? < next - done {
                break;
            }
        }
        between.checkpoints.keep_last(experiment)?;
    }
    let iterations = experiment.iteration();
    Ok(StepsDone { iterations, stopped: iterations < until, first })
}

/// Shows the steps in a window until it is closed.
pub(super) fn viewed(
    experiment: &mut Experiment,
    live: Live,
    beginning: &Beginning,
) -> Result<StepsDone, Error> {
    let stopped = live.show(experiment, beginning)?;
    // After a restart, outputs without feedback are empty.
    if experiment.iteration() == 0 && !experiment.outputs().iter().all(Output::feeds_back) {
        experiment.step()?;
    }
    Ok(StepsDone { iterations: experiment.iteration(), stopped, first: Duration::ZERO })
}

impl StepsDone {
    /// Fails if Ctrl-C stopped the steps, or the reader of standard output did before all was
    /// written.
    pub(super) fn judge(&self, iterations: Option<u64>, outputs: &Outputs) -> anyhow::Result<()> {
        if !self.stopped {
            return Ok(());
        }
        let of = iterations.map(|iterations| format!(" of {iterations}")).unwrap_or_default();
        let after = format!("after {}{of} iterations", self.iterations);
        if outputs.closed && !interrupt::pressed() {
            // Who closes a pipe, as `head` does, has read enough.
            if !outputs.are_elsewhere() {
                return Ok(());
            }
            let text =
                format!("standard output was closed {after}; the other outputs are of that state");
            return Err(Failure::Work { text }.into());
        }
        Err(interrupt::stopped(format!(" {after}; that state was kept")).into())
    }
}
