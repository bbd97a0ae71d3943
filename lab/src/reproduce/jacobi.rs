//! Göddeke, GPGPU Performance Tuning: the table, the stages, and what the text says beside them.

mod boundary;
pub(super) mod claims;
mod control;
mod gains;
mod numerics;
pub(super) mod printed;
mod results;
mod stages;

use super::super::jacobi::{Row, Skipped, Table};
use super::prelude::*;

const DOCUMENT: Document = Document::Jacobi;

/// In the order of the paper, but for its results, which come first.
pub(super) const STUDIES: [Study; 5] = [
    Study {
        id: "jacobi-results",
        document: Some(DOCUMENT),
        title: "The table: MFLOP/s by size and layout",
        seconds: [23, 140],
        run: results::run,
    },
    Study {
        id: "jacobi-stages",
        document: Some(DOCUMENT),
        title: "The stages of tuning, in order",
        seconds: [17, 80],
        run: stages::run,
    },
    Study {
        id: "jacobi-gains",
        document: Some(DOCUMENT),
        title: "What each trick gains, with the paper's own formula and shader",
        seconds: [6, 30],
        run: gains::run,
    },
    Study {
        id: "jacobi-numerics",
        document: Some(DOCUMENT),
        title: "Reciprocals, wraps, boundary lines, interpolated neighbours",
        seconds: [2, 15],
        run: numerics::run,
    },
    Study {
        id: "jacobi-control",
        document: Some(DOCUMENT),
        title: "A stop at a residual, which the paper leaves out",
        seconds: [3, 20],
        run: control::run,
    },
];

/// A table of right results that came to its end.
fn finished(table: Table) -> Result<Option<Table>, Error> {
    for row in &table.rows {
        must_be_right(&format!("jacobi, {} at {}", row.engine, row.n), row.comparison)?;
    }
    Ok((!table.stopped).then_some(table))
}

/// The variants that could not run, and why.
fn left_out(table: &Table) -> Vec<String> {
    let line =
        |Skipped { n, engine, reason }: &Skipped| format!("jacobi, {engine} at {n}: {reason}");
    table.skipped.iter().map(line).collect()
}

/// The fastest row.
fn best<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    rows.max_by(|a, b| a.mflops.total_cmp(&b.mflops))
}
