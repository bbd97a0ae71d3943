//! What all probes have in common: something done again and again, checked once, then timed.

use std::time::{Duration, Instant};

use quadrille::gl::Context;
use quadrille::stream::Clock;

use super::super::twin::Comparison;
use super::super::{Error, Summary};

/// Something that a device does again and again. Each time takes what the time before left, so that
/// neither a compiler nor a driver can leave one out.
pub(super) trait Probe {
    /// Does it so many times.
    fn run(&mut self, times: u64) -> Result<(), Error>;

    /// Does it as often as tells right from wrong, and compares with the same in f64.
    fn check(&mut self) -> Result<Comparison, Error>;

    /// The clock that tells its time; the wall's where the host has a part in it.
    fn clock(&self, context: &Context) -> Clock {
        Clock::of(context)
    }
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Runs of each probe.
    pub(super) runs: usize,
    /// How long a run takes, about.
    pub(super) run: Duration,
}

/// A probe's result and times, each of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) summary: Summary,
    /// The fastest run, for who asks what is possible.
    pub(super) fastest: Duration,
    pub(super) comparison: Comparison,
}

/// Checks, finds how many steps a run should have, and times runs until there are enough or
/// `go_on` says no. The check comes first: it also makes the driver compile.
pub(super) fn measure(
    context: &Context,
    probe: &mut dyn Probe,
    effort: Effort,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Measured, Error> {
    let comparison = probe.check()?;
    let steps = steps_in(context, probe, effort.run)?;
    let clock = probe.clock(context);
    let mut times = Vec::new();
    while times.len() < effort.runs {
        times.push(clock.time(context, || probe.run(steps))?.1);
        if !go_on() {
            break;
        }
    }
    let fastest = times.iter().min().copied().unwrap_or_default().div_f64(steps as f64);
    Ok(Measured { summary: Summary::of(&times, steps), fastest, comparison })
}

/// How many steps fill a run: ever more of them are tried until the time to begin and to end no
/// longer counts.
fn steps_in(context: &Context, probe: &mut dyn Probe, run: Duration) -> Result<u64, Error> {
    let mut steps = 1;
    loop {
        context.finish()?;
        let begun = Instant::now();
        probe.run(steps)?;
        context.finish()?;
        let share = begun.elapsed().as_secs_f64() / run.as_secs_f64();
        if share > 0.2 || steps >= MOST {
            return Ok(((steps as f64 / share).round() as u64).clamp(1, MOST));
        }
        steps *= 8;
    }
}

/// Most steps in a run.
const MOST: u64 = 1 << 15;
