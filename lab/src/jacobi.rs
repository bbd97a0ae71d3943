//! The table of Göddeke 2005: every layout and stage, both ways of reading, and the
//! document's loops on one core of the CPU.
//!
//! The variants of a size alternate, round after round, so that a disturbance affects all of them.
//! Before its first run each is checked against double precision after a few iterations from a
//! random start, on random couplings, which a wrong wrap cannot survive.

mod case;
mod engine;
mod trial;

use std::time::{Duration, Instant};

use quadrille::error::Kind;
use quadrille::gl::Context;
use quadrille::linalg::jacobi::{Layout, Optimization, Variant};
use quadrille::observer::{Control, Observer, Progress};
use quadrille::shader::Reads;

pub use self::engine::Engine;

use self::case::Case;
use self::trial::{Trial, width};
use super::document::jacobi::{self as document, Claim};
use super::twin::Comparison;
use super::{Error, Summary};

/// The measurements to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Unknowns in all; RGBA holds four systems of a quarter.
    pub sizes: Vec<usize>,
    /// Layouts on the device.
    pub layouts: Vec<Layout>,
    /// Stages of each layout.
    pub stages: Vec<Optimization>,
    /// Ways of reading.
    pub reads: Vec<Reads>,
    /// Whether the CPU loops run too.
    pub cpu: bool,
    /// Runs of each; by time where not given.
    pub runs: Option<usize>,
}

/// One line of the table. Times are of one iteration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// Unknowns in all.
    pub n: usize,
    /// The implementation that iterated.
    pub engine: Engine,
    /// How long an iteration took.
    pub summary: Summary,
    /// Iterations in each run.
    pub iterations: u64,
    /// By the paper's count: 20 operations an unknown and iteration.
    pub mflops: f64,
    /// Against double precision.
    pub comparison: Comparison,
    /// The rates that the paper reports for this size and layout.
    pub document: Option<Claim>,
}

/// A variant that this device cannot run, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// Unknowns in all.
    pub n: usize,
    /// The variant.
    pub engine: Engine,
    /// The reason.
    pub reason: String,
}

/// The whole table.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Table {
    /// Sizes in order, engines in the plan's order.
    pub rows: Vec<Row>,
    /// The variants that could not run.
    pub skipped: Vec<Skipped>,
    /// Whether the observer stopped it: sizes that were not finished are left out.
    pub stopped: bool,
}

/// Runs of a size take about this long together, where their number is not given.
const SIZE: Duration = Duration::from_secs(30);
/// Variants stay on the device between their turns while they take no more than this together.
const KEPT_BYTES: usize = 1 << 30;

/// Measures.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table, Error> {
    let engines = plan.engines();
    if let ([], [stage, ..], [reads, ..]) = (&engines[..], &plan.stages[..], &plan.reads[..]) {
        let (optimization, reads) = (*stage, *reads);
        return Err(quadrille::linalg::jacobi::Error::Reads { optimization, reads }.into());
    }
    let mut table = Table::default();
    let mut weight = Weight::new(plan, engines.len());
    for n in &plan.sizes {
        plan.must_fit(context, *n)?;
        let mut size = Size::new(context, plan, &engines, *n)?;
        let finished = size.run(&mut table.skipped, |rounds| {
            observer.observe(&weight.after_one(*n, rounds)) == Control::Continue
        })?;
        if !finished {
            table.stopped = true;
            return Ok(table);
        }
        table.rows.extend(size.rows());
    }
    Ok(table)
}

impl Plan {
    /// Refuses a size that fits in no layout, before matrices are made for it.
    fn must_fit(&self, context: &Context, n: usize) -> Result<(), Error> {
        let fit = |layout: &Layout| {
            let n = n / layout.systems();
            Variant::default().layout(*layout).resolve(context.abilities(), n, width(n))
        };
        let mut refusals: Vec<_> =
            self.layouts.iter().filter_map(|layout| fit(layout).err()).collect();
        if refusals.is_empty() || refusals.len() < self.layouts.len() {
            return Ok(());
        }
        Err(refusals.swap_remove(0).into())
    }

    fn engines(&self) -> Vec<Engine> {
        let mut engines = Vec::new();
        for layout in &self.layouts {
            for stage in &self.stages {
                for reads in self.reads.iter().filter(|reads| stage.can_read(**reads)) {
                    engines.push(Engine::Device(*layout, *stage, *reads));
                }
            }
        }
        if self.cpu {
            engines.extend([Engine::CpuLoop, Engine::CpuBands]);
        }
        engines
    }
}

