//! The report of a test's process: serialised, since the test may end its process.

use quadrille::Place;
use serde::{Deserialize, Serialize};

use super::super::run::{Finding, Ran, Verdict};
use super::Outcome;
use super::figure::Figure;
use super::position::Position;
use super::provenance::Provenance;
use super::worst::Worst;

/// The answer of a test's process: the finding of the test on one context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Answer {
    /// The end of the test: [`Outcome::Pass`], [`Outcome::Fail`], [`Outcome::Skip`] or
    /// [`Outcome::Bad`].
    pub outcome: Outcome,
    /// The reasons why it did not pass.
    pub reasons: Vec<String>,
    /// The output that the worst number is of.
    pub output: Option<String>,
    /// The worst number, where numbers were compared.
    pub worst: Option<Worst>,
    /// The texels of that output that miss.
    pub missed: usize,
    /// The line to look at first, where one is known.
    pub place: Option<Box<Position>>,
    /// The heat maps, if they were requested.
    pub figures: Vec<Figure>,
}

impl Answer {
    /// Makes the answer of a test that ran. Its numbers are those of the first finding that is
    /// wrong, or else of that with the greatest distance.
    pub fn of(ran: &Ran) -> Answer {
        let answer = match &ran.verdict {
            Verdict::Skip(reason) => Answer::without_numbers(Outcome::Skip, vec![reason.clone()]),
            Verdict::Pass => Answer::of_findings(Outcome::Pass, Vec::new(), ran),
            Verdict::Fail(reasons) => Answer::of_findings(Outcome::Fail, reasons.clone(), ran),
        };
        answer.at(ran.place.as_ref())
    }

    /// Makes the answer of expected numbers that were written: a line for each file.
    pub fn of_writing(files: Vec<String>) -> Answer {
        if files.is_empty() {
            let reason = "no expectation has a file: none of them is `equals`".into();
            return Answer::without_numbers(Outcome::Skip, vec![reason]);
        }
        Answer::without_numbers(Outcome::Pass, files)
    }

    /// Makes the answer of a test that could not be run.
    pub fn bad(reason: String) -> Answer {
        Answer::without_numbers(Outcome::Bad, vec![reason])
    }

    /// Makes an answer about no number.
    pub fn without_numbers(outcome: Outcome, reasons: Vec<String>) -> Answer {
        Answer {
            outcome,
            reasons,
            output: None,
            worst: None,
            missed: 0,
            place: None,
            figures: Vec::new(),
        }
    }

    /// Sets the line to look at first, where one is known.
    #[must_use]
    pub fn at(self, place: Option<&Place>) -> Answer {
        Answer { place: place.map(Position::of).map(Box::new), ..self }
    }

    /// Adds figures of the comparisons.
    #[must_use]
    pub fn with_figures(self, figures: Vec<Figure>) -> Answer {
        Answer { figures, ..self }
    }

    fn of_findings(outcome: Outcome, reasons: Vec<String>, ran: &Ran) -> Answer {
        let wrong = ran.findings.iter().find(|finding| !finding.is_right());
        let shown = wrong.or_else(|| ran.findings.iter().max_by_key(|finding| distance(finding)));
        let difference = shown.and_then(|finding| finding.difference.as_ref().ok());
        let from = wrong.and_then(|finding| Provenance::beside(finding.file.as_deref()?));
        let from = from.map(|from| format!("what is expected was computed on {}", from.text()));
        let reasons = reasons.into_iter().chain(from).collect();
        Answer {
            output: shown.map(|finding| finding.output.clone()),
            worst: difference.and_then(|difference| difference.worst.as_ref()).map(Worst::of),
            missed: difference.map_or(0, |difference| difference.missed),
            ..Answer::without_numbers(outcome, reasons)
        }
    }
}

/// Returns the distance in ULP; what is not finite and differs is farthest.
fn distance(finding: &Finding) -> u64 {
    let worst = finding.difference.as_ref().ok().and_then(|difference| difference.worst.as_ref());
    worst.map_or(0, |worst| worst.ulp.unwrap_or(u64::MAX).max(1))
}
