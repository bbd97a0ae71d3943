//! The report, as text and as JSON.

use serde::Serialize;

use quadrille::Context;
use quadrille::linalg::matmul::{Element, Method};
use quadrille_lab::device::Limits;
use quadrille_lab::matmul::{
    Contender, Efficiency, Finding, Row, Skipped, Sweep, Table as Raced, claimed_speedup, findings,
};

use super::super::super::table::Table;
use super::super::{SPREAD, percent};

/// The JSON object.
#[derive(Serialize)]
pub(super) struct Report {
    device: String,
    #[serde(rename = "type")]
    numbers: &'static str,
    /// The peak rates, for floats.
    limits: Option<Limits>,
    stopped: bool,
    rows: Vec<Line>,
    skipped: Vec<Missing>,
    /// The effect of the swept option on the time.
    sweeps: Vec<Swept>,
}

#[derive(Serialize)]
pub(super) struct Line {
    method: &'static str,
    engine: &'static str,
    /// As they were.
    options: String,
    n: usize,
    median_ms: f64,
    spread_ms: f64,
    runs: usize,
    /// Packing and upload.
    setup_ms: f64,
    gflops: f64,
    fetched_gb_s: Option<f64>,
    peak_percent: Option<f64>,
    bandwidth_percent: Option<f64>,
    mads_per_fetch: Option<f64>,
    /// Arithmetic and fetches one after the other, each at its peak.
    predicted_ms: Option<f64>,
    /// Registers of four numbers: sums, and the operands of a step.
    registers: Option<usize>,
    /// Over `serial` in the same table.
    speedup: Option<f64>,
    /// The speedup that the CUDA tutorial reports.
    document_speedup: Option<f64>,
    max_error: f64,
    right: bool,
}

#[derive(Serialize)]
struct Missing {
    method: &'static str,
    /// As requested.
    wish: String,
    n: usize,
    reason: String,
}

#[derive(Serialize)]
struct Swept {
    option: &'static str,
    method: &'static str,
    n: usize,
    best: String,
    worst: String,
    best_gflops: f64,
    worst_gflops: f64,
    ratio: f64,
}

impl Report {
    pub(super) fn new<T: Element>(
        context: &Context,
        limits: Option<Limits>,
        sweep: Option<Sweep>,
        table: &Raced,
    ) -> Report {
        let lines = table.rows.iter().map(|row| line::<T>(row, limits.as_ref(), &table.rows));
        let swept = sweep.map(|sweep| {
            let findings = findings(&table.rows);
            findings.iter().map(|finding| swept(sweep, finding)).collect()
        });
        Report {
            device: context.abilities().renderer.clone(),
            numbers: T::NAME,
            limits,
            stopped: table.stopped,
            rows: lines.collect(),
            skipped: table.skipped.iter().map(missing).collect(),
            sweeps: swept.unwrap_or_default(),
        }
    }

    /// The rows that are further off than rounding explains.
    pub(super) fn wrong(&self) -> Vec<String> {
        let wrong = self.rows.iter().filter(|row| !row.right);
        wrong
            .map(|row| format!("{} at {} is off by {:.1e}", row.name(), row.n, row.max_error))
            .collect()
    }

    pub(super) fn text(&self) -> String {
        let mut table = Table::new(&HEADINGS).left(&[1, HEADINGS.len() - 1]);
        let mut last = None;
        for row in &self.rows {
            if last.is_some_and(|n| n != row.n) {
                table.row(Vec::new());
            }
            last = Some(row.n);
            table.row(row.cells());
        }
        let mut notes: Vec<String> = self.sweeps.iter().map(Swept::sentence).collect();
        notes.extend(self.rows.iter().filter_map(Line::claim));
        notes.extend(self.limits.as_ref().map(limits_text));
        notes.push(format!("{SPREAD} load: packing and upload."));
        if self.limits.is_some() {
            notes.push(EXPLAINED.into());
        }
        let (device, numbers) = (&self.device, self.numbers);
        format!("{device}, {numbers}\n\n{}\n\n{}", table.text(), notes.join("\n"))
    }
}

const HEADINGS: [&str; 14] = [
    "n",
    "method",
    "GFLOPS",
    "of peak",
    "GB/s",
    "of peak",
    "MAD/fetch",
    "ms",
    "predicted",
    "spread",
    "load ms",
    "registers",
    "error",
    "options",
];

const EXPLAINED: &str = "\
GB/s: what shaders asked for, not what a cache passed on; fragments in percent of cached fetches.
predicted: ms, if arithmetic and fetches took turns, each at its peak. registers: of four numbers.";

