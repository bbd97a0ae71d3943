//! The errors of operators.

use crate::error::failure;
use crate::{NoMemory, gl, grid, shader, stream};

/// The result of what works with an operator.
pub type Result<T, E = Error> = std::result::Result<T, E>;

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

failure!(Error: Grid(stream::Error, gl::Error, shader::Error, NoMemory));
