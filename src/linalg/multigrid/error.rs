//! The errors of multigrid.

use crate::error::{Kind, failure};
use crate::linalg::nine_banded;
use crate::{NoMemory, gl, grid, stream};

/// The result of what works with a hierarchy.
pub type Result<T, E = Error> = std::result::Result<T, E>;

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

    #[error(transparent)]
    Data(#[from] crate::data::Error),

    #[error(
        "multigrid in three dimensions smooths by points: expected the smoother jacobi, or none, got {smoother}"
    )]
    Lines { smoother: super::Smoother },

    #[error(
        "multigrid cannot halve an odd number of points along an axis whose ends are neighbours, and a grid of {} x {} x {} \
         leaves too many; take a number of points that a power of two divides, or another preconditioner",
        points[0], points[1], points[2]
    )]
    OddRing { points: [usize; 3] },
}

failure!(Error: Operator(stream::Error, gl::Error, grid::Error, NoMemory), Data; kinds {
    Error::Panels { .. } => Kind::Limit,
    // As where a device has too small textures, another preconditioner takes its place.
    Error::OddRing { .. } => Kind::Limit,
});
