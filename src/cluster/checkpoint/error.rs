//! The errors of checkpoints.

use std::path::{Path, PathBuf};

use crate::error::{Kind, Place, failure};
use crate::{NoMemory, cluster, data, io};

/// The name of the manifest in its folder.
pub(super) const MANIFEST: &str = "manifest";

/// The sort of computation that the checkpoint is of.
pub(super) const OF: &str = "system";

/// The result of what keeps or takes a checkpoint.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(
        "{}: expected a checkpoint, got a folder without {}; name the folder that a computation wrote its checkpoints to",
        folder.display(), MANIFEST
    )]
    Empty { folder: PathBuf },

    #[error("a checkpoint: expected {expected}, got {got}")]
    State { expected: String, got: String },

    #[error(
        "{place}: rank {rank} wrote {expected} bytes, of which {got} are here: ranks need one folder that all of them see"
    )]
    NotShared { place: Place, rank: usize, expected: u64, got: u64 },

    #[error("rank {rank} failed with its part of a checkpoint")]
    OnRank { rank: usize },

    #[error(transparent)]
    File(#[from] io::Error),

    #[error(transparent)]
    Ranks(#[from] cluster::Error),

    #[error(transparent)]
    Data(#[from] data::Error),
}

failure!(Error: File, Ranks, Data(NoMemory); kinds {
    Error::NotShared { .. } | Error::OnRank { .. } => Kind::Failed,
}; places {
    Error::NotShared { place, .. } => Some(place),
});

impl Error {
    pub(super) fn empty(folder: &Path) -> Error {
        Error::Empty { folder: folder.to_path_buf() }
    }
}

/// A solver that keeps its x in checkpoints.
impl From<Error> for cluster::Error {
    fn from(error: Error) -> cluster::Error {
        cluster::Error::Kept(error.into())
    }
}

/// Returns a file by its name.
pub(super) fn place(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

/// Adds the file to an error of the system while reading.
pub(super) fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |reason| Error::File(io::Error::Read { place: place(path), reason })
}

/// Adds the file to an error of the system while writing.
pub(super) fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |reason| Error::File(io::Error::Write { place: place(path), reason })
}
