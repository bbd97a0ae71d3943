//! The runner of all benches. Ways of doing the same work are set up, checked, warmed up, and timed
//! in turns, so that a disturbance affects all of them.

mod meter;
#[cfg(test)]
mod tests;

use std::time::Duration;

use quadrille::gl::Context;
use quadrille::testing::Comparison;

use crate::{Error, Result, Summary};

pub use self::meter::Meter;

/// A way of doing some work, to be timed.
pub trait Case {
    type Time: RunTime;

    fn prepare(&mut self) -> Result<()> {
        Ok(())
    }

    /// Compares a result with its twin, which also makes the driver compile.
    fn check(&mut self) -> Result<Comparison>;

    /// Times a run, which does the work `parts` times.
    fn time(&mut self, parts: u64) -> Result<Self::Time>;

    /// Frees what [`prepare`](Case::prepare) set up.
    fn release(&mut self) {}

    /// The memory that it takes while it is set up.
    fn bytes(&self) -> usize {
        0
    }

    /// Whether the device is idle while it runs.
    fn on_host(&self) -> bool {
        false
    }

    /// The cost of a run, in any unit, for the progress.
    fn cost(&self) -> u64 {
        1
    }

    /// Whether it is skipped for this error, and the others go on.
    fn is_skipped_for(error: &Error) -> bool {
        error.kind().is_device_limit()
    }
}

/// The time of a run, or the times of its stages.
pub trait RunTime {
    fn whole(&self) -> Duration;
}

impl RunTime for Duration {
    fn whole(&self) -> Duration {
        *self
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub rounds: Rounds,
    /// About the time of a run, so that the clock's steps do not matter.
    pub run: Duration,
    /// The fewest and the most parts of a run.
    pub parts: [u64; 2],
    /// Cases take turns while all of them together take no more memory than this.
    pub kept_bytes: usize,
    /// The most time at work before the device is timed again. A GPU lowers its clocks while the
    /// host works, and takes some tenths of a second to raise them.
    pub warm_up: Duration,
}

#[derive(Clone, Copy, Debug)]
pub enum Rounds {
    Exactly(usize),
    /// The number of runs that fits the time, from 3 to this many.
    Within(Duration, usize),
}

/// The rounds expected while their number is not known.
const EXPECTED: usize = 5;
/// The fewest rounds that have a spread.
const LEAST: usize = 3;

pub struct Measured<C: Case> {
    pub case: C,
    pub comparison: Comparison,
    pub parts: u64,
    pub times: Vec<C::Time>,
}

/// The outcome of some cases.
pub struct Outcome<C: Case> {
    /// The measured cases, in their order. Empty unless all were run at least once, so that all had
    /// the same disturbances.
    pub measured: Vec<Measured<C>>,
    pub skipped: Vec<(C, Error)>,
    /// Whether all runs were made: the observer may have stopped them.
    pub finished: bool,
}

impl Effort {
    /// Runs of about a time, with fewest and most parts.
    pub fn new(context: &Context, rounds: Rounds, run: Duration, parts: [u64; 2]) -> Effort {
        let software = context.abilities().software;
        let warm_up = if software { Duration::ZERO } else { Duration::from_secs(1) };
        Effort { rounds, run, parts, kept_bytes: 1 << 30, warm_up }
    }

    /// Runs of one part each, after one to warm up.
    pub fn single(context: &Context, rounds: Rounds) -> Effort {
        Effort::new(context, rounds, Duration::ZERO, [1, 1])
    }

    /// Turns of a case: to be set up, and to be run.
    pub fn turns(&self) -> u64 {
        self.rounds.turns()
    }

