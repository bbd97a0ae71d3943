//! The result of one program at one size.

use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::Processor;

use super::subject::Subject;
use crate::Summary;
use crate::report::document::vectors as document;
use crate::report::estimate::Timing;
use crate::report::table::{Column, column, only_json, only_text, wrong};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// A straight loop on one core, compiled with optimisation: the paper's.
    Cpu,
    /// The same core, several numbers at a time.
    Lanes,
    Engine(Processor),
}

impl Runner {
    pub fn name(self) -> &'static str {
        match self {
            Runner::Cpu => "cpu",
            Runner::Lanes => "cpu-lanes",
            Runner::Engine(engine) => engine.name(),
        }
    }

    pub fn is_on_host(self) -> bool {
        matches!(self, Runner::Cpu | Runner::Lanes | Runner::Engine(Processor::Simulator))
    }
}

/// One program at one size. Times are of one call.
#[derive(Clone, Debug)]
pub struct Row {
    pub subject: Subject,
    /// Elements of its vector.
    pub n: usize,
    pub runner: Runner,
    pub upload: Option<Summary>,
    /// The call after the upload, which on some devices ends it, and makes room for the result.
    pub first: Summary,
    /// The times of the same call again, with everything on the device: a repetition costs no
    /// transfer.
    pub compute: Summary,
    /// One of several calls in a row, with nothing between them: of the programs of table 4 on
    /// engines of a device.
    pub chain: Option<Summary>,
    pub readback: Option<Summary>,
    /// Upload, first call and readback, as the paper timed.
    pub total: Summary,
    /// How many times as fast as the straight loop of one core, by the totals; `None` for that
    /// loop.
    pub speedup: Option<f64>,
    pub comparison: Comparison,
}

impl Row {
    /// Of the total.
    pub fn timing(&self) -> Timing {
        self.total.of_size(self.n)
    }

    pub fn columns() -> Vec<Column<Row>> {
        vec![
            column("program", "program", "", |row: &Row| row.subject.name().into()),
            only_json("opcodes", |row| row.subject.opcodes().into()),
            column("n", "n", "", |row| row.n.into()),
            column("engine", "engine", "", |row| row.runner.name().into()),
            column("upload_ms", "upload", "ms", |row| row.upload.map(|time| time.median_ms).into()),
            column("first_ms", "call", "ms", |row| row.first.median_ms.into()),
            column("readback_ms", "readback", "ms", |row| {
                row.readback.map(|time| time.median_ms).into()
            }),
            column("total_ms", "total", "ms", |row| row.total.median_ms.into()),
            column("compute_ms", "again", "ms", |row| row.compute.median_ms.into()),
            column("chain_ms", "in a row", "ms", |row| row.chain.map(|time| time.median_ms).into()),
            only_json("spread_ms", |row| row.total.spread_ms.into()),
            only_json("compute_spread_ms", |row| row.compute.spread_ms.into()),
            only_text("spread", "%", |row| row.total.spread_percent().into()),
            only_json("runs", |row| row.total.runs.into()),
            column("speedup", "speedup", "", |row| row.speedup.into()),
            only_json("max_error", |row| row.comparison.max_error.into()),
            column("of_bound", "of bound", "", |row| row.comparison.of_bound.into()),
            only_json("right", |row| row.comparison.is_right().into()),
            only_text("", "", |row| wrong(row.comparison.is_right())),
            only_text("paper", "ms", |row| row.claimed().into()),
            only_json("document.cpu_ms", |row| row.claim().map(|claim| claim.cpu_ms).into()),
            only_json("document.gpu_ms", |row| row.claim().map(|claim| claim.gpu_ms).into()),
        ]
    }

    fn claim(&self) -> Option<document::Claim> {
        document::claim(self.subject.name(), self.n)
    }

    /// The paper's total on this kind of device.
    fn claimed(&self) -> Option<u32> {
        match self.runner {
            Runner::Cpu => Some(self.claim()?.cpu_ms),
            Runner::Lanes | Runner::Engine(Processor::Simulator) => None,
            Runner::Engine(_) => Some(self.claim()?.gpu_ms),
        }
    }
}
