//! The bench of the matrix multiply: methods, with whatever options, and a library on the host.
//!
//! The contenders of a size take turns, round after round, so that a disturbance meets all of them.
//! Before its first run each is checked against double precision, and multiplies matrices of -1 and 1,
//! whose product must be exact in every element.

mod charts;
mod contender;
mod efficiency;
mod fit;
mod library;
mod racer;
mod sweep;

use std::time::{Duration, Instant};

use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::error::{Classified, Kind};
use quadrille::gl::Context;
use quadrille::internal::reference::Comparison;
use quadrille::internal::reference::matmul::{Expected, expected_rows};
use quadrille::internal::reference::signs::Signs;
use quadrille::linalg::matmul::Element;
use quadrille::observer::{Control, Observer, Progress};

pub use self::charts::charts;
pub use self::contender::{Contender, Threads};
pub use self::efficiency::{Efficiency, claimed_speedup};
pub use self::fit::Fit;
pub use self::sweep::{Finding, Sweep, findings};

use self::racer::Racer;
use super::{Error, Summary};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One after the other.
    pub contests: Vec<Contest>,
    /// Runs of each contender; by time where not given.
    pub runs: Option<usize>,
}

/// Those that multiply matrices of one size.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Rows and columns of A, B and C.
    pub n: usize,
    /// Who multiplies.
    pub contenders: Vec<Contender>,
}

/// One line of the table. Times are of one multiplication, without transfers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// Rows and columns of A, B and C.
    pub n: usize,
    /// Who multiplied.
    pub contender: Contender,
    /// Its options as they were, also those that were left open.
    pub options: String,
    /// How long a multiplication took.
    pub summary: Summary,
    /// How long it took to pack both operands and to send them to the device.
    pub setup: Duration,
    /// Bytes that shaders asked for in a multiplication; not known of a library.
    pub fetched_bytes: Option<u64>,
    /// Against double precision: a sample of rows where there are many. And of matrices of -1 and 1,
    /// where no element may differ at all.
    pub comparison: Comparison,
}

/// What this device cannot run, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// Rows and columns of A, B and C.
    pub n: usize,
    /// Who would have multiplied.
    pub contender: Contender,
    /// Why not.
    pub reason: String,
}

/// The whole table.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Table {
    /// Contests in order, contenders in the contest's order.
    pub rows: Vec<Row>,
    /// What could not run.
    pub skipped: Vec<Skipped>,
    /// Whether the observer stopped it. A contest that had not let everyone run once is left out.
    pub stopped: bool,
}

/// Runs of a contest take about this long together, where their number is not given.
const CONTEST: Duration = Duration::from_secs(30);
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
    for (index, contest) in plan.contests.iter().enumerate() {
        let trial = Trial::<T>::new(contest.n)?;
        let mut size = Size::new(context, contest, &trial, plan.runs);
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

/// Two matrices and what their product should be, and two whose product is exact.
struct Trial<T: Element> {
    a: Matrix<T>,
    b: Matrix<T>,
    expected: Expected,
    signs: Signs,
}

/// Rows of C that are compared with double precision: all, or so many.
const SAMPLE: usize = 64;

impl<T: Element> Trial<T> {
    fn new(n: usize) -> Result<Trial<T>, Error> {
        let shape = Shape::new(n, n);
        let (a, b) = (Matrix::random(shape, 1)?, Matrix::random(shape, 2)?);
        let expected = expected_rows(&a, &b, &sample(n))?;
        Ok(Trial { a, b, expected, signs: Signs::new(shape, shape, 3)? })
    }
}

/// Rows all over a matrix, each at another place of the blocks that methods make.
fn sample(n: usize) -> Vec<usize> {
    if n <= 2 * SAMPLE {
        return (0..n).collect();
    }
    let apart = n / SAMPLE;
    (0..SAMPLE).map(|i| i * apart + i % apart).collect()
}

/// All contenders at one size.
struct Size<'a, T: Element> {
    n: usize,
    runs: Option<usize>,
    racers: Vec<Racer<'a, T>>,
    keep: bool,
}

