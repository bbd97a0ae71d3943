//! Rows beside the peaks of the device, and their columns.

use quadrille::stream::Engine;
use quadrille::testing::Comparison;

use super::super::device::Limits;
use super::contender::Contender;
use super::efficiency::Efficiency;
use super::table::Row;
use crate::Summary;
use crate::report::document::cuda;
use crate::report::table::{Column, TimedAndCompared, checked, column, only_json, timing};

#[derive(Clone, Copy, Debug)]
pub struct RatedRow<'a> {
    pub row: &'a Row,
    pub efficiency: Efficiency,
    /// The speedup over `serial` in the same table.
    pub speedup: Option<f64>,
    /// The speedup that the CUDA tutorial reports.
    pub document_speedup: Option<f64>,
}

impl<'a> RatedRow<'a> {
    pub fn all(rows: &'a [Row], numbers: &str, limits: Option<&Limits>) -> Vec<RatedRow<'a>> {
        let serial = |n: usize| rows.iter().find(|row| row.n == n && row.contender.is_serial());
        let rated = |row: &'a Row| RatedRow {
            row,
            efficiency: Efficiency::of(row, limits),
            speedup: serial(row.n)
                .map(|serial| serial.summary.median_ms / row.summary.median_ms.max(1e-12)),
            document_speedup: match row.contender {
                Contender::Method(method, _) => cuda::speedup(method, numbers),
                Contender::Serial(_) | Contender::Library(_) => None,
            },
        };
        rows.iter().map(rated).collect()
    }

    pub fn columns() -> Vec<Column<RatedRow<'a>>> {
        let mut columns = vec![
            column("n", "n", "", |rated: &RatedRow<'_>| rated.row.n.into()),
            column("method", "method", "", |rated| rated.row.contender.name().into()),
            only_json("engine", |rated| {
                rated.row.contender.engine().map_or("host", Engine::name).into()
            }),
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
            column("setup_ms", "load", "ms", |rated: &RatedRow<'_>| rated.row.setup.into()),
            column("registers", "registers", "", |rated| rated.efficiency.registers.into()),
            only_json("speedup", |rated| rated.speedup.into()),
            only_json("document_speedup", |rated| rated.document_speedup.into()),
        ]);
        columns.extend(checked());
        columns.push(column("options", "options", "", |rated| rated.row.options.as_str().into()));
        columns
    }
}

impl TimedAndCompared for RatedRow<'_> {
    fn summary(&self) -> &Summary {
        &self.row.summary
    }

    fn comparison(&self) -> Comparison {
        self.row.comparison
    }
}
