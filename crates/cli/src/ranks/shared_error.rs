//! An error that all ranks know.

use serde::{Deserialize, Serialize};

/// The error of the lowest rank that had one, as all ranks know it.
#[derive(Clone, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{text}")]
pub(crate) struct SharedError {
    /// All that is said of it.
    pub(super) text: String,
    pub(super) code: u8,
    /// Whether it says only that another rank has an error.
    pub(super) of_another: bool,
}
