//! `quadrille bench sat`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use quadrille::observer::Progress;
use quadrille_lab::report::Figure;
use quadrille_lab::sat::{
    self, CLAUSES, Engine, FEWEST, ITERATIONS, Many, Plan, Row, STEPS, figures,
};

use super::super::device::DeviceArguments;
use super::super::plot;
use super::super::progress::Turns;
use super::super::table::Table;
use super::super::{interrupt, output};
use super::{SPREAD, judge, percent};

const ABOUT: &str = "\
Measures figure 7 of Thompson, Hahn and Oskin's \"Using Modern Graphics Architectures for General-Purpose
Computing\" (2002): the time of 100,000 iterations of the paper's 3-SAT search, on formulas without a model,
against the number of clauses. The paper gives no numbers; it says that the GPU's time is almost flat from 500
to 2000 clauses while the CPU's grows. Here a line is fitted to each engine's times: a fixed cost per iteration
and a cost per clause. Fewer iterations are run, and the time of 100,000 is extrapolated.

The engines vertex, feedback, fragment and simulator run the paper's function of 15 clauses; texture keeps the
assignment in a texture; host is plain code on one core.

The second table shows clause evaluations per second with many candidates at once, beside those of the paper's search.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench sat
  quadrille bench sat --clauses 500,2000 --iterations 500 --one --plot sat.svg";

/// Measure the 3-SAT search of 2002, and the search with many candidates
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct SatBench {
    /// The numbers of clauses, 500 or more; formulas with fewer may have a model
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = CLAUSES.map(|n| n as u64))]
    #[arg(value_parser = clap::value_parser!(u64).range(FEWEST as u64..=1 << 22))]
    clauses: Vec<u64>,

    /// The iterations of the paper's search per run
    #[arg(long, value_name = "N", default_value_t = 2000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,

    /// The number of runs
    #[arg(long, value_name = "K", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,

    /// The candidates of the other search [default: as many as suit the device]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    candidates: Option<u64>,

    /// Skip the search with many candidates
    #[arg(long, conflicts_with = "candidates")]
    one: bool,

    #[command(flatten)]
    device: DeviceArguments,

    /// Draw both tables as bars
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct Report {
    device: String,
    stopped: bool,
    /// Iterations in a run; what is said of 100,000 is extrapolated.
    iterations: u64,
    rows: Vec<Line>,
    fits: Vec<FitLine>,
    many: Vec<ManyLine>,
    skipped: Vec<Missing>,
}

