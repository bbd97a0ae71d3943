//! The errors of the solver.

use super::{Ending, Method, Precision};
use crate::error::{Kind, failure};
use crate::linalg::krylov::Breakdown;
use crate::linalg::{multigrid, nine_banded};
use crate::{NoMemory, data, gl, grid, stream};

/// The result of what solves systems.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the solver.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Operator(nine_banded::Error),

    #[error(transparent)]
    Multigrid(multigrid::Error),

    #[error(transparent)]
    Data(#[from] data::Error),

    /// An error of the space that the vectors are in.
    #[error(transparent)]
    Space(crate::Error),

    #[error("{what} has {got} numbers, but the matrix has {expected} unknowns")]
    Length { what: &'static str, expected: usize, got: usize },

    #[error("{what} holds {value} at index {index}; a system needs finite numbers")]
    NotFinite { what: &'static str, value: f64, index: usize },

    #[error(
        "the 2-norm of {what} is {value} in 32-bit floats; a system needs finite numbers, and sums of their squares"
    )]
    Norm { what: &'static str, value: f64 },

    #[error(
        "the solver was made on the host, by `Solver::on_host`; grids on a device need one that was made there, by `Solver::new`"
    )]
    OnHost,

    #[error(
        "a system needs as many equations as unknowns; the matrix has {rows} rows and {columns} columns"
    )]
    NotSquare { rows: usize, columns: usize },

    #[error(
        "multigrid needs the matrix of an operator on a grid, with nine diagonals, and this one is a general sparse matrix; choose \
         the preconditioner jacobi or chebyshev"
    )]
    NoGrid,

    #[error(
        "the residual of a matrix by rows, or with periodic sides, in double precision is computed on the host, but the device was asked \
         for; leave that open"
    )]
    NoDoubles,

    #[error(
        "multigrid on several ranks needs slabs of at least two slices along z; use fewer ranks, or another preconditioner"
    )]
    ThinSlabs,

    #[error(
        "ranks have slabs along z, whose ends the matrix couples: give the periodic axis another name than z, so that slabs are \
         cut along an axis that is not, or use one rank"
    )]
    PeriodicSlabs,

    #[error("the tolerance must be 0 or more and finite; got {tolerance}")]
    Tolerance { tolerance: f64 },

    #[error(
        "the method {method} always has the preconditioner multigrid, but {preconditioner} was set; leave one of them out"
    )]
    TwoPreconditioners { method: &'static str, preconditioner: &'static str },

    #[error(
        "the method fft has no preconditioner, but {preconditioner} was set; leave one of them out"
    )]
    NoPreconditioner { preconditioner: &'static str },

    #[error(
        "{method} needs a matrix of nine bands or by rows, and the sides of this one are periodic; solve by the method fft, or write \
         the matrix by its rows and solve that"
    )]
    Periodic { method: &'static str },

    #[error(
        "the method fft needs an operator with the same couplings at every point of a grid, and this is a general sparse matrix by rows; \
         make it from a stencil, or leave the method open"
    )]
    NotConstant,

    #[error(
        "the method fft is for grids of two dimensions, and this one has three; leave the method open"
    )]
    FftInSpace,

    #[error(
        "the matrix is singular: mode {} along x and {} along y (from 0) has the eigenvalue {value:e}, where the largest is \
         {largest:e}; transforms cannot divide by it", mode[0], mode[1]
    )]
    SingularMode { mode: [usize; 2], value: f64, largest: f64 },

    #[error(
        "no x solves this system: the matrix takes constants to zero, and the mean of the right-hand side is {mean:e}, {part:.3e} of its \
         2-norm, where the tolerance and rounding allow {limit:.3e}; the option `project` solves for the right-hand side without its \
         mean"
    )]
    Inconsistent { mean: f64, part: f64, limit: f64 },

    #[error("the method fft runs on one device, and there are several ranks; choose another")]
    NotOnRanks,

    #[error(
        "the method fft runs on a device, and the solver was asked for on the host; make it by `Solver::new`"
    )]
    NotOnHost,

    #[error(
        "the option `{option}` is for multigrid, which was not chosen for this system; choose the preconditioner multigrid, or leave \
         it out"
    )]
    NotMultigrid { option: &'static str },

    #[error(
        "row {row} has a zero on the diagonal (rows count from 0), by which the preconditioner `{preconditioner}` divides; \
         solve without a preconditioner, or reorder the equations"
    )]
    ZeroDiagonal { row: usize, preconditioner: &'static str },

    #[error(
        "{method} needs a symmetric matrix: the entry in row {row}, column {column} is {value:e}, and its mirror image \
         {mirrored:e} (both count from 0); bicgstab solves nonsymmetric systems"
    )]
    NotSymmetric { method: Method, row: usize, column: usize, value: f64, mirrored: f64 },

    #[error(
        "{method} needs a positive definite matrix: row {row} has {value:e} on the diagonal (rows count from 0); bicgstab \
         solves indefinite systems too"
    )]
    NotPositive { method: Method, row: usize, value: f64 },

    #[error("{}{}", unsolved(*ending, reached(*reached_at, *iterations, *residual, *tolerance), *residual, *precision), tried(*gave_up, *curvature))]
    Unsolved {
        ending: Ending,
        iterations: u64,
        /// The iterations after which the residual was reached.
        reached_at: u64,
        residual: f64,
        tolerance: f64,
        precision: Precision,
        /// The ending of multigrid, if it was tried first.
        gave_up: Option<Ending>,
        /// The p . A p by which conjugate gradients failed, if they were tried first.
        curvature: Option<f64>,
    },

    #[error(
        "the solution does not fit in double precision: x at index {index} is {value:e}; scale the system"
    )]
    Overflow { index: usize, value: f64 },
}

