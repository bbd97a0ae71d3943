//! What can go wrong between a kernel and what it is given.

use crate::NoMemory;
use crate::error::{Kind, Place, with_article};
use crate::{gl, shader};

/// An error of the framework.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Gl(#[from] gl::Error),

    #[error(transparent)]
    Shader(#[from] shader::Error),

    #[error("{kernel} does not compile\n{diagnostics}")]
    Compile { kernel: String, diagnostics: String, place: Option<Place> },

    #[error("{kernel} does not link\n{diagnostics}")]
    Link { kernel: String, diagnostics: String },

    #[error("{kernel} has no {what} `{name}`; it has: {}", list(has))]
    NoSuchName { kernel: String, what: &'static str, name: String, has: Vec<String> },

    #[error("{kernel}: `{name}` is {}; it was given {got}", with_article(expected))]
    WrongType { kernel: String, name: String, expected: String, got: String },

    #[error("{kernel}: not given: {}", missing.join(", "))]
    Missing { kernel: String, missing: Vec<String> },

    #[error(
        "{kernel} writes {expected} ({}); it was given {got}{}",
        list(outputs),
        dropped_text(dropped)
    )]
    Targets {
        kernel: String,
        expected: String,
        outputs: Vec<String>,
        got: String,
        /// What the text declares and the driver did not keep.
        dropped: Box<[String]>,
    },

    #[error(
        "{place}: error: no vertex shader writes `{kind} {name}`, so its value would be undefined; expected at most \
         one `in vec2`, of any name, which is the coordinate 0 to 1 across the target; the texel is \
         `ivec2(gl_FragCoord.xy)`"
    )]
    Unfed { place: Place, name: String, kind: String },

    #[error(
        "{kernel}: its outputs ({}) need places: write `layout(location = N) out` before each",
        list(outputs)
    )]
    OutputsWithoutPlace { kernel: String, outputs: Vec<String> },

    #[error("unknown {what} `{name}`; there is: {has}")]
    Unknown { what: &'static str, name: String, has: String },

    #[error("{kernel}: {}", text)]
    Bad { kernel: String, text: String },
}

/// A sentence about outputs that the driver dropped, if there are any.
pub(crate) fn dropped_text(dropped: &[String]) -> String {
    match dropped {
        [] => String::new(),
        names => format!(
            "; the driver removed {}, which the text declares: nothing that it computes reaches {}",
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            if names.len() == 1 { "it" } else { "them" }
        ),
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

impl From<NoMemory> for Error {
    fn from(error: NoMemory) -> Error {
        Error::Gl(error.into())
    }
}

impl Error {
    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Gl(error) => error.kind(),
            Error::Shader(error) => error.kind(),
            Error::Compile { .. } | Error::Unfed { .. } => Kind::Compile,
            Error::Link { .. } => Kind::Link,
            _ => Kind::Input,
        }
    }

    /// Returns the position in the user's files, if the error is about one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Shader(error) => error.place(),
            Error::Compile { place, .. } => place.as_ref(),
            Error::Unfed { place, .. } => Some(place),
            _ => None,
        }
    }
}
