//! The errors of operators.

use crate::error::{Kind, Place, from_lower};
use crate::{NoMemory, gl, grid, shader, stream};

/// An error of an operator on grids.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Grid(#[from] grid::Error),

    #[error(
        "row {row} has {value:e} on the diagonal (rows count from 0); it and its reciprocal must be \
         within 32-bit floats of full precision"
    )]
    Diagonal { row: usize, value: f32 },
}

from_lower!(Grid: stream::Error, gl::Error, shader::Error, NoMemory);

impl Error {
    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Grid(error) => error.kind(),
            Error::Diagonal { .. } => Kind::Input,
        }
    }

    /// Returns the position in the user's files, if the error is about one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Grid(error) => error.place(),
            Error::Diagonal { .. } => None,
        }
    }
}
