//! The errors of computing on several ranks.

use crate::error::{Kind, failure};
use crate::linalg::solve;
use crate::linalg::{jacobi, multigrid, nine_banded};
use crate::{NoMemory, gl, grid, shader, stream};

/// The result of what several ranks do.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of computing on several ranks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Grid(#[from] grid::Error),

    #[error(transparent)]
    Jacobi(#[from] jacobi::Error),

    #[error(transparent)]
    Operator(#[from] nine_banded::Error),

    #[error(transparent)]
    Multigrid(#[from] multigrid::Error),

    #[error(
        "the matrix couples unknowns across the ends of rows, but the halos of the partition do not reach across them: a rank needs one number more on each \
         side of its rows"
    )]
    AcrossEnds,

    /// An error of the checkpointer.
    #[error(transparent)]
    Kept(crate::Error),

    #[error("the partition is for {expected} ranks, but there are {got}")]
    Ranks { expected: usize, got: usize },

    #[error("{what}: expected {expected} for rank {rank}, got {got}")]
    Part { what: &'static str, rank: usize, expected: String, got: String },

    #[error(
        "{} x {} blocks: {}, so ranks take strips of whole rows: 1x{}",
        columns,
        rows,
        if *coupled { "the ends of rows are coupled" } else { "the last row is shorter" },
        columns * rows
    )]
    Strips { columns: usize, rows: usize, coupled: bool },

    #[error(
        "{columns} x {rows} ranks are more than the grid has blocks of {} x {} numbers: at most {} x {}; use fewer ranks",
        unit[0], unit[1], most[0], most[1]
    )]
    TooManyRanks { columns: usize, rows: usize, most: [u32; 2], unit: [u32; 2] },

    #[error("{ranks} ranks are more than the grid has slices along z, {slices}: use fewer ranks")]
    TooManySlabs { ranks: usize, slices: usize },

    #[error(
        "a halo of {steps} steps is deeper than what rank {rank} owns, {owned} {axis}; use a halo of at most {owned}, or fewer ranks"
    )]
    DeepHalo { steps: usize, rank: usize, owned: usize, axis: &'static str },

    #[error("this process has {expected} ranks, got {got} contexts: each rank needs one")]
    Contexts { expected: usize, got: usize },

    #[error("a message from rank {from} to rank {to}: expected {expected}, got {got}")]
    Message { from: usize, to: usize, expected: String, got: String },

    #[error("this process has initialised MPI before, which a process can do once")]
    Joined,
}

failure!(Error: Grid(stream::Error, gl::Error, shader::Error, NoMemory), Jacobi, Operator, Multigrid, Kept; kinds {
    Error::Message { .. } | Error::Joined => Kind::Failed,
});

impl Error {
    pub(super) fn message(
        (from, to): (usize, usize),
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> Error {
        Error::Message { from, to, expected: expected.into(), got: got.into() }
    }
}

impl From<Error> for solve::Error {
    fn from(error: Error) -> solve::Error {
        match error {
            Error::Operator(error) => error.into(),
            Error::Grid(error) => error.into(),
            Error::Multigrid(error) => error.into(),
            error => solve::Error::Space(error.into()),
        }
    }
}
