//! The errors of computing on several ranks.

use crate::error::{Kind, Place, from_lower};
use crate::{NoMemory, gl, grid, shader, stream};

/// An error of computing on several ranks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Grid(#[from] grid::Error),

    #[error(
        "this process has {expected} ranks, but {got} contexts were given: each rank needs one"
    )]
    Contexts { expected: usize, got: usize },

    #[error("a message from rank {from} to rank {to}: expected {expected}, got {got}")]
    Message { from: usize, to: usize, expected: String, got: String },

    #[error("this process has initialised MPI before, which a process can do once")]
    Joined,
}

from_lower!(Grid: stream::Error, gl::Error, shader::Error, NoMemory);

impl Error {
    pub(super) fn message(
        (from, to): (usize, usize),
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> Error {
        Error::Message { from, to, expected: expected.into(), got: got.into() }
    }

    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Grid(error) => error.kind(),
            Error::Contexts { .. } => Kind::Input,
            Error::Message { .. } | Error::Joined => Kind::Failed,
        }
    }

    /// Returns the position in the user's files, if the error is about one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Grid(error) => error.place(),
            _ => None,
        }
    }
}
