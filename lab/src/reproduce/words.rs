//! Numbers and lists in sentences, and results that must be right.

use super::super::Error;
pub(super) use super::super::error::must_be_right;
use quadrille::internal::reference::Comparison;

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
    fn a_wrong_result_is_an_error_that_names_it() {
        assert!(must_hold("a sum", true).is_ok());
        let error = must_hold("a sum", false).map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.starts_with("a sum: wrong result")));
    }
}
