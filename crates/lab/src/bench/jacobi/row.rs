//! A row of the table, and a variant that has none.

use super::engine::Engine;
use crate::report::document::jacobi::Claim;
use crate::report::estimate::Timing;
use crate::report::table::{Column, Skipped, checked, only_json, timed_and_compared, timing};
use crate::twin::Comparison;
use crate::{Summary, reads_name};

/// One line of the table. Times are of one iteration.
#[derive(Clone, Debug)]
pub struct Row {
    /// Unknowns in all.
    pub n: usize,
    pub engine: Engine,
    pub summary: Summary,
    pub iterations: u64,
    /// The rate by the paper's count: 20 operations an unknown and iteration.
    pub mflops: f64,
    pub comparison: Comparison,
    /// The rates that the paper reports for this size and layout.
    pub document: Option<Claim>,
}

timed_and_compared!(Row);

impl Row {
    pub fn timing(&self) -> Timing {
        self.summary.of_size(self.n)
    }

    /// The columns in JSON; for people [`ByOptimization`](super::ByOptimization) has them.
    pub fn columns() -> Vec<Column<Row>> {
        let mut columns = vec![
            only_json("n", |row: &Row| row.n.into()),
            only_json("layout", |row| row.engine.layout_name().into()),
            only_json("stage", |row| row.engine.stage().map(|stage| stage.to_string()).into()),
            only_json("reads", |row| row.engine.reads().map(reads_name).into()),
        ];
        columns.extend(timing());
        columns.extend([
            only_json("iterations", |row: &Row| row.iterations.into()),
            only_json("mflops", |row| row.mflops.into()),
            only_json("document.5900U", |row| row.document.and_then(|claim| claim.fx5900).into()),
            only_json("document.6800", |row| row.document.and_then(|claim| claim.gf6800).into()),
        ]);
        columns.extend(checked());
        columns
    }
}

pub fn skipped() -> Vec<Column<Skipped<Engine>>> {
    vec![
        only_json("n", |row: &Skipped<Engine>| row.n.into()),
        only_json("layout", |row| row.what.layout_name().into()),
        only_json("stage", |row| row.what.stage().map(|stage| stage.to_string()).into()),
        only_json("reads", |row| row.what.reads().map(reads_name).into()),
        only_json("reason", |row| row.reason.as_str().into()),
    ]
}
