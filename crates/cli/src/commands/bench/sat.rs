//! `quadrille bench sat`.

use quadrille_lab::sat::{self, CLAUSES, Engine, FEWEST, Fit, Many, Plan, Row, STEPS, figures};
use quadrille_lab::table::{Rows, only_json};

use super::{CommonArguments, SPREAD, draw, judge, measured, show, sizes};
use crate::prelude::*;

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
#[command(mut_arg("json", |json| json.help("Print one JSON object instead of tables")))]
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

    /// Draw both tables as bars
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Serialize)]
struct Report<'a> {
    device: &'a str,
    stopped: bool,
    /// Iterations in a run; what is said of 100,000 is extrapolated.
    iterations: u64,
    rows: Rows<'a, Row>,
    fits: Rows<'a, Fit>,
    many: Rows<'a, Many>,
    skipped: Rows<'a, (Engine, String)>,
}

pub(super) fn run(bench: &SatBench) -> anyhow::Result<()> {
    output::check_chart(bench.plot.as_deref())?;
    let plan = Plan {
        clauses: sizes(&bench.clauses),
        iterations: bench.iterations,
        runs: bench.runs as usize,
        candidates: bench.candidates.map(|k| usize::try_from(k).unwrap_or(usize::MAX)),
        steps: if bench.one { 0 } else { STEPS },
    };
    let context = bench.common.device.untuned()?;
    let table = measured("bench", |observer| sat::run(&context, &plan, observer))?;
    let (fits, device) = (table.fits(), context.abilities().renderer.as_str());
    let report = Report::new(device, &plan, &table, &fits);
    for (engine, reason) in &table.skipped {
        output::note(&format!("note: left out {}: {reason}", engine.name()));
    }
    let figures = [figures::figure_7(&table), figures::rates(&table)];
    draw(bench.plot.as_deref(), figures.into_iter().flatten(), device)?;
    show(bench.common.json, &report, || text(&report))?;
    let rows = table.rows.iter().filter(|row| !row.right);
    let rows = rows.map(|row| format!("{} at {} clauses", row.engine.name(), row.clauses));
    let many = table.many.iter().filter(|many| !many.right);
    let many = many.map(|many| format!("many candidates at {} clauses", many.clauses));
    judge(&rows.chain(many).collect::<Vec<_>>(), table.stopped)
}

impl<'a> Report<'a> {
    fn new(device: &'a str, plan: &Plan, table: &'a sat::Table, fits: &'a [Fit]) -> Report<'a> {
        let skipped = vec![
            only_json("engine", |(engine, _): &(Engine, String)| engine.name().into()),
            only_json("reason", |(_, reason)| reason.as_str().into()),
        ];
        Report {
            device,
            stopped: table.stopped,
            iterations: plan.iterations,
            rows: Rows { columns: Row::columns(), rows: &table.rows },
            fits: Rows { columns: Fit::columns(), rows: fits },
            many: Rows { columns: Many::columns(), rows: &table.many },
            skipped: Rows { columns: skipped, rows: &table.skipped },
        }
    }
}

fn text(report: &Report<'_>) -> String {
    let Report { device, iterations, rows, fits, many, .. } = report;
    let mut parts = vec![format!("{device}, the search of 2002, {iterations} iterations per run")];
    if !rows.rows.is_empty() {
        parts[0] += "; the times of 100,000 are extrapolated";
        parts.push(rows.text(0));
    }
    if !fits.rows.is_empty() {
        parts.extend([fits.text(0), FITS.into()]);
    }
    if !many.rows.is_empty() {
        parts.extend([MANY.into(), many.text(0)]);
    }
    if !rows.rows.is_empty() {
        parts.push(SPREAD.into());
    }
    parts.join("\n\n")
}

const FITS: &str = "\
fixed, per clause: a least-squares line through the medians; a cost below their scatter may be negative.";

const MANY: &str = "\
Many candidates: clause evaluations per second, and the speedup over one candidate";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_rows_has_no_caption() {
        let plan = Plan { clauses: vec![], iterations: 9, runs: 1, candidates: None, steps: 0 };
        let table = sat::Table::default();
        let shown = |fits: &[Fit]| text(&Report::new("a device", &plan, &table, fits));
        assert_eq!(shown(&[]), "a device, the search of 2002, 9 iterations per run");
        let fit = Fit { engine: Engine::Host, fixed_ms: -1e-5, clause_ms: 2e-6, growth: 4.0 };
        let text = shown(&[fit]);
        assert!(text.contains("-0.0100") && text.ends_with(FITS), "{text}");
    }
}
