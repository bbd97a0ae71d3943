//! `quadrille bench stream`.

use clap::Args;
use serde::Serialize;

use quadrille_lab::stream::{self, Plan, Row};
use quadrille_lab::table::Rows;

use super::super::device::DeviceArguments;
use super::{SPREAD, judge, measured, show, sizes, wrong};

const ABOUT: &str = "\
Measures simple operations on vectors, by fragments and, where the context has them, by compute shaders: copy and scal (8
bytes per element), saxpy and axpby (12), rot (16), sum, sum of magnitudes, 2-norm (with and without the chance of
overflow) and index of the largest magnitude (4), dot product (8). Then upload, readback (waiting, and asynchronous
through a pixel buffer; 4), and a pass over one texel that depends on the previous pass. Each rate is also given as a share
of that of the fastest copy. Every result is first checked against double precision.";

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
struct Report<'a> {
    device: &'a str,
    stopped: bool,
    rows: Rows<'a, Row>,
}

pub(super) fn run(bench: &StreamBench) -> anyhow::Result<()> {
    let plan = Plan { sizes: sizes(&bench.sizes), runs: bench.runs as usize };
    let context = bench.device.context()?;
    let table = measured("operations", |observer| stream::run(&context, &plan, observer))?;
    let rows = Rows { columns: stream::columns(), rows: &table.rows };
    let device = context.abilities().renderer.as_str();
    let report = Report { device, stopped: table.stopped, rows };
    show(bench.json, &report, || format!("{device}\n\n{}\n\n{SPREAD}", report.rows.text(0)))?;
    let name = |row: &Row| match row.engine {
        Some(engine) => format!("{} of {} by the {engine} engine", row.operation.name(), row.n),
        None => format!("{} of {}", row.operation.name(), row.n),
    };
    judge(&wrong(&table.rows, name), table.stopped)
}
