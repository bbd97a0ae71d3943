//! Tables 4 and 5 and figures 4 to 6 of Thompson, Hahn and Oskin 2002, measured on each engine and
//! on one core of the CPU, by a straight loop as in the paper and by one that works on several
//! numbers at a time.
//!
//! Runners alternate, round after round. Every result is compared with double precision before the
//! first timed run. What the paper timed is the sum of upload, computing and reading back.

mod case;
mod chain;
pub mod figures;
pub mod findings;
mod host;
mod lanes;
mod product;
mod row;
mod subject;

use std::time::Duration;

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{Machine, Processor};

use super::runner::{self, Effort, Meter, Rounds};
use crate::Result;
use crate::report::table;
use crate::report::table::{Column, only_json};
use case::Case;

pub use product::Product;
pub use row::{Row, Runner};
pub use subject::Subject;

/// A measurement that this device cannot make: the program, or the product, by name, and who cannot
/// run it.
pub type Skipped = table::Skipped<(String, Runner)>;

pub fn skipped() -> Vec<Column<Skipped>> {
    vec![
        only_json("what", |row: &Skipped| row.what.0.as_str().into()),
        only_json("n", |row| row.n.into()),
        only_json("engine", |row| row.what.1.name().into()),
        only_json("reason", |row| row.reason.as_str().into()),
    ]
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    pub rows: Vec<Row>,
    pub products: Vec<Product>,
    pub skipped: Vec<Skipped>,
    /// Whether the observer stopped it: what was not finished is left out.
    pub stopped: bool,
}

