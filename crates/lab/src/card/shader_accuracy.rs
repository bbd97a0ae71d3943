//! The accuracy of the operations that a shader uses, as the card has it.

use quadrille::gl::Context;

use super::arithmetic::accuracy::{Accuracy, measure};
use super::arithmetic::operations::Operation;
use super::engine::Engine;
use crate::Result;

/// Measures, in fragments, the operations that a text of GLSL uses: the built-in functions that it
/// calls, and the operators outside its comments. Included files do not count.
pub fn accuracy_of_used(context: &Context, text: &str, seed: u64) -> Result<Vec<Accuracy>> {
    let text = without_comments(text);
    let can = |operation: &Operation| !operation.new || context.abilities().precise;
    let used = |operation: &Operation| is_used(operation.name, &text) && can(operation);
    let mut all = Vec::new();
    for operation in Operation::all().into_iter().filter(used) {
        all.extend(measure(context, Engine::Fragment, &operation, seed)?);
    }
    Ok(all)
}

/// Whether a text has an operation, by the name that the card gives it: `exp2(a)`, `a / b`,
/// `a * b + c`.
fn is_used(name: &str, text: &str) -> bool {
    match name.split_once('(') {
        Some((function, _)) => calls(function, text),
        None => {
            let operators = name.chars().filter(|c| "+-*/".contains(*c));
            let operators: Vec<char> = operators.collect();
            !operators.is_empty() && operators.iter().all(|operator| text.contains(*operator))
        }
    }
}

/// Whether a text calls a function: its name, not as the end of another, and a parenthesis.
fn calls(function: &str, text: &str) -> bool {
    text.match_indices(function).any(|(at, _)| {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        let after = text[at + function.len()..].trim_start();
        !(before.is_ascii_alphanumeric() || before == '_') && after.starts_with('(')
    })
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        kept += &rest[..at];
        kept.push(' ');
        let end = if rest[at..].starts_with("//") { "\n" } else { "*/" };
        rest = rest[at + 2..].split_once(end).map_or("", |(_, rest)| rest);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found_where_they_are_called() {
        let text = without_comments(
            "y = exp2(x) - my_log(x); // sqrt(x)\n/* sin(x) / 2 */ z = pow (x, 2.0);",
        );
        let used = |name: &str| is_used(name, &text);
        assert!(used("exp2(a)") && used("pow(a, b)") && used("a - b"));
        for name in ["exp(a)", "log(a)", "sqrt(a)", "sin(a)", "a / b", "a * b + c", "log2(a)"] {
            assert!(!used(name), "{name}");
        }
        assert_eq!(without_comments("a /* b"), "a  ".trim_end().to_owned() + "  ");
    }
}
