//! The bench of the matrix multiply: methods, with whatever options, and a library on the host.
//!
//! The contenders of a size alternate, round after round, so that a disturbance affects all of
//! them. Before its first run each is checked against double precision, and multiplies matrices of
//! -1 and 1, whose product must be exact in every element.

mod case;
mod charts;
mod contender;
mod efficiency;
#[cfg_attr(not(feature = "reports"), path = "matmul/absent.rs")]
mod library;
mod listing;
mod rated_row;
mod sweep;
mod table;
mod trial;

use std::time::Duration;

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::linalg::matmul::Element;

pub use self::charts::charts;
pub use self::contender::{Contender, Threads};
pub use self::efficiency::{Efficiency, registers};
pub use self::listing::Order;
pub use self::rated_row::RatedRow;
pub use self::sweep::{Finding, Sweep, findings};
pub use self::table::{Row, Table, skipped};

pub use self::case::Case;
use self::case::turn;
pub use self::trial::Trial;
use super::runner::{self, Effort, Meter, Rounds};
use crate::report::table::Skipped;
use crate::{Result, must_have_reports};

#[derive(Clone, Debug)]
pub struct Plan {
    pub groups: Vec<Group>,
    /// Runs of each contender; by time where not given.
    pub runs: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub n: usize,
    pub contenders: Vec<Contender>,
}

/// Runs of a group take about this long together, where their number is not given.
const GROUP: Duration = Duration::from_secs(30);
/// A run takes at least about this long, so that the clock's steps do not matter.
const RUN: Duration = Duration::from_millis(20);
/// Most multiplications in a run.
const MOST_PARTS: u64 = 4096;

pub fn run<T: Element>(
    context: &Context,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Table> {
    let mut contenders = plan.groups.iter().flat_map(|group| &group.contenders);
    if contenders.any(|contender| matches!(contender, Contender::Library(_))) {
        must_have_reports("the library gemm")?;
    }
    let cost = plan.groups.iter().map(|group| group.cost(plan.runs)).sum();
    let mut meter = Meter::new(observer, cost);
    let mut table = Table::default();
    for group in &plan.groups {
        run_group::<T>(context, group, plan.runs, &mut meter, &mut table)?;
        if table.stopped {
            break;
        }
    }
    Ok(table)
}

fn run_group<T: Element>(
    context: &Context,
    group: &Group,
    runs: Option<usize>,
    meter: &mut Meter<'_>,
    table: &mut Table,
) -> Result<()> {
    let Group { n, contenders } = group;
    let trial = Trial::<T>::new(*n)?;
    let cases = contenders.iter().map(|contender| Case::new(context, &trial, *contender));
    let effort = Effort::new(context, rounds(runs), RUN, [1, MOST_PARTS]);
    let outcome = runner::measure(cases.collect(), &effort, meter)?;
    table.rows.extend(outcome.measured.iter().map(|measured| Case::row(measured, *n)));
    let skipped = outcome.skipped.iter();
    table.skipped.extend(skipped.map(|(case, why)| Skipped::new(case.contender, *n, why)));
    table.stopped = !outcome.finished;
    Ok(())
}

fn rounds(runs: Option<usize>) -> Rounds {
    runs.map_or(Rounds::Within(GROUP, 9), Rounds::Exactly)
}

impl Group {
    fn cost(&self, runs: Option<usize>) -> u64 {
        let turns = self.contenders.len() as u64 * rounds(runs).turns();
        turns.saturating_mul(turn(self.n))
    }
}
