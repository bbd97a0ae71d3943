//! `quadrille bench jacobi`.

use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::shader::Reads;
use quadrille_lab::document::jacobi as document;
use quadrille_lab::jacobi::{self, ByOptimization, Engine, Plan, Row};
use quadrille_lab::table::{Rows, Skipped};

use super::{CommonArguments, SPREAD, judge, measured, note_left_out, or_all, show, sizes, wrong};
use crate::prelude::*;

const ABOUT: &str = "\
Measures the table of Göddeke's \"GPGPU Performance Tuning\" (2005): one Jacobi iteration in every layout, with
every optimization and both ways of reading texels, beside the paper's own rates and its two CPU loops on one core.

MFLOP/s count 20 operations per unknown and iteration, as the paper does; with layout rgba a size of N is four
systems of N / 4. Variants run in turn, round after round. Each is first checked against double precision
after a few iterations; a result that rounding does not explain fails the bench.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench jacobi
  quadrille bench jacobi --sizes 1048576 --layouts red,packed --json";

/// Measure Jacobi iteration in every layout, with every optimization
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct JacobiBench {
    /// The numbers of unknowns [default: those of the paper, 4096 to 4194304]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=1 << 28))]
    sizes: Vec<u64>,

    /// The layouts: red, separate, rgba, packed [default: all]
    #[arg(long, value_name = "LAYOUT,...", value_delimiter = ',')]
    layouts: Vec<Layout>,

    /// The optimizations: generic, reciprocal, boundary, neighbours, compute [default: all]
    #[arg(long, value_name = "STAGE,...", value_delimiter = ',')]
    stages: Vec<Optimization>,

    /// How shaders read texels: fetch, sample [default: both]
    #[arg(long, value_name = "READS,...", value_delimiter = ',')]
    reads: Vec<Reads>,

    /// The number of runs of each variant [default: 3 to 9, as time allows]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,

    /// Skip the CPU loops
    #[arg(long)]
    no_cpu: bool,

    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Serialize)]
struct Report<'a> {
    device: &'a str,
    stopped: bool,
    rows: Rows<'a, Row>,
    skipped: Rows<'a, Skipped<Engine>>,
}

pub(super) fn run(bench: &JacobiBench) -> anyhow::Result<()> {
    let plan = bench.plan();
    let context = bench.common.device.untuned()?;
    let table = measured("bench", |observer| jacobi::run(&context, &plan, observer))?;
    note_left_out(&table.skipped);
    let report = Report {
        device: &context.abilities().renderer,
        stopped: table.stopped,
        rows: Rows { columns: Row::columns(), rows: &table.rows },
        skipped: Rows { columns: jacobi::skipped(), rows: &table.skipped },
    };
    show(bench.common.json, &report, || text(&report))?;
    judge(&wrong(&table.rows, |row| format!("{} at {}", row.engine, row.n)), table.stopped)
}

/// A row for each size, layout and way of reading; a column for each optimization.
fn text(report: &Report<'_>) -> String {
    let groups = ByOptimization::all(report.rows.rows);
    format!(
        "{}, MFLOP/s\n\n{}\n\n{SPREAD} Spread and error are the largest of the row.\n\
         5900U, 6800: the paper's rates on these GPUs, for its last optimization.",
        report.device,
        Rows { columns: ByOptimization::columns(), rows: &groups }.text(1)
    )
}

impl JacobiBench {
    fn plan(&self) -> Plan {
        Plan {
            sizes: or_all(&sizes(&self.sizes), document::sizes()),
            layouts: or_all(&self.layouts, Layout::ALL),
            stages: or_all(&self.stages, Optimization::ALL),
            reads: or_all(&self.reads, [Reads::Fetch, Reads::Sample]),
            cpu: !self.no_cpu,
            runs: self.runs.map(|runs| runs as usize),
        }
    }
}