    /// The parts that fill a run, if `parts` of them take `time`.
    fn filled(&self, parts: u64, time: Duration) -> u64 {
        let [least, most] = self.parts;
        let share = time.as_secs_f64() / self.run.as_secs_f64().max(1e-9);
        ((parts as f64 / share.max(1e-9)).round() as u64).clamp(least, most)
    }
}

impl Rounds {
    /// Turns of a case: to be set up, and to be run.
    pub fn turns(&self) -> u64 {
        1 + match self {
            Rounds::Exactly(rounds) => *rounds as u64,
            Rounds::Within(..) => EXPECTED as u64,
        }
    }
}

/// Measures cases. Those that do not fit the memory together are measured in groups, one after the
/// other: what is made again for each run is slow at first, by far on some devices.
pub fn measure<C: Case>(
    cases: Vec<C>,
    effort: &Effort,
    meter: &mut Meter<'_>,
) -> Result<Outcome<C>> {
    let all = cases.len();
    let mut outcome = Outcome { measured: Vec::new(), skipped: Vec::new(), finished: true };
    for group in groups(cases, effort.kept_bytes) {
        let share = group.len() as f64 / all as f64;
        outcome.finished = measure_group(group, share, effort, meter, &mut outcome)?;
        if !outcome.finished {
            break;
        }
    }
    if outcome.measured.len() + outcome.skipped.len() < all
        || outcome.measured.iter().any(|measured| measured.times.is_empty())
    {
        outcome.measured.clear();
    }
    Ok(outcome)
}

/// Neighbours that fit the memory together; a case that does not is alone.
fn groups<C: Case>(cases: Vec<C>, kept_bytes: usize) -> Vec<Vec<C>> {
    let (mut groups, mut bytes) = (Vec::<Vec<C>>::new(), 0_usize);
    for case in cases {
        bytes = bytes.saturating_add(case.bytes());
        match groups.last_mut() {
            Some(group) if bytes <= kept_bytes => group.push(case),
            _ => {
                bytes = case.bytes();
                groups.push(vec![case]);
            }
        }
    }
    groups
}

/// Measures a group in a share of the time; false where the observer stopped it.
fn measure_group<C: Case>(
    group: Vec<C>,
    share: f64,
    effort: &Effort,
    meter: &mut Meter<'_>,
    outcome: &mut Outcome<C>,
) -> Result<bool> {
    let begun = meter.now();
    let mut ready = Vec::new();
    for mut case in group {
        let cost = case.cost();
        match set_up(&mut case, effort) {
            Ok((comparison, parts)) => {
                ready.push(Measured { case, comparison, parts, times: Vec::new() });
            }
            Err(error) if C::is_skipped_for(&error) => {
                case.release();
                outcome.skipped.push((case, error));
                meter.replan((effort.turns() - 1) * cost, 0);
            }
            Err(error) => return Err(error),
        }
        if !meter.go_on(cost) {
            return Ok(false);
        }
    }
    let idle = meter.now() - begun;
    keep_at_work(&mut ready, idle, effort, meter)?;
    let finished = run_rounds(&mut ready, share, effort, meter)?;
    ready.iter_mut().for_each(|measured| measured.case.release());
    outcome.measured.extend(ready);
    Ok(finished)
}

/// Runs the device's cases in turns, as long as the device may have been idle, or as its warm-up
/// takes; runs are filled again, since what is warm is faster.
fn keep_at_work<C: Case>(
    cases: &mut [Measured<C>],
    idle: Duration,
    effort: &Effort,
    meter: &Meter<'_>,
) -> Result<()> {
    let begun = meter.now();
    let mut cases: Vec<_> = cases.iter_mut().filter(|measured| !measured.case.on_host()).collect();
    while !cases.is_empty() && meter.now() - begun < idle.min(effort.warm_up) {
        for measured in &mut cases {
            let time = measured.case.time(measured.parts)?;
            measured.parts = effort.filled(measured.parts, time.whole());
        }
    }
    Ok(())
}

fn run_rounds<C: Case>(
    cases: &mut [Measured<C>],
    share: f64,
    effort: &Effort,
    meter: &mut Meter<'_>,
) -> Result<bool> {
    let cost: u64 = cases.iter().map(|measured| measured.case.cost()).sum();
    let begun = meter.now();
    let (mut round, mut rounds) = (0, effort.turns() as usize - 1);
    let mut idle = Duration::ZERO;
    while round < rounds {
        for measured in cases.iter_mut() {
            let time = time_warm(measured, &mut idle, effort, meter)?;
            measured.times.push(time);
            if !meter.go_on(measured.case.cost()) {
                return Ok(false);
            }
        }
        round += 1;
        if let (1, Rounds::Within(time, most)) = (round, effort.rounds) {
            let expected = rounds;
            rounds = rounds_within(time.mul_f64(share), meter.now() - begun, most);
            meter.replan(expected as u64 * cost, rounds as u64 * cost);
        }
    }
    Ok(true)
}

/// Times a run. Before a run on the device, untimed ones put it to work for as long as it was idle
/// during the host's runs, or as its warm-up takes.
fn time_warm<C: Case>(
    measured: &mut Measured<C>,
    idle: &mut Duration,
    effort: &Effort,
    meter: &Meter<'_>,
) -> Result<C::Time> {
    let begun = meter.now();
    if measured.case.on_host() {
        let time = measured.case.time(measured.parts)?;
        *idle += meter.now() - begun;
        return Ok(time);
    }
    while meter.now() - begun < (*idle).min(effort.warm_up) {
        measured.case.time(measured.parts)?;
    }
    *idle = Duration::ZERO;
    measured.case.time(measured.parts)
}

/// An odd number, so that the median is a run.
fn rounds_within(time: Duration, first: Duration, most: usize) -> usize {
    let fit = time.as_secs_f64() / first.as_secs_f64().max(1e-3);
    ((fit as usize).clamp(LEAST, most.max(LEAST)) - 1) / 2 * 2 + 1
}

fn set_up<C: Case>(case: &mut C, effort: &Effort) -> Result<(Comparison, u64)> {
    case.prepare()?;
    let comparison = case.check()?;
    Ok((comparison, warmed_up(case, effort)?))
}

/// The share of a run that shows how many parts fill it.
const TELLS: f64 = 0.2;
/// A run that takes this many times the wanted time is not repeated to warm up.
const SLOW: f64 = 10.0;

/// Runs until a repetition is no longer much faster, since what was just made is slow at first: the
/// number of parts that fill a run.
fn warmed_up<C: Case>(case: &mut C, effort: &Effort) -> Result<u64> {
    let [least, most] = effort.parts;
    let (mut parts, mut before) = (least, None);
    loop {
        let time = case.time(parts)?.whole();
        let share = time.as_secs_f64() / effort.run.as_secs_f64().max(1e-9);
        let settled = share > SLOW || before.is_some_and(|before| share >= 0.7 * before);
        if share < TELLS && parts < most {
            (parts, before) = (parts.saturating_mul(8).min(most), None);
        } else if settled || effort.run.is_zero() {
            return Ok(effort.filled(parts, time));
        } else {
            before = Some(share);
        }
    }
}

impl<C: Case<Time = Duration>> Measured<C> {
    pub fn summary(&self) -> Summary {
        Summary::of(&self.times, self.parts)
    }

    /// Seconds of a part in the fastest run, for what is possible.
    pub fn fastest(&self) -> f64 {
        let fastest = self.times.iter().min().copied().unwrap_or_default();
        fastest.as_secs_f64() / self.parts.max(1) as f64
    }
}
