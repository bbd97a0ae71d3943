//! Time limits: sizes that grow while time remains, and interleaved timing.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::words::short;
use crate::Lab;
use crate::claim::paired;
use quadrille::Observer;
use quadrille::gl::Context;
use quadrille_lab::bench::runner;
use quadrille_lab::bench::runner::{Case, Effort, Meter, Rounds};
use quadrille_lab::report::Estimate;
use quadrille_lab::twin::Comparison;
use quadrille_lab::{Error, Result, Summary};

/// Runs one size after the other while the next one should fit the remaining time; the first one
/// always. Sizes that are left out are noted. `run` returns none if its observer stopped it; the
/// observer also stops a size that takes longer than the remaining time.
pub(crate) fn by_size<T>(
    lab: &mut Lab<'_>,
    what: &str,
    sizes: &[usize],
    left_out: &mut Vec<String>,
    run: impl FnMut(&Context, usize, &mut dyn Observer) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    by_work(lab, what, sizes, |size| size as f64, left_out, run)
}

/// The time limit where the time grows in proportion to this work of a size.
pub(super) fn by_work<T>(
    lab: &mut Lab<'_>,
    what: &str,
    sizes: &[usize],
    work: impl Fn(usize) -> f64,
    left_out: &mut Vec<String>,
    mut run: impl FnMut(&Context, usize, &mut dyn Observer) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let (mut done, mut costs) = (Vec::new(), Vec::new());
    for (index, &size) in sizes.iter().enumerate() {
        let (context, begun) = (lab.context, Instant::now());
        let most = if context.abilities().software { 3.0 } else { 1.5 };
        let (cost, left) = (estimate(&costs, work(size), most), lab.left().as_secs_f64());
        let fits = index == 0 || cost <= left;
        let result = match index {
            0 => run(context, size, &mut lab.observer())?,
            _ if fits => run(context, size, &mut lab.in_time())?,
            _ => None,
        };
        if lab.stopped() {
            break;
        }
        let Some(result) = result else {
            let (rest, cost, left) = (rest(sizes, index), short(cost), short(left));
            left_out.push(match fits {
                true => format!(
                    "{what} at {rest}: it took longer than the {left} s that were left of its time"
                ),
                false => format!(
                    "{what} at {rest}: it should take {cost} s, and {left} s are left of its time"
                ),
            });
            break;
        };
        done.push(result);
        costs.push((work(size), begun.elapsed().as_secs_f64()));
    }
    Ok(done)
}

fn rest(sizes: &[usize], index: usize) -> String {
    let rest: Vec<String> = sizes.iter().skip(index).map(usize::to_string).collect();
    rest.join(", ")
}

/// Seconds of the next work: along the line through the last two. After one size alone its fixed
/// cost, compiling most of all, cannot be separated from the rest: `most` times as much at the
/// most. Hardware is fast, and its compilers are slow.
fn estimate(costs: &[(f64, f64)], work: f64, most: f64) -> f64 {
    match costs {
        [] => 0.0,
        [(last, seconds)] => seconds * (work / last).clamp(1.0, most),
        [.., (before, earlier), (last, seconds)] => {
            let slope = ((seconds - earlier) / (last - before)).max(0.0);
            seconds + slope * (work - last).max(0.0)
        }
    }
}

const ROUNDS: usize = 41;

/// An alternative of [`turns`].
struct Alternative<'a, F> {
    run: &'a RefCell<F>,
    index: usize,
}

impl<F: FnMut(usize) -> Result<Duration>> Case for Alternative<'_, F> {
    type Time = Duration;

    /// Always right here: the study checks.
    fn check(&mut self) -> Result<Comparison> {
        Ok(Comparison::RIGHT)
    }

    fn time(&mut self, _: u64) -> Result<Duration> {
        (self.run.borrow_mut())(self.index)
    }

    fn is_skipped_for(_: &Error) -> bool {
        false
    }
}

pub(crate) struct Turns {
    /// The times of each alternative, in the order of the rounds.
    times: Vec<Vec<Duration>>,
}

impl Turns {
    #[cfg(test)]
    pub(crate) fn of(times: Vec<Vec<Duration>>) -> Turns {
        Turns { times }
    }

    pub(crate) fn count(&self) -> usize {
        self.times.first().map_or(0, Vec::len)
    }

    /// The times of an alternative, each divided by `parts`.
    pub(crate) fn summary(&self, way: usize, parts: u64) -> Summary {
        Summary::of(self.times.get(way).map_or(&[], Vec::as_slice), parts)
    }

    /// Returns the ratio of the times of two ways, round by round.
    pub(super) fn ratio(&self, one: usize, other: usize) -> Estimate {
        let of = |way: usize| self.times.get(way).map_or(&[][..], Vec::as_slice);
        paired(of(one), of(other))
    }
}

