//! `quadrille bench jacobi`.

use clap::{Args, ValueEnum};
use serde::Serialize;

use quadrille::internal::reference;
use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::observer::Progress;
use quadrille_lab::document::jacobi::{self as document, Claim};
use quadrille_lab::jacobi::{self, Engine, Plan, Row, Skipped};
use quadrille_lab::reads_name;

use super::super::device::{DeviceArguments, ReadsName};
use super::super::progress::Turns;
use super::super::table::Table;
use super::super::{interrupt, output};
use super::{SPREAD, judge, percent};

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

    /// How shaders read texels [default: both]
    #[arg(long, value_name = "READS,...", value_delimiter = ',')]
    reads: Vec<ReadsName>,

    /// The number of runs of each variant [default: 3 to 9, as time allows]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,

    /// Skip the CPU loops
    #[arg(long)]
    no_cpu: bool,

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
    skipped: Vec<Missing>,
}

#[derive(Serialize)]
struct Line {
    n: usize,
    layout: String,
    stage: Option<String>,
    reads: Option<&'static str>,
    median_ms: f64,
    spread_ms: f64,
    runs: usize,
    iterations: u64,
    mflops: f64,
    max_error: f64,
    right: bool,
    document: Option<Claim>,
}

#[derive(Serialize)]
struct Missing {
    n: usize,
    layout: String,
    stage: Option<String>,
    reads: Option<&'static str>,
    reason: String,
}

pub(super) fn run(bench: &JacobiBench) -> anyhow::Result<()> {
    let plan = bench.plan();
    let context = bench.device.context()?;
    let bar = Turns::new("bench");
    let mut observer = |progress: &Progress| bar.show(progress);
    let table = interrupt::watched(|| jacobi::run(&context, &plan, &mut observer))?;
    drop(bar);
    let report = Report {
        device: context.abilities().renderer.clone(),
        stopped: table.stopped,
        rows: table.rows.iter().map(line).collect(),
        skipped: table.skipped.iter().map(missing).collect(),
    };
    for missing in &report.skipped {
        output::note(&format!("note: left out {}: {}", missing.name(), missing.reason));
    }
    match bench.json {
        true => output::say_json(&report)?,
        false => output::say(&text(&report))?,
    }
    let wrong: Vec<String> = report.rows.iter().filter(|row| !row.right).map(Line::blame).collect();
    judge(&wrong, report.stopped)
}

impl JacobiBench {
    fn plan(&self) -> Plan {
        let all_if_none = |reads: &[ReadsName]| match reads {
            [] => ReadsName::value_variants().to_vec(),
            some => some.to_vec(),
        };
        Plan {
            sizes: match self.sizes.as_slice() {
                [] => document::sizes(),
                some => some.iter().map(|n| *n as usize).collect(),
            },
            layouts: match self.layouts.as_slice() {
                [] => Layout::ALL.to_vec(),
                some => some.to_vec(),
            },
            stages: match self.stages.as_slice() {
                [] => Optimization::ALL.to_vec(),
                some => some.to_vec(),
            },
            reads: all_if_none(&self.reads).into_iter().map(Into::into).collect(),
            cpu: !self.no_cpu,
            runs: self.runs.map(|runs| runs as usize),
        }
    }
}

fn names(engine: Engine) -> (String, Option<String>, Option<&'static str>) {
    let layout = engine.layout_name();
    match engine {
        Engine::Device(_, stage, reads) => {
            (layout, Some(stage.to_string()), Some(reads_name(reads)))
        }
        Engine::CpuLoop | Engine::CpuBands => (layout, None, None),
    }
}

fn line(row: &Row) -> Line {
    let (layout, stage, reads) = names(row.engine);
    Line {
        n: row.n,
        layout,
        stage,
        reads,
        median_ms: row.summary.median_ms,
        spread_ms: row.summary.spread_ms,
        runs: row.summary.runs,
        iterations: row.iterations,
        mflops: row.mflops,
        max_error: row.comparison.max_error,
        right: row.comparison.is_right(),
        document: row.document,
    }
}

fn missing(skipped: &Skipped) -> Missing {
    let (layout, stage, reads) = names(skipped.engine);
    Missing { n: skipped.n, layout, stage, reads, reason: skipped.reason.clone() }
}

impl Missing {
    fn name(&self) -> String {
        full_name(self.n, &self.layout, &self.stage, self.reads)
    }
}

impl Line {
    fn blame(&self) -> String {
        let name = full_name(self.n, &self.layout, &self.stage, self.reads);
        format!("{name} is off by {:.1e}", self.max_error)
    }
}

fn full_name(n: usize, layout: &str, stage: &Option<String>, reads: Option<&str>) -> String {
    let parts = [Some(layout), stage.as_deref(), reads];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    format!("{} at {n}", parts.join(", "))
}

/// A row for each size, layout and way of reading; a column for each optimization.
fn text(report: &Report) -> String {
    let mut headings = vec!["N", "layout", "reads"];
    let stages: Vec<String> = Optimization::ALL.map(|stage| stage.to_string()).to_vec();
    headings.extend(stages.iter().map(String::as_str));
    headings.extend(["spread", "error", "5900U", "6800"]);
    let mut table = Table::new(&headings).left(&[1, 2]);
    let mut last = None;
    let same = |a: &Line, b: &Line| (a.n, &a.layout, a.reads) == (b.n, &b.layout, b.reads);
    for (index, first) in report.rows.iter().enumerate() {
        if report.rows.iter().take(index).any(|earlier| same(earlier, first)) {
            continue;
        }
        let alike: Vec<&Line> = report.rows.iter().filter(|line| same(line, first)).collect();
        if last.is_some_and(|n| n != first.n) {
            table.row(Vec::new());
        }
        last = Some(first.n);
        table.row(cells(&stages, &alike));
    }
    format!(
        "{}, MFLOP/s\n\n{}\n\n{SPREAD} Spread and error are the largest of the row.\n\
         5900U, 6800: the paper's rates on these GPUs, for its last optimization.",
        report.device,
        table.text()
    )
}

fn cells(stages: &[String], alike: &[&Line]) -> Vec<String> {
    let Some(first) = alike.first() else { return Vec::new() };
    let none = || "-".to_owned();
    let mut cells =
        vec![first.n.to_string(), first.layout.clone(), first.reads.unwrap_or("").into()];
    let rate =
        |line: &&Line| format!("{:.0}{}", line.mflops, if line.right { "" } else { " WRONG" });
    for (column, stage) in stages.iter().enumerate() {
        let of_stage = alike.iter().find(|line| line.stage.as_ref() == Some(stage));
        // The CPU loops have no optimizations; their rate is in the first column.
        let without = alike.iter().find(|line| line.stage.is_none() && column == 0);
        cells.push(of_stage.or(without).map_or_else(String::new, rate));
    }
    let largest = |of: fn(&Line) -> f64| reference::largest(alike.iter().map(|line| of(line)));
    cells.push(percent(largest(|line| line.spread_ms / line.median_ms.max(1e-12))));
    cells.push(format!("{:.1e}", largest(|line| line.max_error)));
    if let Some(claim) = first.document {
        let figure = |number: Option<u32>| number.map_or_else(none, |number| number.to_string());
        cells.extend([figure(claim.fx5900), figure(claim.gf6800)]);
    }
    cells
}
