//! Numbers and lists in sentences, and results that must be right.

use crate::Error;
pub(in crate::reproduce) use crate::error::must_be_right;
pub(in crate::reproduce) use crate::numbers::short;
use quadrille::testing::Comparison;

/// A wrong result ends the report: here of results that are right or not, without a measure.
pub(in crate::reproduce) fn must_hold(what: &str, right: bool) -> Result<(), Error> {
    must_be_right(what, if right { Comparison::RIGHT } else { Comparison::WRONG })
}

/// The command that repeats a study whose numbers no other command prints.
pub(in crate::reproduce) fn alone(study: &str) -> String {
    format!("quadrille reproduce --only {study} --quick --output DIR")
}

/// Numbers with commas between them, as arguments take them.
pub(in crate::reproduce) fn list(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
    words.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_commas() {
        assert_eq!(list(&[1, 20]), "1,20");
    }

    #[test]
    fn a_wrong_result_is_an_error_that_names_it() {
        assert!(must_hold("a sum", true).is_ok());
        let error = must_hold("a sum", false).map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.starts_with("a sum: wrong result")));
    }
}
