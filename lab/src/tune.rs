//! The tuner's search: which method, with which options, multiplies fastest here.
//!
//! For each size, every candidate runs once, then those that are nearly the fastest alternate
//! until a median can be trusted. Whoever's result differs from double precision by more than
//! rounding explains is out, however fast.

mod candidates;

use quadrille::gl::Context;
use quadrille::observer::Observer;
use quadrille::stream::choice::Entry;

use self::candidates::candidates;
use super::Error;
use super::matmul::{self, Contender, Group, Row, Table};
use super::runner::Meter;

/// The results.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The best of each size, in the order of the sizes.
    pub best: Vec<Entry>,
    /// Candidates whose results were wrong.
    pub dropped: Vec<Dropped>,
    /// Whether the observer stopped it: the size that was not finished is left out.
    pub stopped: bool,
}

/// A candidate whose result was wrong.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Dropped {
    /// Rows and columns of the matrices.
    pub size: usize,
    /// The method and its options.
    pub choice: String,
    /// Its largest error.
    pub max_error: f64,
}

/// Candidates that take so much longer than the fastest are out after their first run.
const NEAR: f64 = 1.5;
/// Most that go on.
const FINALISTS: usize = 5;
/// Runs of each of them.
const RUNS: usize = 5;

/// Searches for the multiply of floats.
pub fn run(
    context: &Context,
    sizes: &[usize],
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let groups =
        sizes.iter().map(|n| Group { n: *n, contenders: candidates(*n, context.abilities()) });
    let groups: Vec<Group> = groups.collect();
    let cost = groups.iter().map(|group| group.cost(Some(1)) + finals(group).cost(Some(RUNS)));
    let mut meter = Meter::new(observer, cost.sum());
    let mut outcome = Outcome::default();
    for group in &groups {
        let first = measure_group(context, group, 1, &mut meter)?;
        if !first.stopped {
            let last = Group { n: group.n, contenders: outcome.near_the_best(&first) };
            meter.replan(finals(group).cost(Some(RUNS)), last.cost(Some(RUNS)));
            let last = measure_group(context, &last, RUNS, &mut meter)?;
            if !last.stopped {
                outcome.keep_best(&last);
            }
        }
        if meter.stopped() {
            outcome.stopped = true;
            break;
        }
    }
    Ok(outcome)
}

/// As many contenders as may go on.
fn finals(group: &Group) -> Group {
    let contenders = group.contenders.iter().take(FINALISTS).copied().collect();
    Group { n: group.n, contenders }
}

fn measure_group(
    context: &Context,
    group: &Group,
    runs: usize,
    meter: &mut Meter<'_>,
) -> Result<Table, Error> {
    let mut table = Table::default();
    matmul::run_group::<f32>(context, group, Some(runs), meter, &mut table)?;
    Ok(table)
}

impl Outcome {
    /// The right ones that came near the fastest, fastest first; notes the wrong ones.
    fn near_the_best(&mut self, table: &Table) -> Vec<Contender> {
        let mut right = self.only_right(table);
        right.sort_by(|one, other| time(one).total_cmp(&time(other)));
        let fastest = right.first().map_or(0.0, |row| time(row));
        let near = right.iter().filter(|row| time(row) <= NEAR * fastest);
        near.take(FINALISTS).map(|row| row.contender).collect()
    }

    fn keep_best(&mut self, table: &Table) {
        let right = self.only_right(table);
        let best = right.iter().min_by(|one, other| time(one).total_cmp(&time(other)));
        self.best.extend(best.map(|row| Entry {
            size: row.n,
            choice: row.contender.to_string(),
            gflops: row.gflops(),
        }));
    }

    fn only_right<'a>(&mut self, table: &'a Table) -> Vec<&'a Row> {
        let (right, wrong): (Vec<&Row>, Vec<&Row>) =
            table.rows.iter().partition(|row| row.comparison.is_right());
        self.dropped.extend(wrong.into_iter().map(|row| Dropped {
            size: row.n,
            choice: row.contender.to_string(),
            max_error: row.comparison.max_error,
        }));
        right
    }
}

fn time(row: &Row) -> f64 {
    row.summary.median_ms
}

#[cfg(test)]
mod tests;
