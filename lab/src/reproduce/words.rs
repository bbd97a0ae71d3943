//! Parts of a report, put short.

use super::super::Error;
pub(super) use super::super::error::must_be_right;
use super::super::report::{Document, Finding, Kind, Verdict};
use quadrille::internal::reference::Comparison;

/// A claim that was judged.
pub(super) fn judged(
    document: Document,
    claim: &str,
    measured: impl Into<String>,
    verdict: Verdict,
) -> Finding {
    Finding {
        id: String::new(),
        document,
        kind: Kind::Measurement,
        place: String::new(),
        quotation: String::new(),
        claim: claim.into(),
        measured: measured.into(),
        estimate: None,
        verdict,
        stability: None,
        evidence: None,
        on_cpu: None,
    }
}

/// Whether a claim holds of a number that may be off by this part of itself, either way: it is not
/// measurable where that decides.
pub(super) fn beyond_chance(number: f64, scatter: f64, holds: impl Fn(f64) -> bool) -> Verdict {
    let may_be = 1.0 + scatter.max(0.0);
    match [number / may_be, number, number * may_be].map(holds) {
        [true, true, true] => Verdict::Confirmed,
        [false, false, false] => Verdict::Contradicted,
        _ => Verdict::NotMeasurable,
    }
}

/// The verdict of two claims together: contradicted if either is.
pub(super) fn both(one: Verdict, other: Verdict) -> Verdict {
    match [one, other] {
        [Verdict::Contradicted, _] | [_, Verdict::Contradicted] => Verdict::Contradicted,
        [Verdict::Confirmed, Verdict::Confirmed] => Verdict::Confirmed,
        _ => Verdict::NotMeasurable,
    }
}

/// By how much runs scatter, as sentences have it.
pub(super) fn scatters(scatter: f64) -> String {
    format!("runs scatter by {:.0} %", 100.0 * scatter)
}

/// A claim of which nothing is known here, and why.
pub(super) fn unknown(document: Document, claim: &str, why: impl Into<String>) -> Finding {
    judged(document, claim, why, Verdict::NotMeasurable)
}

/// The judged finding, or why there is nothing to judge.
pub(super) fn judged_or(
    document: Document,
    claim: &str,
    told: Option<(String, Verdict)>,
    why: &str,
) -> Finding {
    match told {
        Some((measured, verdict)) => judged(document, claim, measured, verdict),
        None => unknown(document, claim, why),
    }
}

/// A wrong result ends the report: here of results that are right or not, without a measure.
pub(super) fn must_hold(what: &str, right: bool) -> Result<(), Error> {
    must_be_right(what, if right { Comparison::RIGHT } else { Comparison::WRONG })
}

/// A number with three digits, as sentences have it.
pub(super) fn short(number: f64) -> String {
    let size = number.abs();
    match size {
        _ if number == 0.0 || !number.is_finite() => number.to_string(),
        _ if !(1e-3..1e6).contains(&size) => format!("{number:.1e}"),
        _ => {
            let digits = 2 - size.log10().floor() as i32;
            format!("{number:.*}", digits.max(0) as usize)
        }
    }
}

/// Numbers with commas between them, as arguments take them.
pub(super) fn list(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
    words.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let words = [0.0, 1.0, 0.012345, 12.345, 999.6, 123456.0, 2.5e7, -3.5125].map(short);
        let expected = ["0", "1.00", "0.0123", "12.3", "1000", "123456", "2.5e7", "-3.51"];
        assert_eq!(words, expected);
        assert_eq!(list(&[1, 20]), "1,20");
    }

    #[test]
    fn what_chance_may_decide_is_not_measurable() {
        let verdict = |number, scatter| beyond_chance(number, scatter, |number| number > 1.0);
        assert_eq!(verdict(1.2, 0.1), Verdict::Confirmed);
        assert_eq!(verdict(1.2, 0.3), Verdict::NotMeasurable);
        assert_eq!(verdict(0.9, 0.3), Verdict::NotMeasurable);
        assert_eq!(verdict(0.9, 0.05), Verdict::Contradicted);
        assert_eq!(both(Verdict::NotMeasurable, Verdict::Contradicted), Verdict::Contradicted);
        assert_eq!(both(Verdict::NotMeasurable, Verdict::Confirmed), Verdict::NotMeasurable);
        assert_eq!(both(Verdict::Confirmed, Verdict::Confirmed), Verdict::Confirmed);
    }

    #[test]
    fn a_wrong_result_is_an_error_that_names_it() {
        assert!(must_hold("a sum", true).is_ok());
        let error = must_hold("a sum", false).map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.starts_with("a sum: wrong result")));
    }
}
