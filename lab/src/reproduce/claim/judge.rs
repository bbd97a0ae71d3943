//! The judge.

use super::super::super::report::{Estimate, Finding, Kind, Stability, Verdict};
use super::{Claim, Limit, Statement};

/// What a study measured: a sentence with its numbers, and the estimates that are compared with the limit.
#[derive(Clone, Debug)]
pub(in crate::reproduce) struct Answer {
    words: String,
    estimates: Vec<Estimate>,
}

impl Answer {
    /// Of one number.
    pub(in crate::reproduce) fn of(words: impl Into<String>, estimate: Estimate) -> Answer {
        Answer::of_all(words, vec![estimate])
    }

    /// Of several: sizes, layouts, types.
    pub(in crate::reproduce) fn of_all(
        words: impl Into<String>,
        estimates: Vec<Estimate>,
    ) -> Answer {
        Answer { words: words.into(), estimates }
    }
}

/// What was measured, or why nothing could be.
pub(in crate::reproduce) type Told = Result<Answer, String>;

/// The margin from which on a verdict is robust.
const ROBUST: f64 = 3.0;
/// A scatter from which on the machine was disturbed: its runs are not independent, and only what is robust is judged.
const DISTURBED: f64 = 0.5;

/// Compares what was measured with the claim's limit. Where the scatter could turn the verdict, there is none.
pub(in crate::reproduce) fn judge(claim: &Claim<Limit>, told: Told) -> Finding {
    let finding = claim.finding(Kind::Measurement);
    let Answer { words, estimates } = match told {
        Ok(answer) => answer,
        Err(reason) => return Finding { measured: reason, ..finding },
    };
    let limit = claim.kind;
    let Some((estimate, margin)) = limit.deciding(&estimates) else {
        return Finding { measured: format!("{words}: no number was measured"), ..finding };
    };
    let least = if estimate.scatter < DISTURBED { 1.0 } else { ROBUST };
    let (verdict, stability) = match margin {
        far if far >= least => (Verdict::Confirmed, stable(far)),
        far if far <= -least => (Verdict::Contradicted, stable(-far)),
        _ => (Verdict::NotMeasurable, Stability::Undecided),
    };
    let scatter = match estimate.scatter {
        0.0 => String::new(),
        scatter => format!("; scatter {:.0} %", 100.0 * scatter),
    };
    Finding {
        measured: format!("{words} (limit: {limit}{scatter})"),
        estimate: Some(estimate).filter(|of| of.value.is_finite() && of.scatter.is_finite()),
        verdict,
        stability: Some(stability),
        ..finding
    }
}

fn stable(margin: f64) -> Stability {
    if margin >= ROBUST { Stability::Robust } else { Stability::NearTheLimit }
}

/// Tells whether a statement that no measurement decides is right, or why that was not checked.
pub(in crate::reproduce) fn check(
    claim: &Claim<Statement>,
    told: Result<(String, bool), String>,
) -> Finding {
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
    /// Before anything is known.
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
        }
    }
}
