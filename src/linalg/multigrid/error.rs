//! The errors of multigrid.

use crate::error::{Kind, failure};
use crate::linalg::nine_banded;
use crate::{NoMemory, gl, grid, stream};

/// An error of multigrid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Operator(#[from] nine_banded::Error),

    #[error(
        "multigrid needs the unknowns of a grid: the matrix couples the end of a row of {width} to the next row; use another \
         preconditioner"
    )]
    AcrossEnds { width: usize },

    #[error(
        "multigrid needs each level in one texture, but this device stores {grid}; use another preconditioner"
    )]
    Panels { grid: String },
}

failure!(Error: Operator(stream::Error, gl::Error, grid::Error, NoMemory));

impl Error {
    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Operator(error) => error.kind(),
            Error::AcrossEnds { .. } => Kind::Input,
            Error::Panels { .. } => Kind::Limit,
        }
    }
}
