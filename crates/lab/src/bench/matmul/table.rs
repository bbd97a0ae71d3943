//! The results of the bench.

use std::time::Duration;

use quadrille::testing::Comparison;

use super::contender::Contender;
use crate::Summary;
use crate::report::estimate::Timing;
use crate::report::table::{Column, Skipped, only_json};

/// One line of the table. Times are of one multiplication, without transfers.
#[derive(Clone, Debug)]
pub struct Row {
    pub n: usize,
    pub contender: Contender,
    /// The options that ran, those chosen by the library included.
    pub options: String,
    pub summary: Summary,
    /// The time to pack both operands and to send them to the device.
    pub setup: Duration,
    /// Bytes that shaders fetched in a multiplication; not known of a library.
    pub fetched_bytes: Option<u64>,
    /// Against double precision: a sample of rows where there are many. And of matrices of -1 and
    /// 1, where no element may differ at all.
    pub comparison: Comparison,
}

impl Row {
    pub fn timing(&self) -> Timing {
        self.summary.of_size(self.n)
    }

    /// 2 n^3 operations, in 10^9 a second.
    pub fn gflops(&self) -> f64 {
        self.summary.rate(2.0 * (self.n as f64).powi(3)) / 1e9
    }
}

pub fn skipped() -> Vec<Column<Skipped<Contender>>> {
    vec![
        only_json("method", |row: &Skipped<Contender>| row.what.name().into()),
        only_json("wish", |row| row.what.to_string().into()),
        only_json("n", |row| row.n.into()),
        only_json("reason", |row| row.reason.as_str().into()),
    ]
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Groups in order, contenders in the group's order.
    pub rows: Vec<Row>,
    pub skipped: Vec<Skipped<Contender>>,
    /// Whether the observer stopped it. A group that had not let everyone run once is left out.
    pub stopped: bool,
}
