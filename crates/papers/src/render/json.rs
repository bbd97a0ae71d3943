//! The whole report as JSON.

use serde::Serialize;

use crate::{Entry, Failure, Machine, Outcome, Study};
use quadrille_lab::report::{Document, Figure, Finding, Kind, Part, Table, Verdict};

#[derive(Serialize)]
struct Report<'a> {
    machine: &'a Machine,
    finished: bool,
    verdicts: Verdicts,
    tables: Vec<Of<'a, Table>>,
    figures: Vec<Of<'a, Figure>>,
    findings: Vec<&'a Finding>,
    left_out: Vec<LeftOut<'a>>,
    studies: Vec<StudyLine<'a>>,
}

#[derive(Serialize)]
struct Verdicts {
    confirmed: usize,
    contradicted: usize,
    not_measurable: usize,
    questions: Answered,
    errata: Checked,
    design_statements: Checked,
}

#[derive(Serialize)]
struct Answered {
    yes: usize,
    no: usize,
    open: usize,
}

#[derive(Serialize)]
struct Checked {
    right: usize,
    wrong: usize,
    not_checked: usize,
}

/// A table or a figure, and where it belongs.
#[derive(Serialize)]
struct Of<'a, T> {
    document: Option<Document>,
    study: &'static str,
    #[serde(flatten)]
    what: &'a T,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    study: &'a str,
    reason: String,
}

#[derive(Serialize)]
struct StudyLine<'a> {
    id: &'a str,
    document: Option<Document>,
    title: &'a str,
    /// The date in UTC; `None` if it has not been run yet.
    date: Option<&'a str>,
    seconds: Option<f64>,
    /// Whether an earlier run measured it.
    kept: bool,
    failure: Option<&'a Failure>,
}

pub fn json(outcome: &Outcome) -> impl Serialize + '_ {
    let left_out = outcome.entries.iter().flat_map(|entry| {
        let reasons = entry.left_out().into_iter();
        reasons.map(|reason| LeftOut { study: entry.study.id, reason })
    });
    Report {
        machine: &outcome.machine,
        finished: outcome.run() == outcome.entries.len(),
        verdicts: Verdicts {
            confirmed: outcome.count(Verdict::Confirmed),
            contradicted: outcome.count(Verdict::Contradicted),
            not_measurable: outcome.count(Verdict::NotMeasurable),
            questions: answered(outcome),
            errata: checked(outcome, Kind::Erratum),
            design_statements: checked(outcome, Kind::DesignStatement),
        },
        tables: of(outcome, |part| &part.tables),
        figures: of(outcome, |part| &part.figures),
        findings: outcome.findings().collect(),
        left_out: left_out.collect(),
        studies: outcome.entries.iter().map(line).collect(),
    }
}

fn of<T>(outcome: &Outcome, all: fn(&Part) -> &[T]) -> Vec<Of<'_, T>> {
    let of = |(study, part): (&Study, _)| {
        let (document, study) = (study.document, study.id);
        all(part).iter().map(move |what| Of { document, study, what })
    };
    outcome.parts().flat_map(of).collect()
}

fn answered(outcome: &Outcome) -> Answered {
    let [yes, no, open] = Verdict::ALL.map(|verdict| outcome.count_of(Kind::Question, verdict));
    Answered { yes, no, open }
}

fn checked(outcome: &Outcome, kind: Kind) -> Checked {
    let [right, wrong, not_checked] = Verdict::ALL.map(|verdict| outcome.count_of(kind, verdict));
    Checked { right, wrong, not_checked }
}

fn line(entry: &Entry) -> StudyLine<'_> {
    let record = entry.record.as_ref();
    StudyLine {
        id: entry.study.id,
        document: entry.study.document,
        title: entry.study.title,
        date: record.map(|record| record.date.as_str()),
        seconds: record.map(|record| record.seconds),
        kept: entry.kept,
        failure: record.and_then(|record| record.failure.as_ref()),
    }
}
