//! The report in a few lines, on standard output.

use std::path::Path;

use quadrille_lab::report::{Document, Kind, Verdict};
use quadrille_lab::text::aligned;
use quadrille_papers::Outcome;
use quadrille_papers::render::{disturbance, sentence};

pub(super) fn text(outcome: &Outcome, page: &Path) -> String {
    let mut lines = vec![sentence(outcome), String::new()];
    if outcome.findings().next().is_some() {
        lines.extend([counts(outcome), String::new()]);
    }
    let left_out: usize = outcome.entries.iter().map(|entry| entry.left_out().len()).sum();
    if left_out > 0 {
        lines.push(format!("Left out: {left_out}, each with its reason in the report."));
    }
    lines.extend(disturbance(outcome).map(|words| format!("Other programs were at work. {words}")));
    lines.push(format!("The report is {}.", page.display()));
    lines.join("\n")
}

/// The verdicts on the measured claims of each paper, and how many statements there are besides:
/// what needs no measurement, and questions.
fn counts(outcome: &Outcome) -> String {
    let columns = ["document", "confirmed", "contradicted", "not measurable", "others"];
    let mut rows = Vec::new();
    for document in Document::ALL {
        let findings = || outcome.findings().filter(|f| f.document == document);
        let measured = || findings().filter(|finding| finding.kind == Kind::Measurement);
        let count = |verdict| measured().filter(|finding| finding.verdict == verdict).count();
        let [confirmed, contradicted, open] = Verdict::ALL.map(count);
        let others = findings().count() - measured().count();
        if findings().next().is_some() {
            let counts = [confirmed, contradicted, open, others].map(|count| count.to_string());
            rows.push([[document.name().to_owned()].as_slice(), &counts].concat());
        }
    }
    aligned(&columns, rows)
}
