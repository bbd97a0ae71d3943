//! Numbers and lists in sentences, and results that must be right.

use quadrille::testing::Comparison;
use quadrille_lab::Result;
pub(crate) use quadrille_lab::error::must_be_right;
pub(crate) use quadrille_lab::numbers::short;

/// A wrong result ends the report: here of results that are right or not, without a measure.
pub(crate) fn must_hold(what: &str, right: bool) -> Result<()> {
    must_be_right(what, if right { Comparison::RIGHT } else { Comparison::WRONG })
}

/// The command that repeats a study whose numbers no other command prints.
pub(crate) fn alone(study: &str) -> String {
    format!("quadrille reproduce --only {study} --quick --output DIR")
}

/// Numbers with commas between them, as arguments take them.
pub(crate) fn list(numbers: &[usize]) -> String {
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
