//! The errors of grids.

use crate::error::failure;
use crate::{NoMemory, gl, shader, stream};

/// The result of what works on grids.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a grid on the device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error("{what}: expected a grid of {expected}, got one of {got}")]
    Unlike { what: String, expected: String, got: String },
}

failure!(Error: Stream(gl::Error, shader::Error, NoMemory));
