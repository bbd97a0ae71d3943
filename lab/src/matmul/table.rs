//! The results of the bench.

use std::time::Duration;

use quadrille::internal::reference::Comparison;

use super::super::Summary;
use super::super::device::Limits;
use super::super::table::{Column, Compared, Timed, checked, column, only_json, timing};
use super::contender::Contender;
use super::efficiency::{Efficiency, claimed_speedup};

/// One line of the table. Times are of one multiplication, without transfers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// Rows and columns of A, B and C.
    pub n: usize,
    /// The contender.
    pub contender: Contender,
    /// Its options as they were, also those that were left open.
    pub options: String,
    /// How long a multiplication took.
    pub summary: Summary,
    /// How long it took to pack both operands and to send them to the device.
    pub setup: Duration,
    /// Bytes that shaders asked for in a multiplication; not known of a library.
    pub fetched_bytes: Option<u64>,
    /// Against double precision: a sample of rows where there are many. And of matrices of -1 and 1,
    /// where no element may differ at all.
    pub comparison: Comparison,
}

impl Row {
    /// 2 n^3 operations, in 10^9 a second.
    pub fn gflops(&self) -> f64 {
        self.summary.rate(2.0 * (self.n as f64).powi(3)) / 1e9
    }
}

/// A row beside the peaks of the device and the other rows.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rated<'a> {
    /// The row.
    pub row: &'a Row,
    /// In the terms of the 2004 paper.
    pub efficiency: Efficiency,
    /// How many times faster than `serial` in the same table.
    pub speedup: Option<f64>,
    /// The speedup that the CUDA tutorial reports.
    pub document_speedup: Option<f64>,
}

impl<'a> Rated<'a> {
    /// All rows of a table of a type of number.
    pub fn all(rows: &'a [Row], numbers: &str, limits: Option<&Limits>) -> Vec<Rated<'a>> {
        let serial = |n: usize| rows.iter().find(|row| row.n == n && row.contender.is_serial());
        let rated = |row: &'a Row| Rated {
            row,
            efficiency: Efficiency::of(row, limits),
            speedup: serial(row.n)
                .map(|serial| serial.summary.median_ms / row.summary.median_ms.max(1e-12)),
            document_speedup: match row.contender {
                Contender::Method(method, _) => claimed_speedup(method, numbers),
                Contender::SerialByColumns | Contender::Library(_) => None,
            },
        };
        rows.iter().map(rated).collect()
    }

    /// The columns of the table.
    pub fn columns() -> Vec<Column<Rated<'a>>> {
        let mut columns = vec![
            column("n", "n", "", |rated: &Rated<'_>| rated.row.n.into()),
            column("method", "method", "", |rated| rated.row.contender.name().into()),
            only_json("engine", |rated| rated.row.contender.engine().name().into()),
            column("gflops", "rate", "GFLOPS", |rated| rated.efficiency.gflops.into()),
            column("peak_percent", "of peak", "%", |rated| rated.efficiency.peak_percent.into()),
            column("fetched_gb_s", "fetched", "GB/s", |rated| rated.efficiency.fetched_gb_s.into()),
            column("bandwidth_percent", "of peak", "%", |rated| {
                rated.efficiency.bandwidth_percent.into()
            }),
            column("mads_per_fetch", "MAD/fetch", "", |rated| {
                rated.efficiency.mads_per_fetch.into()
            }),
            column("predicted_ms", "predicted", "ms", |rated| rated.efficiency.predicted_ms.into()),
        ];
        columns.extend(timing());
        columns.extend([
            column("setup_ms", "load", "ms", |rated: &Rated<'_>| rated.row.setup.into()),
            column("registers", "registers", "", |rated| rated.efficiency.registers.into()),
            only_json("speedup", |rated| rated.speedup.into()),
            only_json("document_speedup", |rated| rated.document_speedup.into()),
        ]);
        columns.extend(checked());
        columns.push(column("options", "options", "", |rated| rated.row.options.as_str().into()));
        columns
    }
}

impl Timed for Rated<'_> {
    fn summary(&self) -> &Summary {
        &self.row.summary
    }
}

impl Compared for Rated<'_> {
    fn comparison(&self) -> Comparison {
        self.row.comparison
    }
}

/// A contender that this device cannot run, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// Rows and columns of A, B and C.
    pub n: usize,
    /// The contender.
    pub contender: Contender,
    /// The reason.
    pub reason: String,
}

impl Skipped {
    /// The columns in JSON.
    pub fn columns() -> Vec<Column<Skipped>> {
        vec![
            only_json("method", |row: &Skipped| row.contender.name().into()),
            only_json("wish", |row| row.contender.to_string().into()),
            only_json("n", |row| row.n.into()),
            only_json("reason", |row| row.reason.as_str().into()),
        ]
    }
}

/// The whole table.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Table {
    /// Groups in order, contenders in the group's order.
    pub rows: Vec<Row>,
    /// The contenders that could not run.
    pub skipped: Vec<Skipped>,
    /// Whether the observer stopped it. A group that had not let everyone run once is left out.
    pub stopped: bool,
}
