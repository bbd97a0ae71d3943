//! Göddeke, GPGPU Performance Tuning: the table, the stages, and what the text says beside them.

mod boundary;
pub(crate) mod claims;
pub(crate) mod gains;
mod numerics;
pub(crate) mod printed;
mod results;
mod stages;

use super::prelude::*;
use crate::list_studies;
use quadrille_lab::bench::jacobi::{Row, Table};

const DOCUMENT: Document = Document::Jacobi;

list_studies! {
    /// The studies in the order of the paper, but for its results, which come first.
    STUDIES of Some(DOCUMENT);

    "jacobi-results", [16, 140], results::run, "The table: MFLOP/s by size and layout";
    "jacobi-stages", [10, 80], stages::run, "The stages of tuning, in order";
    "jacobi-gains", [6, 30], gains::run,
        "What each trick gains, with the paper's own formula and shader";
    "jacobi-numerics", [2, 15], numerics::run,
        "Reciprocals, wraps, boundary lines, interpolated neighbours";
}

/// A table of right results that came to its end.
fn finished(table: Table) -> Result<Option<Table>> {
    for row in &table.rows {
        must_be_right(&format!("jacobi, {} at {}", row.engine, row.n), row.comparison)?;
    }
    Ok((!table.stopped).then_some(table))
}

fn left_out(table: &Table) -> Vec<String> {
    table.skipped.iter().map(|skipped| format!("jacobi, {skipped}")).collect()
}

fn best<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    rows.max_by(|a, b| a.mflops.total_cmp(&b.mflops))
}
