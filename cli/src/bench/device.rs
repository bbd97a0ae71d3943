//! `quadrille bench device`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use quadrille::observer::Progress;
use quadrille_lab::device::{self, Plan, Question, Row};

use super::super::device::DeviceArguments;
use super::super::failure::Failure;
use super::super::plot;
use super::super::progress::Turns;
use super::super::table::Table;
use super::super::{interrupt, output};
use super::{SPREAD, judge, percent, titled};

const ABOUT: &str = "\
Measures what GPUBench, Stanford's microbenchmarks of 2004, measures: the speed of arithmetic, of texture
fetches by access pattern and format, of render targets, transfers, passes and branches, and the accuracy of
built-in functions. Each result is checked against double precision, and each step of a probe depends on the
previous one, so that none can be skipped.

Units: GFLOPS count a multiply-add as two operations; Gop/s count the components of a function, each with one
addition; GB/s are bytes fetched or written; MADs are the four-component multiply-adds that take as long as one
fetch; ULP are units in the last place of the exact result.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench device --quick
  quadrille bench device --probes mad,fetch --plot device.svg";

/// Measure arithmetic, fetches, render targets and transfers
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct DeviceBench {
    /// The probes to run [default: all]
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    probes: Vec<Name>,

    /// The number of runs of each probe [default: 5]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,

    /// Make only two short runs of each probe, for a rough estimate
    #[arg(long, conflicts_with = "runs")]
    quick: bool,

    /// Draw the peak arithmetic rate and the bandwidth as bars, as slides 17 and 18 of Fatahalian, Sugerman
    /// and Hanrahan (2004) do
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    device: DeviceArguments,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// A question, as an argument.
#[derive(Clone, Copy, ValueEnum)]
enum Name {
    Mad,
    Opcode,
    Fetch,
    DependentFetch,
    Output,
    Transfer,
    Pass,
    Branch,
    Precision,
}

impl From<Name> for Question {
    fn from(name: Name) -> Question {
        match name {
            Name::Mad => Question::Mad,
            Name::Opcode => Question::Opcode,
            Name::Fetch => Question::Fetch,
            Name::DependentFetch => Question::DependentFetch,
            Name::Output => Question::Output,
            Name::Transfer => Question::Transfer,
            Name::Pass => Question::Pass,
            Name::Branch => Question::Branch,
            Name::Precision => Question::Precision,
        }
    }
}

#[derive(Serialize)]
struct Report {
    device: String,
    stopped: bool,
    left_out: Vec<String>,
    rows: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    probe: &'static str,
    engine: &'static str,
    variant: String,
    rate: f64,
    unit: &'static str,
    median_ms: f64,
    spread_ms: f64,
    runs: usize,
    max_error: f64,
    right: bool,
}

pub(super) fn run(bench: &DeviceBench) -> anyhow::Result<()> {
    let plan = bench.plan();
    if let Some(path) = &bench.plot {
        plot::check(path)?;
        must_have_bars(&plan)?;
    }
    let context = bench.device.context()?;
    let bar = Turns::new("probes");
    let mut observer = |progress: &Progress| bar.show(progress);
    let table = interrupt::watched(|| device::run(&context, &plan, &mut observer))?;
    drop(bar);
    let report = Report {
        device: context.abilities().renderer.clone(),
        stopped: table.stopped,
        left_out: table.left_out,
        rows: table.rows.iter().map(line).collect(),
    };
    for text in &report.left_out {
        output::note(&format!("note: left out {text}"));
    }
    if let Some(path) = &bench.plot {
        interrupt::writing(|| {
            plot::write(path, &titled(device::charts(&table.rows), &report.device))
        })?;
    }
    match bench.json {
        true => output::say_json(&report)?,
        false => output::say(&text(&report))?,
    }
    let wrong: Vec<String> = report.rows.iter().filter(|row| !row.right).map(blame).collect();
    judge(&wrong, report.stopped)
}

impl DeviceBench {
    fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        if !self.probes.is_empty() {
            let asked = |question: &Question| {
                self.probes.iter().any(|name| Question::from(*name) == *question)
            };
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

fn line(row: &Row) -> Line {
    Line {
        probe: row.probe,
        engine: row.engine.name(),
        variant: row.variant.clone(),
        rate: row.rate,
        unit: row.unit,
        median_ms: row.summary.median_ms,
        spread_ms: row.summary.spread_ms,
        runs: row.summary.runs,
        max_error: row.comparison.max_error,
        right: row.comparison.is_right(),
    }
}

fn blame(line: &Line) -> String {
    let Line { probe, engine, variant, max_error, .. } = line;
    format!("{probe} ({engine}, {variant}) is off by {max_error:.1e}")
}

fn text(report: &Report) -> String {
    let headings = ["probe", "engine", "variant", "rate", "unit", "median ms", "spread"];
    let mut table = Table::new(&headings).left(&[0, 1, 2, 4]);
    let mut last = None;
    for row in &report.rows {
        if last.is_some_and(|probe| probe != row.probe) {
            table.row(Vec::new());
        }
        last = Some(row.probe);
        let mut cells = vec![
            row.probe.into(),
            row.engine.into(),
            row.variant.clone(),
            digits(row.rate),
            format!("{}{}", row.unit, if row.right { "" } else { " WRONG" }),
        ];
        if row.runs > 0 {
            cells.push(format!("{:.4}", row.median_ms));
            cells.push(percent(row.spread_ms / row.median_ms.max(1e-12)));
        }
        table.row(cells);
    }
    format!("{}\n\n{}\n\n{SPREAD}", report.device, table.text())
}

/// Two places after the point, or an exponent where that says nothing.
fn digits(rate: f64) -> String {
    if (0.01..1e7).contains(&rate) || rate == 0.0 {
        format!("{rate:.2}")
    } else {
        format!("{rate:.1e}")
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