/// All engines at one size.
struct Size<'a> {
    n: usize,
    runs: Option<usize>,
    cases: Vec<Case<'a>>,
    one: Vec<Trial>,
    four: Vec<Trial>,
    keep: bool,
}

impl<'a> Size<'a> {
    fn new(
        context: &'a Context,
        plan: &Plan,
        engines: &[Engine],
        n: usize,
    ) -> Result<Size<'a>, Error> {
        let uses = |systems| engines.iter().any(|engine| engine.systems() == systems);
        let trials = |systems: usize| -> Result<Vec<Trial>, Error> {
            if !uses(systems) {
                return Ok(Vec::new());
            }
            (0..systems).map(|i| Trial::new((n / systems).max(1), i as u64)).collect()
        };
        // Nine bands, the right-hand side, two iterates.
        let bytes = engines.len() * 12 * 4 * n;
        Ok(Size {
            n,
            runs: plan.runs,
            cases: engines.iter().map(|engine| Case::new(context, *engine)).collect(),
            one: trials(1)?,
            four: trials(4)?,
            keep: bytes <= KEPT_BYTES,
        })
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
            while at < self.cases.len() {
                match self.turn(at) {
                    Ok(()) => at += 1,
                    Err(error) if cannot(&error) && round == 0 => {
                        let (n, engine) = (self.n, self.cases.remove(at).engine);
                        skipped.push(Skipped { n, engine, reason: error.to_string() });
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

    fn turn(&mut self, at: usize) -> Result<(), Error> {
        let Some(case) = self.cases.get_mut(at) else { return Ok(()) };
        case.run(if case.engine.systems() == 4 { &self.four } else { &self.one })?;
        if !self.keep {
            case.release();
        }
        Ok(())
    }

    fn rows(&self) -> impl Iterator<Item = Row> {
        self.cases.iter().map(|case| {
            let unknowns = match case.engine.systems() {
                1 => self.n,
                systems => self.n / systems * systems,
            };
            let summary = Summary::of(&case.times, case.iterations);
            Row {
                n: self.n,
                engine: case.engine,
                summary,
                iterations: case.iterations,
                mflops: summary.rate(20.0 * unknowns as f64) / 1e6,
                comparison: case.comparison,
                document: match case.engine {
                    Engine::Device(layout, ..) => document::claim(self.n, layout),
                    _ => None,
                },
            }
        })
    }
}

/// An odd number, so that the median is a run.
fn rounds_within(first: Duration) -> usize {
    let fit = SIZE.as_secs_f64() / first.as_secs_f64().max(1e-3);
    (fit as usize).clamp(3, 9) / 2 * 2 + 1
}

/// Whether the device merely lacks something, so that the others can go on.
fn cannot(error: &Error) -> bool {
    matches!(error.kind(), Kind::Limit | Kind::Unsupported | Kind::OutOfMemory)
}

/// Progress by work: a run costs a set-up and work in proportion to its size.
struct Weight {
    turns_left: Vec<(usize, u64)>,
    engines: u64,
    done: u64,
}

/// The cost of setting up a run, in unknowns.
const SET_UP: u64 = 200_000;
/// Rounds expected while their number is not known.
const ROUNDS: usize = 5;

impl Weight {
    fn new(plan: &Plan, engines: usize) -> Weight {
        let turns = (plan.runs.unwrap_or(ROUNDS) * engines) as u64;
        let turns_left = plan.sizes.iter().map(|n| (*n, turns)).collect();
        Weight { turns_left, engines: engines as u64, done: 0 }
    }

    fn after_one(&mut self, n: usize, rounds: Option<usize>) -> Progress {
        let cost = |n: usize| n as u64 + SET_UP;
        self.done += cost(n);
        if let Some(place) = self.turns_left.iter().position(|(size, _)| *size == n) {
            // Earlier sizes are finished, however many runs they took.
            self.turns_left.drain(..place);
        }
        if let Some((_, turns)) = self.turns_left.first_mut() {
            *turns = turns.saturating_sub(1);
            if let Some(rounds) = rounds {
                *turns = (*turns).min(rounds as u64 * self.engines);
            }
        }
        let left: u64 = self.turns_left.iter().map(|(n, turns)| turns * cost(*n)).sum();
        Progress { done: self.done, expected: Some(self.done + left), residual: None }
    }
}
