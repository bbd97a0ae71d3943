//! `quadrille bench stream`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use quadrille_lab::stream::{self, Operation, Plan};
use quadrille_lab::table::Rows;

use super::{CommonArguments, Report, draw, measured, note_left_out, or_all, sizes};
use crate::output;

const ABOUT: &str = "\
Measures simple operations on vectors, by fragments and, where the context has them, by compute shaders: copy and scal (8
bytes per element), saxpy, axpby and a map from an expression (12), rot (16), sum, sum of magnitudes, 2-norm (with and
without the chance of overflow) and index of the largest magnitude (4), dot product (8). Reductions are waited for and
end on the host; those called `on-device` leave the number where the next operation reads it, and follow each other without
a wait. Then upload and readback, from and
to an array, asynchronously through a pixel buffer, and through staging memory (4); swap, which moves nothing; and a pass
and a dispatch over one texel that depend on the previous ones. Each rate is also given as a share of that of the fastest
copy. Every result is first checked against double precision.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench stream
  quadrille bench stream --sizes 65536,1048576 --json
  quadrille bench stream --operations copy,dot,dot-on-device --sizes 268435456
  quadrille bench stream --plot stream.svg";

/// The most time for the sizes of a figure.
const FIGURE: Duration = Duration::from_secs(180);

/// Measure saxpy, reductions, passes and transfers
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct StreamBench {
    /// The numbers of elements of the vectors [default: 1048576, 4194304, 16777216; with --plot
    /// 1024 to 268435456, as far as memory and three minutes allow]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u64).range(4..=1 << 28))]
    sizes: Vec<u64>,

    /// The operations, by the names in the table [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    operations: Vec<Operation>,

    /// The number of runs of each operation
    #[arg(long, value_name = "K", default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,

    /// Draw the rates over the sizes, a line for each operation and engine
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

pub(super) fn run(bench: &StreamBench) -> anyhow::Result<()> {
    output::check_chart(bench.plot.as_deref())?;
    let plan = bench.plan();
    let context = bench.common.device.untuned()?;
    let table = measured("operations", |observer| stream::run(&context, &plan, observer))?;
    note_left_out(table.left_out.iter().map(|(what, reason)| format!("{what}: {reason}")));
    let rows = Rows { columns: stream::columns(), rows: &table.rows };
    let device = context.abilities().renderer.as_str();
    draw(bench.plot.as_deref(), stream::figures(&table.rows), device)?;
    let report = Report { device, stopped: table.stopped, rows };
    report.end(bench.common.json, |row| match row.engine {
        Some(engine) => format!("{} of {} by the {engine} engine", row.operation.name(), row.n),
        None => format!("{} of {}", row.operation.name(), row.n),
    })
}

impl StreamBench {
    fn plan(&self) -> Plan {
        let chosen = sizes(&self.sizes);
        let (sizes, within) = match (chosen.is_empty(), &self.plot) {
            (false, _) => (chosen, None),
            (true, Some(_)) => (Plan::SIZES.to_vec(), Some(FIGURE)),
            (true, None) => (vec![1 << 20, 1 << 22, 1 << 24], None),
        };
        let operations = or_all(&self.operations, Operation::ALL);
        Plan { sizes, operations, runs: self.runs as usize, within }
    }
}
