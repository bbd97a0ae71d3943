//! The report, as text and as JSON.

use serde::Serialize;

use quadrille_lab::device::Limits;
use quadrille_lab::matmul::{Contender, Finding, RatedRow, Sweep};
use quadrille_lab::numbers::short;
use quadrille_lab::table::{Column, Rows, Skipped, only_json};

use super::super::SPREAD;

#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) device: &'a str,
    #[serde(rename = "type")]
    pub(super) numbers: &'static str,
    /// The peak rates, for floats.
    pub(super) limits: Option<Limits>,
    pub(super) stopped: bool,
    pub(super) rows: Rows<'a, RatedRow<'a>>,
    pub(super) skipped: Rows<'a, Skipped<Contender>>,
    /// The effect of the swept option on the time.
    pub(super) sweeps: Rows<'a, Swept<'a>>,
}

/// An option, and what a sweep of it found for one method at one size.
pub(super) type Swept<'a> = (Sweep, Finding<'a>);

pub(super) fn sweeps<'a>() -> Vec<Column<Swept<'a>>> {
    vec![
        only_json("option", |(sweep, _): &Swept<'_>| sweep.name().into()),
        only_json("method", |(_, found)| found.best.contender.name().into()),
        only_json("n", |(_, found)| found.best.n.into()),
        only_json("best", |(_, found)| found.best.contender.options().into()),
        only_json("worst", |(_, found)| found.worst.contender.options().into()),
        only_json("best_gflops", |(_, found)| found.best.gflops().into()),
        only_json("worst_gflops", |(_, found)| found.worst.gflops().into()),
        only_json("ratio", |(_, found)| found.ratio.into()),
    ]
}

impl Report<'_> {
    pub(super) fn text(&self) -> String {
        let mut notes: Vec<String> = self.sweeps.rows.iter().map(sentence).collect();
        notes.extend(self.rows.rows.iter().filter_map(claim));
        notes.extend(self.limits.as_ref().map(limits_text));
        notes.push(format!("{SPREAD} load: packing and upload."));
        if self.limits.is_some() {
            notes.push(EXPLAINED.into());
        }
        let (device, numbers) = (self.device, self.numbers);
        format!("{device}, {numbers}\n\n{}\n\n{}", self.rows.text(1), notes.join("\n"))
    }
}

const EXPLAINED: &str = "\
fetched: what shaders asked for, not what a cache passed on; fragments in percent of cached fetches.
predicted: if arithmetic and fetches took turns, each at its peak. registers: of four numbers.";

fn limits_text(limits: &Limits) -> String {
    let compute = match limits.compute_mad_gflops {
        Some(compute) => format!(", compute {} GFLOPS", short(compute)),
        None => String::new(),
    };
    format!(
        "Peaks in this run: multiply-adds of fragments {} GFLOPS{compute}; cached fetches {} GB/s.",
        short(limits.fragment_mad_gflops),
        short(limits.fetch_gb_s)
    )
}

fn sentence((sweep, found): &Swept<'_>) -> String {
    let [best, worst] = [found.best, found.worst];
    format!(
        "{} at {}: the best {} is {:.2} times as fast as the worst ({}: {} GFLOPS; {}: {}).",
        best.contender.name(),
        best.n,
        sweep.name(),
        found.ratio,
        best.contender.options(),
        short(best.gflops()),
        worst.contender.options(),
        short(worst.gflops())
    )
}

fn claim(rated: &RatedRow<'_>) -> Option<String> {
    let (ours, theirs) = (rated.speedup?, rated.document_speedup?);
    let (method, n) = (rated.row.contender.name(), rated.row.n);
    Some(format!(
        "{method} at {n}: {ours:.2} times as fast as serial; the CUDA tutorial reports {theirs:.1}."
    ))
}
