//! Findings of studies whose claims are not data yet, see `claim`.

use super::super::report::{Document, Finding, Verdict};

/// What a measurement says of a claim: a sentence with its numbers, and whether the claim holds; or
/// why nothing could be measured.
pub(super) type Told = Result<(String, bool), String>;

/// The row of a report.
pub(super) fn judged(document: Document, claim: &str, told: Told) -> Finding {
    let (measured, verdict) = match told {
        Ok((measured, holds)) => (measured, Verdict::of(holds)),
        Err(reason) => (reason, Verdict::NotMeasurable),
    };
    super::words::judged(document, claim, measured, verdict)
}

/// Three digits, as people read them.
pub(super) fn digits(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 0.01 || size == 0.0 => format!("{number:.2}"),
        _ => format!("{number:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_three() {
        let texts = [1234.5, 12.345, 1.2345, 0.0, 0.00123].map(digits);
        assert_eq!(texts, ["1234", "12.3", "1.23", "0.00", "1.2e-3"]);
    }
}