#[derive(Serialize)]
struct Missing {
    engine: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct Line {
    engine: &'static str,
    clauses: usize,
    iteration_us: f64,
    spread_us: f64,
    runs: usize,
    extrapolated_seconds_of_100000: f64,
    right: bool,
}

#[derive(Serialize)]
struct FitLine {
    engine: &'static str,
    fixed_us: f64,
    clause_ns: f64,
    /// The last time over the first.
    growth: f64,
}

#[derive(Serialize)]
struct ManyLine {
    clauses: usize,
    variables: usize,
    candidates: usize,
    rate: f64,
    rate_of_one_texture: f64,
    rate_of_one_host: f64,
    times_one_texture: f64,
    times_one_host: f64,
    right: bool,
}

pub(super) fn run(bench: &SatBench) -> anyhow::Result<()> {
    if let Some(path) = &bench.plot {
        plot::check(path)?;
    }
    let plan = Plan {
        clauses: bench.clauses.iter().map(|&n| n as usize).collect(),
        iterations: bench.iterations,
        runs: bench.runs as usize,
        candidates: bench.candidates.map(|k| usize::try_from(k).unwrap_or(usize::MAX)),
        steps: if bench.one { 0 } else { STEPS },
    };
    let context = bench.device.context()?;
    let bar = Turns::new("bench");
    let mut observer = |progress: &Progress| bar.show(progress);
    let table = interrupt::watched(|| sat::run(&context, &plan, &mut observer))?;
    drop(bar);
    let report = Report {
        device: context.abilities().renderer.clone(),
        stopped: table.stopped,
        iterations: bench.iterations,
        rows: table.rows.iter().map(line).collect(),
        fits: Engine::ALL.into_iter().filter_map(|engine| fit(&table, engine)).collect(),
        many: table.many.iter().map(many_line).collect(),
        skipped: table.skipped.iter().map(missing).collect(),
    };
    for Missing { engine, reason } in &report.skipped {
        output::note(&format!("note: left out {engine}: {reason}"));
    }
    if let Some(path) = &bench.plot {
        let drawn = [figures::figure_7(&table), figures::rates(&table)];
        let titled = |figure: Figure| {
            let title = format!("{}, {}", figure.title, report.device);
            Figure { title, ..figure }
        };
        let figures: Vec<Figure> = drawn.into_iter().flatten().map(titled).collect();
        plot::write(path, &figures)?;
    }
    match bench.json {
        true => output::say_json(&report)?,
        false => output::say(&text(&report))?,
    }
    let rows = report.rows.iter().filter(|row| !row.right);
    let rows = rows.map(|row| format!("{} at {} clauses", row.engine, row.clauses));
    let many = report.many.iter().filter(|line| !line.right);
    let many = many.map(|line| format!("many candidates at {} clauses", line.clauses));
    judge(&rows.chain(many).collect::<Vec<_>>(), report.stopped)
}

fn line(row: &Row) -> Line {
    Line {
        engine: row.engine.name(),
        clauses: row.clauses,
        iteration_us: row.summary.median_ms * 1e3,
        spread_us: row.summary.spread_ms * 1e3,
        runs: row.summary.runs,
        extrapolated_seconds_of_100000: row.summary.median_ms * ITERATIONS as f64 / 1e3,
        right: row.right,
    }
}

fn fit(table: &sat::Table, engine: Engine) -> Option<FitLine> {
    let fit = table.fit(engine)?;
    Some(FitLine {
        engine: engine.name(),
        fixed_us: fit.fixed_ms * 1e3,
        clause_ns: fit.clause_ms * 1e6,
        growth: table.growth(engine)?,
    })
}

fn missing((engine, reason): &(Engine, String)) -> Missing {
    Missing { engine: engine.name(), reason: reason.clone() }
}

fn many_line(many: &Many) -> ManyLine {
    let [texture, host] = many.one;
    ManyLine {
        clauses: many.clauses,
        variables: many.variables,
        candidates: many.candidates,
        rate: many.rate,
        rate_of_one_texture: texture,
        rate_of_one_host: host,
        times_one_texture: many.rate / texture.max(1e-12),
        times_one_host: many.rate / host.max(1e-12),
        right: many.right,
    }
}

/// All tables that have rows, each with its caption.
fn text(report: &Report) -> String {
    let Report { device, iterations, .. } = report;
    let mut parts = vec![format!("{device}, the search of 2002, {iterations} iterations per run")];
    if !report.rows.is_empty() {
        parts[0] += "; the times of 100,000 are extrapolated";
        parts.push(points(report).text());
    }
    if !report.fits.is_empty() {
        parts.push(fits(report).text());
        parts.push(FITS.into());
    }
    if !report.many.is_empty() {
        parts.push(MANY.into());
        parts.push(many(report).text());
    }
    if !report.rows.is_empty() {
        parts.push(SPREAD.into());
    }
    parts.join("\n\n")
}

/// The note below the fits.
const FITS: &str = "\
fixed, per clause: a least-squares line through the medians; a cost below their scatter may be negative.";

const MANY: &str = "\
Many candidates: clause evaluations per second, and the speedup over one candidate";

fn points(report: &Report) -> Table {
    let headings = ["engine", "clauses", "us/iteration", "spread", "100,000 iterations, s", ""];
    let mut table = Table::new(&headings).left(&[0, 5]);
    for row in &report.rows {
        table.row(vec![
            row.engine.into(),
            row.clauses.to_string(),
            format!("{:.2}", row.iteration_us),
            percent(row.spread_us / row.iteration_us.max(1e-12)),
            format!("{:.2}", row.extrapolated_seconds_of_100000),
            wrong(row.right),
        ]);
    }
    table
}

fn fits(report: &Report) -> Table {
    let headings = ["engine", "fixed, us", "per clause, ns", "last over first"];
    let mut table = Table::new(&headings).left(&[0]);
    for fit in &report.fits {
        table.row(vec![
            fit.engine.into(),
            format!("{:.2}", fit.fixed_us),
            format!("{:.2}", fit.clause_ns),
            format!("{:.2}", fit.growth),
        ]);
    }
    table
}

fn many(report: &Report) -> Table {
    let headings = ["clauses", "variables", "candidates", "rate", "over texture", "over host", ""];
    let mut table = Table::new(&headings).left(&[6]);
    for line in &report.many {
        table.row(vec![
            line.clauses.to_string(),
            line.variables.to_string(),
            line.candidates.to_string(),
            format!("{:.2e}", line.rate),
            format!("{:.1}", line.times_one_texture),
            format!("{:.2}", line.times_one_host),
            wrong(line.right),
        ]);
    }
    table
}

fn wrong(right: bool) -> String {
    if right { String::new() } else { "WRONG".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_rows_has_no_caption() {
        let mut report = Report { device: "a device".into(), iterations: 9, ..Report::default() };
        assert_eq!(text(&report), "a device, the search of 2002, 9 iterations per run");
        report.fits.push(FitLine { engine: "host", fixed_us: -0.01, clause_ns: 2.0, growth: 4.0 });
        let text = text(&report);
        assert!(text.contains("-0.01") && text.ends_with(FITS), "{text}");
    }
}
