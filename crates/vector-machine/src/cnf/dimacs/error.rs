//! The errors of a DIMACS file.

use std::path::Path;

use quadrille::{Kind, NoMemory, Place};

use crate::cnf;

/// The reason why a formula could not be read. The text begins with the position in the file. The
/// underlying error is part of the text and therefore not the `source`, so that no report prints it
/// twice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened or read.
    #[error("{place}: cannot read it: {reason}")]
    Read {
        /// The file.
        place: Place,
        /// The error of the operating system.
        reason: std::io::Error,
    },
    /// The file violates the format.
    #[error("{place}: expected {expected}, got {got}")]
    Syntax {
        /// The position of the error.
        place: Place,
        /// A description of what was expected.
        expected: String,
        /// The text that was found.
        got: String,
    },
    /// A sound file of a sort that is not taken, such as weighted clauses.
    #[error("{place}: {got} is not supported: expected {accepted}")]
    Unsupported {
        /// The position that shows the kind of the file.
        place: Place,
        /// The kind of the file's content.
        got: String,
        /// The kinds that are supported.
        accepted: &'static str,
    },
    /// The formula does not fit in memory.
    #[error("{place}: {reason}")]
    Formula {
        /// The file.
        place: Place,
        /// The error of the formula.
        reason: cnf::Error,
    },
}

quadrille::internal::failure!(Error; kinds {
    Error::Read { .. } => Kind::Io,
    Error::Formula { reason, .. } => reason.kind(),
}; places {
    Error::Read { place, .. } | Error::Syntax { place, .. } | Error::Unsupported { place, .. } | Error::Formula { place, .. } => Some(place),
});

/// The result of the readers.
pub type Result<T> = std::result::Result<T, Error>;

/// Returns a file's name as the user gave it.
pub(super) fn whole_file(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

/// Adds the file to an error of the system while reading.
pub(super) fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |reason| Error::Read { place: whole_file(path), reason }
}

/// Adds the file to an error of the formula.
pub(super) fn in_file(path: &Path) -> impl FnOnce(cnf::Error) -> Error {
    move |reason| Error::Formula { place: whole_file(path), reason }
}

/// Adds the file to a lack of memory.
pub(super) fn no_memory(path: &Path) -> impl Fn(NoMemory) -> Error {
    move |lack| in_file(path)(lack.into())
}
