//! The errors of a description.

use std::path::PathBuf;

use quadrille::error::{Kind, Place};
use quadrille::internal::failure;

/// The key whose entries are folders.
pub(super) const FOLDERS: [&str; 2] = ["include", "include_dirs"];

/// An error in a description. The text begins with the place in the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error("{place}: cannot read it: {reason}")]
    Read { place: Place, reason: std::io::Error },

    #[error("{place}: not valid TOML: {message}")]
    Toml { place: Place, message: String },

    #[error("{place}: unknown key `{key}` {within}: expected one of: {}", keys.join(", "))]
    UnknownKey {
        place: Place,
        key: String,
        /// The part of the file, as in "of a test" or "in `expect.x`".
        within: String,
        keys: Vec<&'static str>,
    },

    #[error("{place}: `{key}`: expected {expected}, got {got}")]
    Value { place: Place, key: String, expected: String, got: String },

    #[error("{place}: `{key}` is missing: {what}")]
    Missing { place: Place, key: String, what: &'static str },

    #[error("{place}: `{key}` stands beside `{other}`: expected one of the two")]
    Conflict { place: Place, key: String, other: String },

    #[error("{place}: `{key}`: there is no {} {}", if FOLDERS.contains(&key.as_str()) { "folder" } else { "file" }, file.display())]
    NoFile { place: Place, key: String, file: PathBuf },

    /// A path that leads out of the folder whose files a description may name, by `..`, from the root
    /// or by a link.
    #[error(
        "{place}: `{key}` names {}, which is outside of the folder {}: a description may name files of the folder in which the \
         work is started, or if it is not below that, of the one in which it was found",
        file.display(), folder.display()
    )]
    Outside { place: Place, key: String, file: PathBuf, folder: PathBuf },

    #[error("{place}: {reason}")]
    Unfit { place: Place, reason: String },
}

failure!(Error; kinds {
    Error::Read { .. } => Kind::Io,
}; places {
    Error::Read { place, .. } | Error::Toml { place, .. } | Error::UnknownKey { place, .. } | Error::Value { place, .. }
    | Error::Missing { place, .. } | Error::Conflict { place, .. } | Error::NoFile { place, .. } | Error::Outside { place, .. }
    | Error::Unfit { place, .. } => Some(place),
});
