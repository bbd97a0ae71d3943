//! `quadrille bench stream`.

use clap::Args;
use serde::Serialize;

use quadrille::observer::Progress;
use quadrille_lab::stream::{self, Plan, Row};

use super::super::device::DeviceArguments;
use super::super::progress::Turns;
use super::super::table::Table;
use super::super::{interrupt, output};
use super::{SPREAD, judge, percent};

const ABOUT: &str = "\
Measures simple operations on vectors: saxpy (12 bytes per element), sum and 2-norm (4), dot product (8), upload,
readback (waiting, and asynchronous through a pixel buffer; 4), and a pass over one texel that depends on the
previous pass. Every result is first checked against double precision.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench stream
  quadrille bench stream --sizes 65536,1048576 --json";

/// Measure saxpy, reductions, passes and transfers
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct StreamBench {
    /// The numbers of elements of the vectors
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    #[arg(default_values_t = [1 << 20, 1 << 22, 1 << 24])]
    #[arg(value_parser = clap::value_parser!(u64).range(4..=1 << 28))]
    sizes: Vec<u64>,

    /// The number of runs of each operation
    #[arg(long, value_name = "K", default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,

    #[command(flatten)]
    device: DeviceArguments,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    device: String,
    stopped: bool,
    rows: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    operation: &'static str,
    n: usize,
    rate: f64,
    unit: &'static str,
    median_ms: f64,
    spread_ms: f64,
    runs: usize,
    operations: u64,
    max_error: f64,
    right: bool,
}

pub(super) fn run(bench: &StreamBench) -> anyhow::Result<()> {
    let sizes = bench.sizes.iter().map(|n| *n as usize).collect();
    let plan = Plan { sizes, runs: bench.runs as usize };
    let context = bench.device.context()?;
    let bar = Turns::new("operations");
    let mut observer = |progress: &Progress| bar.show(progress);
    let table = interrupt::watched(|| stream::run(&context, &plan, &mut observer))?;
    drop(bar);
    let rows = table.rows.iter().map(line).collect();
    let device = context.abilities().renderer.clone();
    let report = Report { device, stopped: table.stopped, rows };
    match bench.json {
        true => output::say_json(&report)?,
        false => output::say(&text(&report))?,
    }
    let wrong: Vec<String> = report.rows.iter().filter(|row| !row.right).map(blame).collect();
    judge(&wrong, report.stopped)
}

fn line(row: &Row) -> Line {
    Line {
        operation: row.operation.name(),
        n: row.n,
        rate: row.rate,
        unit: row.operation.unit(),
        median_ms: row.summary.median_ms,
        spread_ms: row.summary.spread_ms,
        runs: row.summary.runs,
        operations: row.operations,
        max_error: row.comparison.max_error,
        right: row.comparison.is_right(),
    }
}

fn blame(line: &Line) -> String {
    format!("{} of {} is off by {:.1e}", line.operation, line.n, line.max_error)
}

fn text(report: &Report) -> String {
    let headings = ["operation", "n", "rate", "unit", "median ms", "spread", "error"];
    let mut table = Table::new(&headings).left(&[0, 3]);
    for row in &report.rows {
        table.row(vec![
            row.operation.into(),
            row.n.to_string(),
            format!("{:.2}", row.rate),
            row.unit.into(),
            format!("{:.4}", row.median_ms),
            percent(row.spread_ms / row.median_ms.max(1e-12)),
            format!("{:.1e}", row.max_error),
        ]);
    }
    format!("{}\n\n{}\n\n{SPREAD}", report.device, table.text())
}
