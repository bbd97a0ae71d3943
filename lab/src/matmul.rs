//! The bench of the matrix multiply: methods, with whatever options, and a library on the host.
//!
//! The contenders of a size alternate, round after round, so that a disturbance affects all of them.
//! Before its first run each is checked against double precision, and multiplies matrices of -1 and 1,
//! whose product must be exact in every element.

mod case;
mod charts;
mod contender;
mod efficiency;
mod fit;
mod library;
mod sweep;
mod table;
mod trial;

use std::time::{Duration, Instant};

use quadrille::error::Kind;
use quadrille::gl::Context;
use quadrille::linalg::matmul::Element;
use quadrille::observer::{Control, Observer, Progress};

pub use self::charts::charts;
pub use self::contender::{Contender, Threads};
pub use self::efficiency::{Efficiency, claimed_speedup};
pub use self::fit::Fit;
pub use self::sweep::{Finding, Sweep, findings};
pub use self::table::{Row, Skipped, Table};

use self::case::Case;
use self::trial::Trial;
use super::Error;

/// The measurements to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One after the other.
    pub groups: Vec<Group>,
    /// Runs of each contender; by time where not given.
    pub runs: Option<usize>,
}

/// The contenders that multiply matrices of one size.
#[derive(Clone, Debug)]
pub struct Group {
    /// Rows and columns of A, B and C.
    pub n: usize,
    /// The contenders.
    pub contenders: Vec<Contender>,
}

/// Runs of a group take about this long together, where their number is not given.
const GROUP: Duration = Duration::from_secs(30);
/// Contenders stay on the device between their turns while they take no more than this together.
const KEPT_BYTES: usize = 1 << 30;

/// Measures.
pub fn run<T: Element>(
    context: &Context,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Table, Error> {
    let mut table = Table::default();
    let mut weight = Weight::new(plan);
    for (index, group) in plan.groups.iter().enumerate() {
        let trial = Trial::<T>::new(group.n)?;
        let mut size = Size::new(context, group, &trial, plan.runs);
        let finished = size.run(&mut table.skipped, |rounds| {
            observer.observe(&weight.after_one(index, rounds)) == Control::Continue
        })?;
        table.rows.extend(size.rows());
        if !finished {
            table.stopped = true;
            break;
        }
    }
    Ok(table)
}

/// All contenders at one size.
struct Size<'a, T: Element> {
    n: usize,
    runs: Option<usize>,
    cases: Vec<Case<'a, T>>,
    keep: bool,
}

impl<'a, T: Element> Size<'a, T> {
    fn new(
        context: &'a Context,
        group: &Group,
        trial: &'a Trial<T>,
        runs: Option<usize>,
    ) -> Size<'a, T> {
        let Group { n, contenders } = group;
        let bytes = contenders.len() * 3 * n * n * size_of::<T>();
        let cases = contenders.iter().map(|contender| Case::new(context, trial, *contender));
        Size { n: *n, runs, cases: cases.collect(), keep: bytes <= KEPT_BYTES }
    }

    /// Rounds of one run each, until there are enough; false where `go_on` ended it. It is told
    /// how many rounds there will be, once that is known.
    fn run(
        &mut self,
        skipped: &mut Vec<Skipped>,
        mut go_on: impl FnMut(Option<usize>) -> bool,
    ) -> Result<bool, Error> {
        let begun = Instant::now();
        let (mut round, mut rounds) = (0, self.runs);
        while rounds.is_none_or(|rounds| round < rounds) {
            let mut at = 0;
            while let Some(case) = self.cases.get_mut(at) {
                match case.run(self.keep) {
                    Ok(()) => at += 1,
                    Err(error) if cannot(&error) && round == 0 => {
                        let contender = self.cases.remove(at).contender;
                        skipped.push(Skipped { n: self.n, contender, reason: error.to_string() });
                    }
                    Err(error) => return Err(error),
                }
                if !go_on(rounds) {
                    return Ok(false);
                }
            }
            round += 1;
            rounds = rounds.or(Some(rounds_within(begun.elapsed())));
        }
        Ok(true)
    }

    /// No rows until all have run, so that all that are compared had the same disturbances.
    fn rows(&self) -> impl Iterator<Item = Row> {
        let all_ran = self.cases.iter().all(|case| !case.times.is_empty());
        let cases = if all_ran { &self.cases[..] } else { &[] };
        cases.iter().map(|case| case.row(self.n))
    }
}

/// An odd number, so that the median is a run.
fn rounds_within(first: Duration) -> usize {
    let fit = GROUP.as_secs_f64() / first.as_secs_f64().max(1e-3);
    (fit as usize).clamp(3, 9) / 2 * 2 + 1
}

/// Whether this one merely cannot run here, so that the others can go on.
fn cannot(error: &Error) -> bool {
    matches!(error.kind(), Kind::Limit | Kind::Unsupported | Kind::OutOfMemory | Kind::Input)
}

/// Progress by work: a run costs a set-up and work in proportion to its arithmetic.
struct Weight {
    /// For each group: its turns, and what one costs.
    groups: Vec<(u64, u64)>,
    contenders: Vec<u64>,
    done: u64,
}

/// The cost of setting up a run, in multiply-adds.
const SET_UP: u64 = 100_000_000;
/// Rounds expected while their number is not known.
const ROUNDS: usize = 5;

impl Weight {
    fn new(plan: &Plan) -> Weight {
        let rounds = plan.runs.unwrap_or(ROUNDS) as u64;
        let contenders: Vec<u64> =
            plan.groups.iter().map(|group| group.contenders.len() as u64).collect();
        let cost = |group: &Group| SET_UP + (group.n as u64).saturating_pow(3);
        let turns = contenders.iter().map(|count| count * rounds);
        let groups = turns.zip(plan.groups.iter().map(cost)).collect();
        Weight { groups, contenders, done: 0 }
    }

    fn after_one(&mut self, index: usize, rounds: Option<usize>) -> Progress {
        // Earlier groups are finished, however many runs they took.
        self.groups.iter_mut().take(index).for_each(|(turns, _)| *turns = 0);
        let contenders = self.contenders.get(index).copied().unwrap_or(0);
        if let Some((turns, cost)) = self.groups.get_mut(index) {
            *turns = turns.saturating_sub(1);
            if let Some(rounds) = rounds {
                *turns = (*turns).min(rounds as u64 * contenders);
            }
            self.done = self.done.saturating_add(*cost);
        }
        let left: u64 = self.groups.iter().map(|(turns, cost)| turns.saturating_mul(*cost)).sum();
        let expected = Some(self.done.saturating_add(left));
        Progress { done: self.done, expected, residual: None }
    }
}