fn limits_text(limits: &Limits) -> String {
    // A slow renderer stays below one.
    let rate = |rate: f64| format!("{rate:.*}", if rate < 10.0 { 2 } else { 0 });
    let compute = match limits.compute_mad_gflops {
        Some(compute) => format!(", compute {} GFLOPS", rate(compute)),
        None => String::new(),
    };
    format!(
        "Peaks in this run: multiply-adds of fragments {} GFLOPS{compute}; cached fetches {} GB/s.",
        rate(limits.fragment_mad_gflops),
        rate(limits.fetch_gb_s)
    )
}

fn line<T: Element>(row: &Row, limits: Option<&Limits>, rows: &[Row]) -> Line {
    let efficiency = Efficiency::of(row, limits);
    let serial = rows.iter().find(|other| other.n == row.n && other.contender.is_serial());
    let claim = |method: Method| claimed_speedup(method, T::NAME);
    Line {
        method: row.contender.name(),
        engine: row.contender.engine().name(),
        options: row.options.clone(),
        n: row.n,
        median_ms: row.summary.median_ms,
        spread_ms: row.summary.spread_ms,
        runs: row.summary.runs,
        setup_ms: row.setup.as_secs_f64() * 1e3,
        gflops: efficiency.gflops,
        fetched_gb_s: efficiency.fetched_gb_s,
        peak_percent: efficiency.peak_percent,
        bandwidth_percent: efficiency.bandwidth_percent,
        mads_per_fetch: efficiency.mads_per_fetch,
        predicted_ms: efficiency.predicted_ms,
        registers: efficiency.registers,
        speedup: serial.map(|serial| serial.summary.median_ms / row.summary.median_ms.max(1e-12)),
        document_speedup: match row.contender {
            Contender::Method(method, _) => claim(method),
            Contender::SerialByColumns | Contender::Library(_) => None,
        },
        max_error: row.comparison.max_error,
        right: row.comparison.is_right(),
    }
}

fn missing(skipped: &Skipped) -> Missing {
    let Skipped { n, contender, reason, .. } = skipped;
    let (method, wish) = (contender.name(), contender.to_string());
    Missing { method, wish, n: *n, reason: reason.clone() }
}

fn swept(sweep: Sweep, finding: &Finding<'_>) -> Swept {
    let Finding { best, worst, ratio } = *finding;
    let gflops = |row: &Row| row.gflops();
    // What was asked for differs; the rest of the options does not.
    let asked = |row: &Row| {
        let text = row.contender.to_string();
        text.split_once(' ').map_or(String::new(), |(_, options)| options.to_owned())
    };
    Swept {
        option: sweep.name(),
        method: best.contender.name(),
        n: best.n,
        best: asked(best),
        worst: asked(worst),
        best_gflops: gflops(best),
        worst_gflops: gflops(worst),
        ratio,
    }
}

impl Swept {
    fn sentence(&self) -> String {
        let Swept { option, method, n, best, worst, best_gflops, worst_gflops, ratio } = self;
        format!(
            "{method} at {n}: the best {option} is {ratio:.2} times as fast as the worst ({best}: \
             {best_gflops:.1} GFLOPS; {worst}: {worst_gflops:.1})."
        )
    }
}

impl Line {
    fn name(&self) -> String {
        format!("{} {}", self.method, self.options).trim_end().to_owned()
    }

    /// The claim of the CUDA tutorial about it.
    fn claim(&self) -> Option<String> {
        let (method, ours, theirs) = (self.method, self.speedup?, self.document_speedup?);
        let n = self.n;
        Some(format!(
            "{method} at {n}: {ours:.2} times as fast as serial; the CUDA tutorial reports {theirs:.1}."
        ))
    }

    fn cells(&self) -> Vec<String> {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".into(), |value| format!("{value:.digits$}"))
        };
        let share =
            |value: Option<f64>| value.map_or_else(|| "-".into(), |value| percent(value / 100.0));
        vec![
            self.n.to_string(),
            self.method.into(),
            format!("{:.2}", self.gflops),
            share(self.peak_percent),
            number(self.fetched_gb_s, 1),
            share(self.bandwidth_percent),
            number(self.mads_per_fetch, 2),
            format!("{:.3}", self.median_ms),
            number(self.predicted_ms, 3),
            percent(self.spread_ms / self.median_ms.max(1e-12)),
            format!("{:.1}", self.setup_ms),
            self.registers.map_or_else(|| "-".into(), |count| count.to_string()),
            format!("{:.1e}{}", self.max_error, if self.right { "" } else { " WRONG" }),
            self.options.clone(),
        ]
    }
}
