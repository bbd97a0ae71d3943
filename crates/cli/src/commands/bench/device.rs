//! `quadrille bench device`.

use std::time::Duration;

use quadrille_lab::device::{self, Plan, Question, Row};
use quadrille_lab::table::Rows;

use super::{CommonArguments, SPREAD, draw, judge, measured, note_left_out, show, wrong};
use crate::prelude::*;

const ABOUT: &str = "\
Measures what GPUBench, Stanford's microbenchmarks of 2004, measures: the speed of arithmetic, of texture
fetches by access pattern and format, of render targets and branches, and the accuracy of built-in
functions. `quadrille bench stream` measures transfers and passes. Each result is checked against double
precision, and each step of a probe depends on the previous one, so that none can be skipped.

Units: GFLOPS count a multiply-add as two operations; Gop/s count the components of a function, each with one
addition; GB/s are bytes fetched or written; MADs are the four-component multiply-adds that take as long as one
fetch; ULP are units in the last place of the exact result.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench device --quick
  quadrille bench device --probes mad,fetch --plot device.svg";

/// Measure arithmetic, fetches, render targets and branches
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct DeviceBench {
    /// The probes: mad, opcode, fetch, dependent-fetch, output, branch, precision [default: all]
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    probes: Vec<Question>,

    /// The number of runs of each probe [default: 5]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,

    /// Make only two short runs of each probe, for a rough estimate
    #[arg(long, conflicts_with = "runs")]
    quick: bool,

    /// Draw the peak arithmetic rate and the bandwidth as bars, as slides 17 and 18 of Fatahalian,
    /// Sugerman and Hanrahan (2004) do
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Serialize)]
struct Report<'a> {
    device: &'a str,
    stopped: bool,
    left_out: &'a [String],
    rows: Rows<'a, Row>,
}

pub(super) fn run(bench: &DeviceBench) -> anyhow::Result<()> {
    let plan = bench.plan();
    output::check_chart(bench.plot.as_deref())?;
    if bench.plot.is_some() {
        must_have_bars(&plan)?;
    }
    let context = bench.common.device.untuned()?;
    let table = measured("probes", |observer| device::run(&context, &plan, observer))?;
    let device = context.abilities().renderer.as_str();
    note_left_out(&table.left_out);
    draw(bench.plot.as_deref(), device::charts(&table.rows), device)?;
    let rows = Rows { columns: Row::columns(), rows: &table.rows };
    let report = Report { device, stopped: table.stopped, left_out: &table.left_out, rows };
    show(bench.common.json, &report, || {
        format!("{device}\n\n{}\n\n{SPREAD}", report.rows.text(1))
    })?;
    let name = |row: &Row| format!("{} ({}, {})", row.probe, row.engine.name(), row.variant);
    judge(&wrong(&table.rows, name), table.stopped)
}

impl DeviceBench {
    fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        if !self.probes.is_empty() {
            let asked = |question: &Question| self.probes.contains(question);
            plan.questions = Question::ALL.into_iter().filter(asked).collect();
        }
        if self.quick {
            plan.runs = 2;
            plan.run = Duration::from_millis(2);
        }
        if let Some(runs) = self.runs {
            plan.runs = runs as usize;
        }
        plan
    }
}

/// A figure is of arithmetic and of fetches.
fn must_have_bars(plan: &Plan) -> Result<(), Failure> {
    let drawn = |question: &Question| matches!(question, Question::Mad | Question::Fetch);
    if plan.questions.iter().any(drawn) {
        return Ok(());
    }
    let text = "--plot draws the probes mad and fetch; add one of them to --probes".into();
    Err(Failure::Input { text })
}
