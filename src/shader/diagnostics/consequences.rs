//! Recognises errors of a driver's log that only follow from others. A compiler that meets an
//! undeclared name continues with an unknown type, and reports every operator and call that uses
//! it.

use std::collections::HashSet;

use super::diagnostic::{Diagnostic, Severity};
use crate::error::Place;

/// Returns the items without those that follow from others: errors in a line with a name that is
/// not declared, such a name again, calls with an argument of Mesa's type `error`, with their
/// candidates; and, beside any error, variables that are used before they are set, since what would
/// have set them may be what does not compile.
pub(crate) fn without(items: &[Diagnostic]) -> Vec<&Diagnostic> {
    let undeclared = items.iter().filter(|item| is_undeclared(item));
    let lines: HashSet<_> = undeclared.filter_map(|item| line(item)).collect();
    let any_error = items.iter().any(|item| item.severity == Severity::Error);
    let mut names = HashSet::new();
    let mut call: Option<&Place> = None;
    let mut told = Vec::new();
    for item in items {
        if item.place.as_ref() != call {
            call = None;
        }
        if is_call_of_unknown(item) {
            call = item.place.as_ref();
        } else if item.message.ends_with(CANDIDATES) {
            call = None;
        }
        let follows = match item.severity {
            Severity::Error if is_undeclared(item) => !names.insert(item.message.as_str()),
            Severity::Error => call.is_some() || line(item).is_some_and(|it| lines.contains(&it)),
            Severity::Warning => any_error && item.message.ends_with(UNSET),
            Severity::Note => false,
        };
        if !follows {
            told.push(item);
        }
    }
    let any_left = told.iter().any(|item| item.severity == Severity::Error);
    if any_left { told } else { items.iter().collect() }
}

/// Returns whether it reports an undeclared name, in the words of Mesa, ANGLE and glslang, or
/// NVIDIA.
pub(super) fn is_undeclared(item: &Diagnostic) -> bool {
    const WORDS: [&str; 3] = ["undeclared", "undefined variable", "no function with name"];
    item.severity == Severity::Error && WORDS.iter().any(|words| item.message.contains(words))
}

/// Returns the file and the line.
fn line(item: &Diagnostic) -> Option<(&str, usize)> {
    let place = item.place.as_ref()?;
    Some((place.file.as_str(), place.line?))
}

/// The end of Mesa's warning about a variable that is not set.
const UNSET: &str = "used uninitialized";

const CANDIDATES: &str = "candidates are:";

/// Recognises Mesa's "no matching function for call to `cos(error)'; candidates are:".
fn is_call_of_unknown(item: &Diagnostic) -> bool {
    let Some(call) = item.message.strip_prefix("no matching function for call to `") else {
        return false;
    };
    let arguments = call.split_once('(').map_or("", |(_, arguments)| arguments);
    arguments.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "error")
}
