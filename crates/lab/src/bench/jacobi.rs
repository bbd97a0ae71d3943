//! The table of Göddeke 2005: every layout and stage, both ways of reading, and the
//! document's loops on one core of the CPU.
//!
//! The variants of a size alternate, round after round, so that a disturbance affects all of them.
//! Before its first run each is checked against double precision after a few iterations from a
//! random start, on random couplings, which a wrong wrap cannot survive.

mod by_optimization;
mod case;
mod engine;
mod row;

use std::time::Duration;

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::linalg::jacobi::{Layout, Optimization, Variant};
use quadrille::shader::Reads;

pub use self::by_optimization::ByOptimization;
pub use self::engine::Engine;
pub use self::row::{Row, skipped};

use self::case::{Case, Trial, turn, width};
use super::runner::{self, Effort, Meter, Rounds};
use crate::Result;
use crate::report::table::Skipped;

#[derive(Clone, Debug)]
pub struct Plan {
    /// Unknowns in all; RGBA holds four systems of a quarter.
    pub sizes: Vec<usize>,
    pub layouts: Vec<Layout>,
    pub stages: Vec<Optimization>,
    pub reads: Vec<Reads>,
    /// Whether the CPU loops run too.
    pub cpu: bool,
    /// Runs of each; by time where not given.
    pub runs: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Sizes in order, engines in the plan's order.
    pub rows: Vec<Row>,
    pub skipped: Vec<Skipped<Engine>>,
    /// Whether the observer stopped it: sizes that were not finished are left out.
    pub stopped: bool,
}

/// Runs of a size take about this long together, where their number is not given.
const SIZE: Duration = Duration::from_secs(30);
/// A run takes about this long, so that the clock's steps do not matter.
const RUN: Duration = Duration::from_millis(40);
/// The fewest and the most iterations in a run.
const ITERATIONS: [u64; 2] = [2, 4096];

pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table> {
    let engines = plan.engines();
    if let ([], [stage, ..], [reads, ..]) = (&engines[..], &plan.stages[..], &plan.reads[..]) {
        let (optimization, reads) = (*stage, *reads);
        return Err(quadrille::linalg::jacobi::Error::Reads { optimization, reads }.into());
    }
    let rounds = plan.runs.map_or(Rounds::Within(SIZE, 9), Rounds::Exactly);
    let effort = Effort::new(context, rounds, RUN, ITERATIONS);
    let turns = engines.len() as u64 * effort.turns();
    let mut meter = Meter::new(observer, plan.sizes.iter().map(|n| turns * turn(*n)).sum());
    let mut table = Table::default();
    for n in &plan.sizes {
        plan.must_fit(context, *n)?;
        let [one, four] = [1, 4].map(|systems| trials(&engines, *n, systems));
        let (one, four) = (one?, four?);
        let case = |engine: &Engine| {
            let trials = if engine.systems() == 4 { &four } else { &one };
            Case { context, engine: *engine, trials, n: *n, prepared: None }
        };
        let outcome = runner::measure(engines.iter().map(case).collect(), &effort, &mut meter)?;
        let skipped = outcome.skipped.iter();
        table.skipped.extend(skipped.map(|(case, why)| Skipped::new(case.engine, *n, why)));
        if !outcome.finished {
            table.stopped = true;
            break;
        }
        table.rows.extend(outcome.measured.iter().map(Case::row));
    }
    Ok(table)
}

/// The systems that engines of `systems` systems solve together; none without such an engine.
fn trials(engines: &[Engine], n: usize, systems: usize) -> Result<Vec<Trial>> {
    let wanted = engines.iter().any(|engine| engine.systems() == systems);
    let count = if wanted { systems } else { 0 };
    (0..count).map(|i| Trial::new((n / systems).max(1), i as u64)).collect()
}

impl Plan {
    /// Refuses a size that fits in no layout, before matrices are made for it.
    fn must_fit(&self, context: &Context, n: usize) -> Result<()> {
        let fit = |layout: &Layout| {
            let n = n / layout.systems();
            Variant::default().layout(*layout).resolve(context, n, width(n))
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
