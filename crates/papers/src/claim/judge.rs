//! The judge.

use super::{Claim, Limit, Statement};
use quadrille_lab::numbers::short;
use quadrille_lab::report::estimate::LEAST_SCATTER;
use quadrille_lab::report::{Answer, Basis, Finding, Kind, Verdict};

/// The measured answer, or the reason why nothing could be measured.
pub(crate) type AnswerOrReason = Result<Answer, String>;

/// Compares what was measured with the claim's limit. Where the scatter could turn the verdict,
/// there is none.
pub(crate) fn judge(claim: &Claim<Limit>, told: AnswerOrReason) -> Finding {
    judge_passes(claim, told, 1)
}

/// Judges the measurements of several passes of a study together.
pub(crate) fn judge_passes(claim: &Claim<Limit>, told: AnswerOrReason, passes: usize) -> Finding {
    let limit = claim.kind;
    let kind = if limit.is_question { Kind::Question } else { Kind::Measurement };
    let finding = claim.finding(kind);
    let answer = match told {
        Ok(answer) => answer,
        Err(reason) => return Finding { measured: reason, is_open: true, ..finding },
    };
    if answer.estimates.iter().any(|estimate| !limit.takes(estimate.basis)) {
        let measured = format!("{}: these are of problems of different sizes", answer.words);
        return Finding { measured, is_open: true, ..finding };
    }
    let Some(estimate) = limit.deciding(&answer.estimates) else {
        return Finding {
            measured: format!("{}: no number was measured", answer.words),
            ..finding
        };
    };
    let (verdict, stability) = limit.judge(estimate);
    let scatter = match estimate.scatter {
        0.0 => String::new(),
        scatter => format!("; scatter {:.0} %", 100.0 * scatter),
    };
    let together = match passes {
        1 => String::new(),
        passes => format!("; {passes} passes together: {}", short(estimate.value)),
    };
    Finding {
        measured: format!("{} (limit: {limit}{together}{scatter})", answer.words),
        estimate: Some(estimate).filter(|of| of.value.is_finite() && of.scatter.is_finite()),
        verdict,
        stability: Some(stability),
        answer: Some(answer),
        is_open: verdict == Verdict::NotMeasurable
            && estimate.scatter > LEAST_SCATTER
            && estimate.basis != Basis::Counted,
        ..finding
    }
}

/// Says whether a statement that no measurement decides is right, or why that was not checked.
pub(crate) fn check(claim: &Claim<Statement>, told: Result<(String, bool), String>) -> Finding {
    let finding = claim.finding(match claim.kind {
        Statement::Erratum => Kind::Erratum,
        Statement::Design => Kind::DesignStatement,
    });
    match told {
        Ok((measured, right)) => Finding { measured, verdict: Verdict::of(right), ..finding },
        Err(measured) => Finding { measured, ..finding },
    }
}

impl<K> Claim<K> {
    /// The finding before anything is known.
    fn finding(&self, kind: Kind) -> Finding {
        Finding {
            id: self.id.into(),
            document: self.document,
            kind,
            place: self.place.into(),
            quotation: self.quotation.into(),
            claim: self.claim.into(),
            measured: String::new(),
            estimate: None,
            verdict: Verdict::NotMeasurable,
            stability: None,
            evidence: self.evidence.map(String::from),
            on_cpu: self.on_cpu.map(String::from),
            answer: None,
            is_open: false,
        }
    }
}
