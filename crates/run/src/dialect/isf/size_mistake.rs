//! The mistakes in the arithmetic of a size in the header of an ISF shader.

use quadrille::Kind;
use quadrille::internal::failure;

/// A mistake in an expression such as `floor($WIDTH / 2.0)`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text of each is its documentation.
pub enum SizeMistake {
    #[error(
        "expected a number, `$WIDTH`, `$HEIGHT`, an input as in `$amount`, a function or `(`, got {}",
        found_text(*found)
    )]
    NoValue { found: Option<char> },

    #[error("expected a number, got `{found}`")]
    Number { found: String },

    #[error("there is no number `${found}`; there are: {}", has.join(", "))]
    NoName { found: String, has: Vec<String> },

    #[error(
        "there is no function `{found}`, and the name of a number begins with `$`; the functions are: {}",
        has.join(", ")
    )]
    NoFunction { found: String, has: Vec<String> },

    #[error("expected `(` behind the function `{function}`")]
    Closed { function: String },

    #[error(
        "the function `{function}` takes {expected} {}, got {got}",
        if *expected == 1 { "value" } else { "values" }
    )]
    Values { function: String, expected: usize, got: usize },

    #[error("expected `)` or one of + - * / %, got {}", found_text(*found))]
    Open { found: Option<char> },

    #[error("expected one of + - * / % or the end, got `{found}`")]
    Behind { found: char },

    #[error("expected fewer parentheses within each other")]
    Deep,
}

failure!(SizeMistake; kinds {
    _ => Kind::Compile,
});

fn found_text(found: Option<char>) -> String {
    found.map_or_else(|| "the end".to_owned(), |found| format!("`{found}`"))
}
