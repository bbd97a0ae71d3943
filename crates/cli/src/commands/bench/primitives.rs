//! `quadrille bench primitives`.

use std::path::PathBuf;

use clap::Args;

use quadrille::stream::Engine;
use quadrille_lab::primitives::{self, Plan, Task};
use quadrille_lab::table::Rows;

use super::{CommonArguments, Report, draw, measured, note_left_out, or_all, sizes};
use crate::output;

const ABOUT: &str = "\
Measures scans, selections, sorts, histograms, Fourier transforms and convolutions of vectors on the device, by fragments and,
where the context has them, by compute shaders. A call of `select` waits for the number of what it keeps; all else is timed
without a wait, with the memory that a call allocates. Rates are of 8 bytes a number for scan, select and convolution, of 4 for
histograms, and of numbers for sorts and transforms, whose numbers are complex. Every result is first checked on the host: sums
against double precision, all else to be exact.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench primitives
  quadrille bench primitives --sizes 268435456 --engines compute --runs 5
  quadrille bench primitives --tasks sort,argsort --plot sorts.svg";

/// Measure scans, selections, sorts, histograms, transforms and convolutions
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct PrimitivesBench {
    /// The numbers of the vectors [default: 65536, 1048576]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 28))]
    sizes: Vec<u64>,

    /// The tasks, by the names in the table [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    tasks: Vec<Task>,

    /// The engines [default: all that the device has]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    engines: Vec<Engine>,

    /// The number of runs of each task
    #[arg(long, value_name = "K", default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,

    /// Draw the rates over the sizes, a line for each task
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

pub(super) fn run(bench: &PrimitivesBench) -> anyhow::Result<()> {
    output::check_chart(bench.plot.as_deref())?;
    let plan = bench.plan();
    let context = bench.common.device.untuned()?;
    let table = measured("tasks", |observer| primitives::run(&context, &plan, observer))?;
    note_left_out(table.left_out.iter().map(|(what, reason)| format!("{what}: {reason}")));
    let rows = Rows { columns: primitives::columns(), rows: &table.rows };
    let device = context.abilities().renderer.as_str();
    draw(bench.plot.as_deref(), primitives::figures(&table.rows), device)?;
    let report = Report { device, stopped: table.stopped, rows };
    report.end(bench.common.json, |row| {
        format!("{} of {} by the {} engine", row.task.name(), row.n, row.engine)
    })
}

impl PrimitivesBench {
    fn plan(&self) -> Plan {
        let chosen = sizes(&self.sizes);
        let sizes = if chosen.is_empty() { vec![1 << 16, 1 << 20] } else { chosen };
        let tasks = or_all(&self.tasks, Task::ALL);
        let engines = or_all(&self.engines, Engine::ALL);
        Plan { sizes, tasks, engines, runs: self.runs as usize }
    }
}
