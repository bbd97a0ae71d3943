//! Figure 5 and table 5 of the paper, from rows.

use serde::Serialize;

use super::{Plan, Row, Runner, Subject};
use crate::numbers::statistics::line_through;
use crate::report::document::vectors as document;
use crate::report::estimate::timed;
use crate::report::limit::{Limit, at_most};
use crate::report::table::{Column, only_text};
use crate::report::{Verdict, distinct};

/// Time as a fixed cost and a cost for each opcode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The cost of a call without any opcode.
    pub fixed_ms: f64,
    pub per_opcode_ms: f64,
}

/// Figure 5 on one runner: how time grows with opcodes.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    pub engine: &'static str,
    pub n: usize,
    /// The first and the last number of opcodes.
    pub opcodes: [usize; 2],
    /// Upload, call and readback at these.
    pub total_ms: [f64; 2],
    pub opcodes_times: f64,
    pub total_times: f64,
    /// The total time as a line: a fixed part, and a part for each opcode.
    #[serde(flatten)]
    pub line: Option<Line>,
    pub compute_line: Option<Line>,
    pub document_times: f64,
    /// The most that still counts as about this many times.
    pub most_times: f64,
    /// None of the CPU, of which the paper found the opposite.
    pub finding: Option<Verdict>,
}

/// Table 5 on one engine.
#[derive(Clone, Debug, Serialize)]
pub struct Retrieval {
    pub engine: &'static str,
    pub n: usize,
    pub as_document: bool,
    pub total_ms: f64,
    pub readback_ms: f64,
    pub readback_share: f64,
    /// Upload, as a part of the total; the paper does not give it.
    pub upload_share: Option<f64>,
    pub document_total_ms: f64,
    pub document_readback_ms: f64,
}

impl Growth {
    pub fn columns() -> Vec<Column<Growth>> {
        vec![
            only_text("engine", "", |row: &Growth| row.engine.into()),
            only_text("first", "ms", |row| row.total_ms[0].into()),
            only_text("last", "ms", |row| row.total_ms[1].into()),
            only_text("times", "", |row| row.total_times.into()),
            only_text("fixed", "ms", |row| row.line.map(|line| line.fixed_ms).into()),
            only_text("opcode", "us", |row| row.line.map(|line| 1e3 * line.per_opcode_ms).into()),
            only_text("again: fixed", "ms", |row| {
                row.compute_line.map(|line| line.fixed_ms).into()
            }),
            only_text("again: opcode", "us", |row| {
                row.compute_line.map(|line| 1e3 * line.per_opcode_ms).into()
            }),
        ]
    }
}

impl Retrieval {
    pub fn columns() -> Vec<Column<Retrieval>> {
        vec![
            only_text("engine", "", |row: &Retrieval| row.engine.into()),
            only_text("total", "ms", |row| row.total_ms.into()),
            only_text("upload", "%", |row| row.upload_share.map(|share| 100.0 * share).into()),
            only_text("readback", "ms", |row| row.readback_ms.into()),
            only_text("readback", "%", |row| (100.0 * row.readback_share).into()),
        ]
    }

    /// The paper's own numbers.
    pub fn of_the_paper() -> Retrieval {
        let [total_ms, readback_ms] = document::RETRIEVAL_MS;
        Retrieval {
            engine: "paper, GeForce4",
            n: document::RETRIEVAL_SIZE,
            as_document: true,
            total_ms,
            readback_ms,
            readback_share: readback_ms / total_ms,
            upload_share: None,
            document_total_ms: total_ms,
            document_readback_ms: readback_ms,
        }
    }
}

/// Half more than the paper's growth is still about as much.
pub const MOST_TIMES: f64 = 1.5 * document::MULS_GROWTH;
/// Whether time grows as the paper says it does.
pub const GROWTH: Limit = at_most(MOST_TIMES);

/// A growth for each runner that ran all of figure 5.
pub fn growth(plan: &Plan, rows: &[Row]) -> Vec<Growth> {
    let is_muls = |row: &&Row| match row.subject {
        Subject::Muls(opcodes) => row.n == plan.muls_size && plan.muls_opcodes.contains(&opcodes),
        _ => false,
    };
    let muls: Vec<&Row> = rows.iter().filter(is_muls).collect();
    let runners = distinct(muls.iter().map(|row| row.runner));
    let of = |runner| muls.iter().copied().filter(move |row| row.runner == runner).collect();
    runners.into_iter().filter_map(|runner| one_growth(of(runner))).collect()
}

fn one_growth(rows: Vec<&Row>) -> Option<Growth> {
    let (first, last) = (rows.first()?, rows.last()?);
    let opcodes = [first, last].map(|row| row.subject.opcodes());
    let total_ms = [first, last].map(|row| row.total.median_ms);
    let line = |of: fn(&Row) -> f64| -> Option<Line> {
        let points = rows.iter().map(|row| (row.subject.opcodes() as f64, of(row)));
        let (fixed_ms, per_opcode_ms) = line_through(&points.collect::<Vec<_>>())?;
        Some(Line { fixed_ms, per_opcode_ms })
    };
    let total_times = total_ms[1] / total_ms[0].max(1e-9);
    Some(Growth {
        engine: first.runner.name(),
        n: first.n,
        opcodes,
        total_ms,
        opcodes_times: opcodes[1] as f64 / opcodes[0].max(1) as f64,
        total_times,
        line: line(|row| row.total.median_ms),
        compute_line: line(|row| row.compute.median_ms),
        document_times: document::MULS_GROWTH,
        most_times: MOST_TIMES,
        finding: matches!(first.runner, Runner::Engine(_))
            .then(|| GROWTH.judge(timed(last.timing(), first.timing())).0),
    })
}

/// Table 5, for those who transfer.
pub fn retrieval(plan: &Plan, rows: &[Row]) -> Vec<Retrieval> {
    let Some((n, opcodes)) = plan.retrieval else { return Vec::new() };
    let is_it = |row: &&Row| row.n == n && row.subject == Subject::Muls(opcodes);
    let retrieval = |row: &Row| {
        let (upload, readback) = (row.upload?, row.readback?);
        let total = row.total.median_ms;
        Some(Retrieval {
            engine: row.runner.name(),
            n,
            as_document: n == document::RETRIEVAL_SIZE,
            total_ms: total,
            readback_ms: readback.median_ms,
            readback_share: readback.median_ms / total.max(1e-9),
            upload_share: Some(upload.median_ms / total.max(1e-9)),
            ..Retrieval::of_the_paper()
        })
    };
    rows.iter().filter(is_it).filter_map(retrieval).collect()
}
