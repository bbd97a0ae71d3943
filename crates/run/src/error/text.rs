//! Parts of the texts of errors.

/// Returns the pass that a message is about, where there are several.
pub(super) fn prefix(pass: &str) -> String {
    if pass.is_empty() { String::new() } else { format!("pass `{pass}`: ") }
}

/// Returns the names that there are.
pub(super) fn list(names: &[String]) -> String {
    if names.is_empty() { "there is none".into() } else { names.join(", ") }
}
