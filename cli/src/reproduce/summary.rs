//! A report in a few sentences: at its head, and on standard output.

use std::path::Path;
use std::time::Duration;

use quadrille_lab::report::{Document, Verdict};
use quadrille_lab::reproduce::Outcome;

use super::super::table::Table;

/// What a terminal shows at the end.
pub(super) fn text(outcome: &Outcome, page: &Path) -> String {
    let mut lines = vec![sentence(outcome), String::new()];
    if outcome.findings().next().is_some() {
        lines.extend([counts(outcome), String::new()]);
    }
    let left_out: usize = outcome.entries.iter().map(|entry| entry.left_out().len()).sum();
    if left_out > 0 {
        lines.push(format!("Left out: {left_out}, each with its reason in the report."));
    }
    lines.push(format!("The report is {}.", page.display()));
    lines.join("\n")
}

/// Verdicts by document.
fn counts(outcome: &Outcome) -> String {
    let mut table = Table::new(&["document", "confirmed", "contradicted", "not measurable"]);
    table = table.left(&[0]);
    for document in Document::ALL {
        let count = |verdict: Verdict| {
            let findings = outcome.findings().filter(|f| f.document == document);
            findings.filter(|finding| finding.verdict == verdict).count()
        };
        let counts = Verdict::ALL.map(count);
        if counts.iter().any(|count| *count > 0) {
            let counts = counts.map(|count| count.to_string());
            table.row([[document.name().to_owned()].as_slice(), &counts].concat());
        }
    }
    table.text()
}

/// How the findings came out, in words.
pub(super) fn sentence(outcome: &Outcome) -> String {
    let [confirmed, contradicted, open] = Verdict::ALL.map(|verdict| outcome.count(verdict));
    let measured = match open {
        0 => "all could be measured".into(),
        open => format!("{open} cannot be measured"),
    };
    match confirmed + contradicted + open {
        0 => "No finding of the documents was judged.".into(),
        all => format!(
            "Of {all} findings of the documents, {confirmed} {} confirmed here and \
             {contradicted} {} contradicted; {measured}.",
            is(confirmed),
            is(contradicted)
        ),
    }
}

fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// On what, when and how much.
pub(super) fn setting(outcome: &Outcome) -> String {
    let machine = &outcome.machine;
    let renderer = &machine.renderer;
    let kind = if renderer.software { ", a software renderer" } else { "" };
    let threads = match machine.threads {
        1 => "one thread".into(),
        threads => format!("{threads} threads"),
    };
    format!(
        "Measured on {}{kind}, in {}, with {threads} of {}, on {} UTC, at the {} scale with seed {}.",
        renderer.name,
        renderer.api,
        machine.cpu,
        machine.began,
        machine.scale.name(),
        machine.seed
    )
}

/// What is not of this run, or is missing from it, in words.
pub(super) fn reservations(outcome: &Outcome) -> Vec<String> {
    let (all, run) = (outcome.entries.len(), outcome.run());
    let mut words = Vec::new();
    if run < all {
        words.push(format!(
            "This report is not finished: {run} of {all} studies have been run. The command goes on \
             where it ended."
        ));
    }
    if let Some((count, first, last)) = outcome.kept() {
        let when = if first == last { first.into() } else { format!("{first} to {last}") };
        words.push(format!("{count} of {all} parts are from {when} UTC, of an earlier run."));
    }
    words
}

/// A span of time as people say it.
pub(super) fn span(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 0.95 => format!("{seconds:.1} s"),
        seconds if seconds < 99.5 => format!("{seconds:.0} s"),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}