impl Table {
    pub fn wrong(&self) -> Vec<(String, Comparison)> {
        let rows = self.rows.iter().map(|row| {
            (format!("{} of {} on {}", row.subject, row.n, row.runner.name()), row.comparison)
        });
        let products = self.products.iter().map(|product| {
            let name = format!("the product of size {} on {}", product.n, product.runner.name());
            (name, product.comparison)
        });
        rows.chain(products).filter(|(_, comparison)| !comparison.is_right()).collect()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Elements for the programs of table 4.
    pub sizes: Vec<usize>,
    /// Engines; the simulator runs at the smallest size alone.
    pub engines: Vec<Processor>,
    pub runs: usize,
    pub muls_size: usize,
    pub muls_opcodes: Vec<usize>,
    /// Elements and opcodes for table 5, where it is wanted.
    pub retrieval: Option<(usize, usize)>,
    /// Sizes of matrices for figure 6.
    pub products: Vec<usize>,
    /// The largest size at which every element of a product is computed.
    pub product_limit: usize,
}

struct Group {
    subject: Subject,
    n: usize,
    runners: Vec<Runner>,
}

impl Plan {
    fn groups(&self) -> Vec<Group> {
        let smallest = self.sizes.iter().copied().min();
        let table_4 = self.sizes.iter().flat_map(|n| Subject::TABLE_4.map(|subject| (subject, *n)));
        let muls = self.muls_opcodes.iter().map(|count| (Subject::Muls(*count), self.muls_size));
        let mut subjects: Vec<(Subject, usize)> = table_4.chain(muls).collect();
        let retrieval = self.retrieval.map(|(n, opcodes)| (Subject::Muls(opcodes), n));
        if let Some(retrieval) = retrieval.filter(|wanted| !subjects.contains(wanted)) {
            subjects.push(retrieval);
        }
        let group = |(subject, n)| {
            let is_small = Some(n) == smallest && !matches!(subject, Subject::Muls(_));
            let engines = self.engines.iter().copied();
            let engines = engines.filter(|engine| is_small || *engine != Processor::Simulator);
            let lanes = subject.has_lanes().then_some(Runner::Lanes);
            let core = [Runner::Cpu].into_iter().chain(lanes);
            let runners = core.chain(engines.map(Runner::Engine)).collect();
            Group { subject, n, runners }
        };
        subjects.into_iter().map(group).collect()
    }
}

impl Group {
    /// The estimated cost of a run: the transfers of an element cost about as much as 20 opcodes.
    fn cost(&self) -> u64 {
        (self.n * (self.subject.opcodes() + 20)) as u64
    }
}

/// A run takes at least about this long, so that the clock's steps do not matter.
const RUN: Duration = Duration::from_millis(10);
/// Most calls in a run.
const MOST_PARTS: u64 = 1000;

pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table> {
    let machine = Machine::new(context);
    let groups = plan.groups();
    let effort = Effort::new(context, Rounds::Exactly(plan.runs), RUN, [1, MOST_PARTS]);
    let cost = |group: &Group| group.cost() * group.runners.len() as u64 * effort.turns();
    let cost = groups.iter().map(cost).sum::<u64>() + product::cost(plan);
    let mut meter = Meter::new(observer, cost);
    let mut table = Table::default();
    for group in &groups {
        run_group(&machine, group, &effort, &mut meter, &mut table)?;
        if table.stopped {
            return Ok(table);
        }
    }
    table.stopped = !product::run(&machine, plan, &mut meter, &mut table)?;
    Product::rate(&mut table.products);
    Ok(table)
}

fn run_group(
    machine: &Machine,
    group: &Group,
    effort: &Effort,
    meter: &mut Meter<'_>,
    table: &mut Table,
) -> Result<()> {
    let Group { subject, n, .. } = *group;
    let numbers = subject.inputs(n)?;
    let case = |runner: &Runner| Case::new(machine, subject, *runner, &numbers, group.cost());
    let outcome = runner::measure(group.runners.iter().map(case).collect(), effort, meter)?;
    let what = |case: &Case<'_>| (subject.to_string(), case.runner);
    let skipped = outcome.skipped.iter();
    table.skipped.extend(skipped.map(|(case, why)| Skipped::new(what(case), n, why)));
    table.stopped = !outcome.finished;
    if outcome.finished {
        let mut rows: Vec<Row> = outcome.measured.iter().map(Case::row).collect();
        let core = rows.iter().find(|row| row.runner == Runner::Cpu).map(|row| row.total);
        for row in rows.iter_mut().filter(|row| row.runner != Runner::Cpu) {
            row.speedup = core.map(|core| core.over(&row.total));
        }
        if !matches!(subject, Subject::Muls(_)) {
            rows.iter_mut().try_for_each(|row| call_in_a_row(machine, row, &numbers))?;
        }
        table.rows.extend(rows);
    }
    Ok(())
}

fn call_in_a_row(machine: &Machine, row: &mut Row, numbers: &[f32]) -> Result<()> {
    let Runner::Engine(engine) = row.runner else { return Ok(()) };
    if let Some((time, comparison)) = chain::measure(machine, row.subject, engine, numbers)? {
        (row.chain, row.comparison) = (Some(time), row.comparison.worse(comparison));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simulator_runs_at_the_smallest_size_alone_and_nothing_runs_twice() {
        let plan = Plan {
            sizes: vec![100, 10],
            engines: Processor::ALL.to_vec(),
            runs: 1,
            muls_size: 10,
            muls_opcodes: vec![10, 50],
            retrieval: Some((10, 50)),
            products: Vec::new(),
            product_limit: 0,
        };
        let groups = plan.groups();
        assert_eq!(groups.len(), 2 * 3 + 2);
        for group in &groups {
            let simulated = group.runners.contains(&Runner::Engine(Processor::Simulator));
            let is_muls = matches!(group.subject, Subject::Muls(_));
            assert_eq!(simulated, group.n == 10 && !is_muls);
            assert_eq!(group.runners[0], Runner::Cpu);
            let has_lanes = group.runners.contains(&Runner::Lanes);
            assert_eq!(has_lanes, is_muls || group.subject == Subject::Exponents);
        }
        let apart = Plan { retrieval: Some((50, 50)), ..plan };
        assert_eq!(apart.groups().len(), groups.len() + 1);
    }
}