/// Below this a residual that falls no further is no sign of a singular matrix.
const SMALL: f64 = 1e-12;

/// Says how near the nearest x is.
fn reached(at: u64, iterations: u64, residual: f64, tolerance: f64) -> String {
    let of_b = format!("{residual:.3e} times the right-hand side, above {tolerance:.3e}");
    match at {
        0 if iterations > 0 => format!(
            "none of {iterations} iterations has a smaller residual than the first x: {of_b}"
        ),
        at if at < iterations => {
            format!("it was least after {at} of {iterations} iterations: {of_b}")
        }
        _ => format!("after {iterations} iterations the residual is {of_b}"),
    }
}

fn unsolved(ending: Ending, reached: String, residual: f64, precision: Precision) -> String {
    match ending {
        Ending::Breakdown(Breakdown::Curvature { value }) => format!(
            "p . A p is {value:.3e} for a direction p: the matrix is not positive definite, or so near to a singular one that it \
             is not when it is rounded to 32-bit floats; bicgstab needs no definiteness. {reached}"
        ),
        Ending::Breakdown(Breakdown::Orthogonal) => {
            format!(
                "the method breaks down, again after restarts: the matrix is singular, or so near to it that rounding to 32-bit \
                 floats is the cause. {reached}"
            )
        }
        Ending::Diverged => {
            format!(
                "the residual grows, again after restarts: the method does not converge for this matrix. {reached}"
            )
        }
        Ending::Stagnated if precision == Precision::Single => {
            format!("32-bit floats reduce the residual no further; mixed precision does. {reached}")
        }
        Ending::Stagnated if residual < SMALL => {
            format!(
                "the residual falls no further: rounding in double precision is all that is left of it. {reached}"
            )
        }
        Ending::Stagnated => format!(
            "the residual falls no further: rounding hides the rest, as where the matrix is singular or nearly so, or numbers are below \
             the normal ones of double precision. {reached}"
        ),
        _ => reached,
    }
}

fn tried(gave_up: Option<Ending>, curvature: Option<f64>) -> String {
    let multigrid = gave_up.map_or_else(String::new, |ending| {
        format!(
            "; the preconditioner multigrid was tried first and {ending}, then the preconditioner jacobi"
        )
    });
    let cg = curvature.map_or_else(String::new, |value| {
        format!(
            "; cg was tried first, and p . A p is {value:.3e} for a direction p, so that the matrix is not positive definite; then \
             bicgstab"
        )
    });
    multigrid + &cg
}

impl From<nine_banded::Error> for Error {
    fn from(error: nine_banded::Error) -> Error {
        match error {
            nine_banded::Error::Grid(grid::Error::Stream(error)) => Error::Stream(error),
            error => Error::Operator(error),
        }
    }
}

impl From<grid::Error> for Error {
    fn from(error: grid::Error) -> Error {
        nine_banded::Error::Grid(error).into()
    }
}

impl From<multigrid::Error> for Error {
    fn from(error: multigrid::Error) -> Error {
        match error {
            multigrid::Error::Operator(error) => error.into(),
            error => Error::Multigrid(error),
        }
    }
}

failure!(Error: Stream(gl::Error, NoMemory), Operator, Multigrid, Data(data::BandError), Space; kinds {
    Error::Unsolved { ending: Ending::Stopped, .. } => Kind::Cancelled,
    Error::Unsolved { .. } | Error::Overflow { .. } => Kind::Failed,
});
