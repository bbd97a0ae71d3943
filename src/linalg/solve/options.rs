//! The options of a solver.

pub(super) mod named_options;
pub(super) mod names;

use crate::error::named;
use crate::linalg::multigrid;

/// A method for linear systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Conjugate gradients, for symmetric positive definite matrices.
    Cg,
    /// BiCGSTAB, for any matrix.
    BiCgStab,
    /// Jacobi's iteration: with another preconditioner the stationary iteration with that.
    Jacobi,
    /// Multigrid cycles, repeated: the stationary iteration with multigrid.
    Multigrid,
    /// Sine, cosine and Hartley transforms, of a [constant
    /// operator](crate::data::ConstantOperator) on a rectangle: a direct method, whose steps in
    /// 32-bit floats are corrected by residuals in double precision. It has no preconditioner.
    Fft,
}

/// A preconditioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preconditioner {
    /// No preconditioner.
    Identity,
    /// The preconditioner divides by the diagonal.
    Jacobi,
    /// [Chebyshev's polynomial](crate::linalg::krylov::Chebyshev) of the matrix over its diagonal: for
    /// matrices that are symmetric or nearly so.
    Chebyshev,
    /// A [multigrid](crate::linalg::multigrid) cycle, for matrices of grids. The options about the
    /// matrix, and the order of colours, are set by the solver itself.
    Multigrid(multigrid::Options),
}

/// The choice of the preconditioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preconditioning {
    /// The solver chooses: where the method is open too, multigrid for a grid of 32 768 unknowns or
    /// more whose matrix is not dominated by its diagonal; if that does not converge, and in all
    /// other cases, Jacobi's. The options are those of multigrid where it is chosen; to set one
    /// where it is not is an error.
    Auto(multigrid::Options),
    /// The caller has chosen.
    Given(Preconditioner),
}

/// The precision of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Precision {
    /// Steps in 32-bit floats, corrected by residuals in double precision: the answer is of double
    /// precision.
    #[default]
    Mixed,
    /// Steps in 32-bit floats, from the first to the last.
    Single,
}

/// The place where residuals in double precision are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResidualOn {
    /// The host, by several threads.
    Host,
    /// The device, by compute shaders with doubles (OpenGL 4.3).
    Device,
}

/// The method and its parts, and when to stop. What is `None` is chosen for the matrix.
///
/// ```
/// use quadrille::linalg::multigrid::{self, Smoother};
/// use quadrille::linalg::solve::{Method, Options, Precision, Preconditioner};
/// let by_lines = multigrid::Options::new().smoother(Smoother::LineJacobi);
/// let multigrid = Preconditioner::Multigrid(by_lines);
/// let options = Options::new().method(Method::Cg).preconditioner(multigrid).tolerance(1e-12);
/// assert_eq!(options.precision, Precision::Mixed);
/// assert_eq!("cg".parse(), Ok(Method::Cg));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// The method; chosen by the symmetry of the matrix.
    pub method: Option<Method>,
    /// The preconditioner; chosen by the matrix.
    pub preconditioner: Preconditioning,
    /// The precision.
    pub precision: Precision,
    /// The 2-norm of b - A x over that of b to stop at: 1e-8 by default.
    pub tolerance: f64,
    /// The most steps of the method: 100 000 by default.
    pub iterations: u64,
    /// The steps between two looks at the residual; chosen by what a look costs.
    pub check_every: Option<u64>,
    /// The place where residuals in double precision are computed; the host computes the last one
    /// in any case. By default the device where it is hardware with doubles and room for them.
    pub residual_on: Option<ResidualOn>,
    /// Whether a right-hand side that has no solution because its mean is not zero, where the matrix
    /// takes constants to zero, is solved for without its mean. Else it is refused:
    /// [`Error::Inconsistent`](super::Error::Inconsistent).
    pub project: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: None,
            preconditioner: Preconditioning::Auto(multigrid::Options::new()),
            precision: Precision::Mixed,
            tolerance: 1e-8,
            iterations: 100_000,
            check_every: None,
            residual_on: None,
            project: false,
        }
    }
}

impl Options {
    /// Returns the defaults.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets the method.
    pub fn method(self, method: Method) -> Options {
        Options { method: Some(method), ..self }
    }

    /// Sets the preconditioner.
    pub fn preconditioner(self, preconditioner: Preconditioner) -> Options {
        Options { preconditioner: Preconditioning::Given(preconditioner), ..self }
    }

    /// Sets the precision.
    pub fn precision(self, precision: Precision) -> Options {
        Options { precision, ..self }
    }

    /// Sets the relative residual at which the solver stops.
    pub fn tolerance(self, tolerance: f64) -> Options {
        Options { tolerance, ..self }
    }

    /// Sets the greatest number of steps.
    pub fn iterations(self, iterations: u64) -> Options {
        Options { iterations, ..self }
    }

    /// Sets the number of steps between checks of the residual, which are sooner where the
    /// tolerance is near.
    pub fn check_every(self, steps: u64) -> Options {
        Options { check_every: Some(steps), ..self }
    }

    /// Sets the place where residuals in double precision are computed.
    pub fn residual_on(self, place: ResidualOn) -> Options {
        Options { residual_on: Some(place), ..self }
    }

    /// Sets whether right-hand sides lose a mean that no A x has.
    pub fn project(self, project: bool) -> Options {
        Options { project, ..self }
    }

    /// Returns whether they leave it open how to solve.
    pub(super) fn are_open(&self) -> bool {
        self.method.is_none() && matches!(self.preconditioner, Preconditioning::Auto(_))
    }
}

impl Preconditioner {
    /// All preconditioners, multigrid with its defaults.
    pub const ALL: [Preconditioner; 4] = [
        Preconditioner::Identity,
        Preconditioner::Jacobi,
        Preconditioner::Chebyshev,
        Preconditioner::Multigrid(multigrid::Options::new()),
    ];

    /// Returns the name as text.
    pub fn name(self) -> &'static str {
        match self {
            Preconditioner::Identity => "none",
            Preconditioner::Jacobi => "jacobi",
            Preconditioner::Chebyshev => "chebyshev",
            Preconditioner::Multigrid(_) => "multigrid",
        }
    }
}

named!(Preconditioner: "preconditioner");
named!(
    Method: "method" {
        Cg: "cg",
        BiCgStab: "bicgstab",
        Jacobi: "jacobi",
        Multigrid: "multigrid",
        Fft: "fft",
    },
    Precision: "precision" { Mixed: "mixed", Single: "single" },
    ResidualOn: "place of the residual" { Host: "host", Device: "device" },
);
