//! The times of a step, measured over many, and of the transfers.

use std::time::{Duration, Instant};

use serde::Serialize;

use quadrille::stream::Clock;
use quadrille_lab::Summary;
use quadrille_run::{Error, Experiment};

use crate::process::interrupt;

/// Times in milliseconds, as reported.
#[derive(Serialize)]
pub(crate) struct Times {
    /// Compiling, including the first step, in which drivers compile too.
    pub(super) setup_milliseconds: f64,
    pub(super) upload_milliseconds: f64,
    pub(super) step_milliseconds: f64,
    /// The interquartile range of the runs.
    pub(super) spread_milliseconds: f64,
    pub(super) runs: usize,
    pub(super) steps_a_run: u64,
    /// `device` if its timer is reliable, else `wall`.
    pub(super) clock: &'static str,
    pub(super) readback_milliseconds: f64,
}

/// The least time of a run, so that the resolution of the clock does not matter.
const RUN: Duration = Duration::from_millis(5);
/// The least number of runs that shows the spread.
const LEAST: usize = 9;
const MOST: usize = 101;
/// The time for more runs than the least number.
const ENOUGH: Duration = Duration::from_secs(1);
/// The time after which even fewer runs must do; the report shows their number.
const PATIENCE: Duration = Duration::from_secs(20);

/// Repeats steps, which advances the experiment beyond its reported result.
pub(crate) fn measure(
    experiment: &mut Experiment,
    made: Duration,
    first: Duration,
) -> Result<Times, Error> {
    let readback = readback(experiment)?;
    let clock = Clock::of(experiment.context());
    let steps = steps_a_run(experiment, clock)?;
    let begun = Instant::now();
    let mut runs = Vec::new();
    while !enough(runs.len(), begun.elapsed()) && !interrupt::pressed() {
        runs.push(time(experiment, clock, steps)?);
    }
    let summary = Summary::of(&runs, steps);
    let upload = experiment.upload_took();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(Times {
        setup_milliseconds: milliseconds(made.saturating_sub(upload) + first),
        upload_milliseconds: milliseconds(upload),
        step_milliseconds: summary.median_ms,
        spread_milliseconds: summary.spread_ms,
        runs: summary.runs,
        steps_a_run: steps,
        clock: clock.name(),
        readback_milliseconds: milliseconds(readback),
    })
}

/// The number of steps that takes long enough. A software renderer skips a step that the next one
/// overwrites unread, so without feedback it is 1 there.
fn steps_a_run(experiment: &mut Experiment, clock: Clock) -> Result<u64, Error> {
    let feeds_back = experiment.outputs().iter().any(|output| output.feeds_back());
    let most = if clock == Clock::Device || feeds_back { 1 << 16 } else { 1 };
    let mut steps = 1;
    while steps < most && time(experiment, clock, steps)? < RUN {
        steps *= 2;
    }
    Ok(steps)
}

fn enough(runs: usize, spent: Duration) -> bool {
    runs >= MOST || runs >= LEAST && spent > ENOUGH || runs > 0 && spent > PATIENCE
}

fn time(experiment: &mut Experiment, clock: Clock, steps: u64) -> Result<Duration, Error> {
    let context = experiment.context().clone();
    let work = || (0..steps).try_for_each(|_| experiment.step());
    Ok(clock.time(&context, work)?.1)
}

/// The faster of two, since the first may have to allocate memory.
fn readback(experiment: &Experiment) -> Result<Duration, Error> {
    let mut best = Duration::MAX;
    for _ in 0..2 {
        experiment.finish()?;
        let begun = Instant::now();
        for output in experiment.outputs() {
            experiment.read(output.name())?;
        }
        best = best.min(begun.elapsed());
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_enough_runs_unless_they_take_too_long() {
        let seconds = Duration::from_secs;
        assert!(!enough(0, seconds(100)));
        assert!(!enough(LEAST - 1, seconds(2)));
        assert!(!enough(LEAST, Duration::ZERO));
        assert!(enough(LEAST, seconds(2)));
        assert!(enough(MOST, Duration::ZERO));
        assert!(enough(1, seconds(21)));
    }
}
