//! The errors of computing on several ranks.

use crate::error::Kind;

/// An error of computing on several ranks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error("a message from rank {from} to rank {to}: expected {expected}, got {got}")]
    Message { from: usize, to: usize, expected: String, got: String },
}

impl Error {
    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Message { .. } => Kind::Failed,
        }
    }
}
