//! The errors of the solver.

use super::{Method, NotConverged, Solution};
use crate::error::{Failure, Kind, failure};
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

    #[error(transparent)]
    NotConverged(#[from] NotConverged),

    #[error(transparent)]
    Side(#[from] SideError),

    #[error(
        "the solution does not fit in double precision: x at index {index} is {value:e}; scale the system"
    )]
    Overflow { index: usize, value: f64 },
}

/// An error with the name of the right-hand side that it is about, of several.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct SideError {
    pub name: String,
    pub error: Box<Error>,
}

impl Failure for SideError {
    fn kind(&self) -> Kind {
        self.error.kind()
    }

    fn inner(&self) -> Option<&dyn Failure> {
        Some(&*self.error)
    }
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

failure!(Error: Stream(gl::Error, NoMemory), Operator, Multigrid, Data(data::BandError), Space, NotConverged, Side; kinds {
    Error::Overflow { .. } => Kind::Failed,
});

impl Error {
    /// Returns the iterate with the least residual, if this is the error of an iteration that did not converge: for who
    /// can use that as well.
    ///
    /// ```
    /// use quadrille::data::Stencil;
    /// use quadrille::linalg::solve::{Error, Options, Solver};
    /// let matrix = "poisson5:30".parse::<Stencil>()?.matrix()?;
    /// let mut solver = Solver::on_host(&matrix, Options::new().iterations(5))?;
    /// assert!(matches!(solver.solve(&[1.0; 900]), Err(Error::NotConverged(_))));
    /// let near = solver.solve(&[1.0; 900]).or_else(Error::into_nearest)?;
    /// assert!(!near.converged() && near.residual > 1e-8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The error itself, if it is another.
    pub fn into_nearest(self) -> Result<Solution> {
        match self {
            Error::NotConverged(error) => Ok(*error.solution),
            error => Err(error),
        }
    }
}