/// Interleaved timing of alternatives. `run(i)` returns the elapsed time of alternative `i`; each
/// runs once first as a warm-up. None if the user stopped it.
pub(super) fn turns(
    lab: &mut Lab<'_>,
    ways: usize,
    time: Duration,
    run: impl FnMut(usize) -> Result<Duration>,
) -> Result<Option<Turns>> {
    let effort = Effort::single(lab.context, Rounds::Within(time.min(lab.left()), ROUNDS));
    let run = RefCell::new(run);
    let cases = (0..ways).map(|index| Alternative { run: &run, index }).collect();
    let mut observer = lab.observer();
    let mut meter = Meter::new(&mut observer, ways as u64 * effort.turns());
    let outcome = runner::measure(cases, &effort, &mut meter)?;
    let times = outcome.measured.into_iter().map(|measured| measured.times).collect();
    Ok(outcome.finished.then_some(Turns { times }))
}

/// Times alternatives in turns, within these seconds for the quick scale and for the whole.
pub(crate) fn interleaved<const WAYS: usize>(
    lab: &mut Lab<'_>,
    [quick, whole]: [f64; 2],
    run: impl FnMut(usize) -> Result<Duration>,
) -> Result<Option<[Summary; WAYS]>> {
    let time = Duration::from_secs_f64(lab.scale.pick(quick, whole));
    let turns = turns(lab, WAYS, time, run)?;
    Ok(turns.map(|turns| std::array::from_fn(|way| turns.summary(way, 1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;
    use quadrille::{Control, Progress};

    #[test]
    fn the_next_size_is_on_the_line_of_the_last_two() {
        assert_eq!(estimate(&[], 10.0, 3.0), 0.0);
        assert_eq!(estimate(&[(10.0, 2.0)], 20.0, 3.0), 4.0);
        assert_eq!(estimate(&[(10.0, 2.0)], 1000.0, 3.0), 6.0);
        assert_eq!(estimate(&[(10.0, 2.0)], 1000.0, 1.5), 3.0);
        assert_eq!(estimate(&[(1.0, 9.0), (10.0, 2.0), (20.0, 3.0)], 100.0, 3.0), 11.0);
        assert_eq!(estimate(&[(10.0, 3.0), (20.0, 2.0)], 100.0, 3.0), 2.0);
    }

    #[test]
    fn sizes_end_with_the_time_and_say_so() {
        let context = Context::headless().unwrap();
        let mut nobody = ();
        let mut lab = Lab::new(&context, Scale::Quick, 1, Duration::ZERO, &mut nobody);
        let mut left_out = Vec::new();
        let run = |_: &Context, size: usize, _: &mut dyn Observer| Ok(Some(size));
        let done = by_size(&mut lab, "a thing", &[1, 2, 3], &mut left_out, run).unwrap();
        assert_eq!(done, [1]);
        assert!(left_out[0].starts_with("a thing at 2, 3: it should take"), "{left_out:?}");

        // One that takes longer than it should have is stopped, and thrown away.
        let time = Duration::from_millis(30);
        let mut lab = Lab::new(&context, Scale::Quick, 1, time, &mut nobody);
        let slow = |_: &Context, size: usize, observer: &mut dyn Observer| {
            std::thread::sleep(Duration::from_millis(if size == 1 { 1 } else { 50 }));
            let progress = Progress::new(1, None);
            Ok((observer.observe(&progress) == Control::Continue).then_some(size))
        };
        let mut left_out = Vec::new();
        assert_eq!(by_size(&mut lab, "a thing", &[1, 2, 3], &mut left_out, slow).unwrap(), [1]);
        assert!(left_out[0].starts_with("a thing at 2, 3: it took longer"), "{left_out:?}");
        assert!(!lab.stopped());
    }

    #[test]
    fn ways_take_turns_and_the_user_ends_them() {
        let context = Context::headless().unwrap();
        let mut nobody = ();
        let mut lab = Lab::new(&context, Scale::Quick, 1, Duration::ZERO, &mut nobody);
        let mut order = Vec::new();
        let summaries = interleaved::<2>(&mut lab, [0.0; 2], |way| {
            order.push(way);
            Ok(Duration::from_millis(way as u64 + 1))
        });
        let summaries = summaries.unwrap().unwrap();
        assert_eq!(order, [0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!((summaries[0].median_ms, summaries[1].median_ms), (1.0, 2.0));
        let mut stop = |_: &Progress| Control::Stop;
        let mut lab = Lab::new(&context, Scale::Quick, 1, Duration::ZERO, &mut stop);
        let stopped = interleaved::<1>(&mut lab, [0.0; 2], |_| Ok(Duration::ZERO)).unwrap();
        assert!(stopped.is_none());
        assert!(lab.stopped());
    }
}
