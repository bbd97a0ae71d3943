//! The errors of the solver.

use crate::error::{Kind, failure};
use crate::{NoMemory, gl, shader, stream};

use super::{Layout, Optimization};

/// The result of what solves by Jacobi iteration.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the Jacobi solver.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(
        "stage {optimization} cannot read texels by {reads}; leave the reads open, or name another stage"
    )]
    Reads { optimization: Optimization, reads: crate::shader::Reads },

    #[error("the tolerance 0 runs a fixed number of iterations: set `iterations`")]
    NoEnd,

    #[error("layout {layout} solves {expected} systems at once; got {got}")]
    Systems { layout: Layout, expected: usize, got: usize },

    #[error(
        "the systems must be alike: the first has {n} unknowns in rows of {m}, \
         system {which} has {other_n} in rows of {other_m}"
    )]
    Unlike { which: usize, n: usize, m: usize, other_n: usize, other_m: usize },

    #[error(
        "row {row} has a zero on the diagonal (rows count from 0); Jacobi divides by it. \
         Reorder the equations so that no diagonal is zero"
    )]
    ZeroDiagonal { row: usize },

    #[error(
        "row {row} has {value:e} on the diagonal (rows count from 0); it and its reciprocal must be \
         within 32-bit floats of full precision. Scale the system"
    )]
    Diagonal { row: usize, value: f32 },

    #[error("{what} has {got} numbers, but the matrix has {expected} unknowns")]
    Length { what: &'static str, expected: usize, got: usize },

    #[error("{what} holds {value} at index {index}; Jacobi needs finite numbers")]
    NotFinite { what: &'static str, value: f32, index: usize },

    #[error(
        "unknowns at the ends of rows are coupled, so rows of {m} cannot be cut: layout {layout} needs textures that are \
         {wide} texels wide, but this device's limit is {limit}; red fits rows of up to {limit}, layout {layout} of up to \
         {longest_row}"
    )]
    TooLarge {
        m: usize,
        wide: usize,
        limit: u32,
        layout: Layout,
        /// The unknowns of the longest row that this layout can have on the device.
        longest_row: usize,
    },

    #[error(
        "the generic and reciprocal stages find neighbours by floor(i / {m}) in 32-bit floats, \
         which is wrong for {wrong} texels of {n} unknowns on this device; \
         use the stage boundary or neighbours, which need no division"
    )]
    FloorInexact { n: usize, m: usize, wrong: usize },

    #[error(
        "the solution does not fit in 32-bit floats: x at index {index} is {value:.3e}, beyond the largest \
         float of 3.4e38. Scale the system: with a right-hand side {factor:e} times as large, x is {factor:e} \
         times as large too"
    )]
    Overflow { index: usize, value: f64, factor: f64 },

    #[error("the tolerance must be 0 or more and finite; got {tolerance}")]
    Tolerance { tolerance: f64 },

    #[error(
        "Jacobi diverges: at iteration {iteration} the residual is {residual:.3e} times the \
         right-hand side{}. {}",
        best.map_or(String::new(), |best| format!(", after {best:.3e} at its best")),
        why(*not_dominant)
    )]
    Diverged {
        iteration: u64,
        residual: f64,
        best: Option<f64>,
        /// The first row that is not diagonally dominant, from 0.
        not_dominant: Option<usize>,
    },
}

fn why(not_dominant: Option<usize>) -> String {
    match not_dominant {
        Some(row) => format!(
            "Row {row} (rows count from 0) is not diagonally dominant, so convergence is not \
             promised; use a solver that does not need it, such as \
             linalg::solve (`quadrille solve`)"
        ),
        None => "Every row is diagonally dominant, so the numbers themselves are at fault: \
                 they overflow 32-bit floats, or their sizes differ too much; scale the system"
            .into(),
    }
}

failure!(Error: Stream(gl::Error, shader::Error, NoMemory); kinds {
    Error::TooLarge { .. } | Error::FloorInexact { .. } => Kind::Limit,
    Error::Diverged { .. } | Error::Overflow { .. } => Kind::Failed,
});
