//! The errors of matrices, stencils, vectors and fields, by subject.

mod array;
pub(crate) mod bands;
mod entries;
mod stencil;

use super::MAX_UNKNOWNS;
use crate::NoMemory;
use crate::error::failure;

pub use array::ArrayError;
pub use bands::BandError;
pub use entries::EntryError;
pub use stencil::StencilError;

/// An error of the data of a matrix or a field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The matrix has no row.
    #[error("expected a matrix of at least one row, got bands of length 0")]
    Empty,
    /// A matrix with more unknowns, or a wider grid, than quadrille indexes.
    #[error(
        "{what} is {got}, the most is {MAX_UNKNOWNS} (2^30), far above what one texture holds: use a smaller system, or parts of it"
    )]
    TooLarge {
        /// The number that is too large.
        what: &'static str,
        /// The value of that number; saturated where it does not fit.
        got: usize,
    },
    /// The host has no memory for the numbers.
    #[error(transparent)]
    NoMemory(#[from] NoMemory),
    /// An error of a matrix with nine diagonals, or of a block of its grid.
    #[error(transparent)]
    Bands(#[from] BandError),
    /// An error of the entries of a matrix by rows, or on a grid of three dimensions.
    #[error(transparent)]
    Entries(#[from] EntryError),
    /// An error of the text of a stencil, or of coefficients of diffusion.
    #[error(transparent)]
    Stencil(#[from] StencilError),
    /// An error of the numbers of a dense matrix, a field or a histogram.
    #[error(transparent)]
    Array(#[from] ArrayError),
}

failure!(Error: NoMemory, Bands, Entries, Stencil, Array);
