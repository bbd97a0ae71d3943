//! The mistakes in the arithmetic of a size in the header of an ISF shader.

use std::fmt;

/// A mistake in an expression such as `floor($WIDTH / 2.0)`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // The text of each is its documentation.
pub enum SizeMistake {
    NoValue { found: Option<char> },
    Number { found: String },
    NoName { found: String, has: Vec<String> },
    NoFunction { found: String, has: Vec<String> },
    Closed { function: String },
    Values { function: String, expected: usize, got: usize },
    Open { found: Option<char> },
    Behind { found: char },
    Deep,
}

impl fmt::Display for SizeMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let got = |found: &Option<char>| match found {
            Some(found) => format!("`{found}`"),
            None => "the end".to_owned(),
        };
        match self {
            SizeMistake::NoValue { found } => {
                write!(
                    f,
                    "expected a number, `$WIDTH`, `$HEIGHT`, an input as in `$amount`, a function or `(`, got {}",
                    got(found)
                )
            }
            SizeMistake::Number { found } => write!(f, "expected a number, got `{found}`"),
            SizeMistake::NoName { found, has } => {
                write!(f, "there is no number `${found}`; there are: {}", has.join(", "))
            }
            SizeMistake::NoFunction { found, has } => write!(
                f,
                "there is no function `{found}`, and the name of a number begins with `$`; the functions are: {}",
                has.join(", ")
            ),
            SizeMistake::Closed { function } => {
                write!(f, "expected `(` behind the function `{function}`")
            }
            SizeMistake::Values { function, expected, got } => {
                let values = if *expected == 1 { "value" } else { "values" };
                write!(f, "the function `{function}` takes {expected} {values}, got {got}")
            }
            SizeMistake::Open { found } => {
                write!(f, "expected `)` or one of + - * / %, got {}", got(found))
            }
            SizeMistake::Behind { found } => {
                write!(f, "expected one of + - * / % or the end, got `{found}`")
            }
            SizeMistake::Deep => f.write_str("expected fewer parentheses within each other"),
        }
    }
}