impl<'a, T: Element> Size<'a, T> {
    fn new(
        context: &'a Context,
        contest: &Contest,
        trial: &'a Trial<T>,
        runs: Option<usize>,
    ) -> Size<'a, T> {
        let Contest { n, contenders } = contest;
        let bytes = contenders.len() * 3 * n * n * size_of::<T>();
        let racers = contenders.iter().map(|contender| Racer::new(context, trial, *contender));
        Size { n: *n, runs, racers: racers.collect(), keep: bytes <= KEPT_BYTES }
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
            while let Some(racer) = self.racers.get_mut(at) {
                match racer.run(self.keep) {
                    Ok(()) => at += 1,
                    Err(error) if cannot(&error) && round == 0 => {
                        let contender = self.racers.remove(at).contender;
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

    /// Nothing while someone has not run: what is compared has had the same disturbances.
    fn rows(&self) -> impl Iterator<Item = Row> {
        let all_ran = self.racers.iter().all(|racer| !racer.times.is_empty());
        let racers = if all_ran { &self.racers[..] } else { &[] };
        racers.iter().map(|racer| racer.row(self.n))
    }
}

/// An odd number, so that the median is a run.
fn rounds_within(first: Duration) -> usize {
    let fit = CONTEST.as_secs_f64() / first.as_secs_f64().max(1e-3);
    (fit as usize).clamp(3, 9) / 2 * 2 + 1
}

/// Whether this one merely cannot run here, so that the others can go on.
fn cannot(error: &Error) -> bool {
    matches!(error.kind(), Kind::Limit | Kind::Unsupported | Kind::OutOfMemory | Kind::Input)
}

/// Progress in work done: a turn costs a set-up and work in proportion to its arithmetic.
struct Weight {
    /// For each contest: its turns, and what one costs.
    contests: Vec<(u64, u64)>,
    contenders: Vec<u64>,
    done: u64,
}

/// What a turn costs beside its multiply-adds, in those.
const SET_UP: u64 = 100_000_000;
/// Rounds expected while their number is not known.
const ROUNDS: usize = 5;

impl Weight {
    fn new(plan: &Plan) -> Weight {
        let rounds = plan.runs.unwrap_or(ROUNDS) as u64;
        let contenders: Vec<u64> =
            plan.contests.iter().map(|contest| contest.contenders.len() as u64).collect();
        let cost = |contest: &Contest| SET_UP + (contest.n as u64).saturating_pow(3);
        let turns = contenders.iter().map(|count| count * rounds);
        let contests = turns.zip(plan.contests.iter().map(cost)).collect();
        Weight { contests, contenders, done: 0 }
    }

    fn after_one(&mut self, index: usize, rounds: Option<usize>) -> Progress {
        // What lies before is finished, however many turns it took.
        self.contests.iter_mut().take(index).for_each(|(turns, _)| *turns = 0);
        let contenders = self.contenders.get(index).copied().unwrap_or(0);
        if let Some((turns, cost)) = self.contests.get_mut(index) {
            *turns = turns.saturating_sub(1);
            if let Some(rounds) = rounds {
                *turns = (*turns).min(rounds as u64 * contenders);
            }
            self.done = self.done.saturating_add(*cost);
        }
        let left: u64 = self.contests.iter().map(|(turns, cost)| turns.saturating_mul(*cost)).sum();
        let expected = Some(self.done.saturating_add(left));
        Progress { done: self.done, expected, residual: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_meets_every_place_of_a_block() {
        for n in [1024, 2048, 4096] {
            let rows = sample(n);
            assert_eq!(rows.len(), SAMPLE);
            assert_eq!((rows[0], rows[SAMPLE - 1] / 8), (0, (n - 1) / 8));
            for place in 0..16 {
                assert!(rows.iter().any(|row| row % 16 == place), "{place} of {n}");
            }
        }
        assert_eq!(sample(5), [0, 1, 2, 3, 4]);
    }
}
