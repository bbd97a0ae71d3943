//! The options of the solver, from the arguments.

use quadrille::linalg::multigrid::{self, CoarsenAlong, Smoother};
use quadrille::linalg::solve::{Error, NamedMethod, Options, OrAuto, Precision, Preconditioner};

use crate::prelude::*;

#[derive(Args)]
pub(super) struct Choice {
    /// The method
    ///
    ///   auto      cg for a symmetric matrix with a positive diagonal, else bicgstab; with multigrid where it serves
    ///   cg        conjugate gradients, for symmetric positive definite matrices
    ///   bicgstab  the stabilised biconjugate gradients of van der Vorst, for any matrix
    ///   jacobi    Jacobi's iteration
    ///   multigrid multigrid cycles, repeated
    ///   mgcg      cg with the preconditioner multigrid
    ///   fft       a direct solution by sines and cosines, for constant coefficients that are symmetric in x and in y
    #[arg(long, value_name = "METHOD", default_value = "auto", help_heading = "Computation")]
    #[arg(verbatim_doc_comment)]
    method: NamedMethod,

    /// The preconditioner
    ///
    ///   auto       jacobi, and none if the diagonal has a zero; with the method auto multigrid, for a grid of 32 768 unknowns or
    ///              more whose matrix is not dominated by its diagonal, and jacobi if that does not converge
    ///   none       none
    ///   jacobi     division by the diagonal
    ///   chebyshev  a polynomial of the matrix over its diagonal, for matrices that are symmetric or nearly so
    ///   multigrid  a multigrid cycle, for matrices of grids: few iterations at any size
    #[arg(
        long,
        value_name = "PRECONDITIONER",
        default_value = "auto",
        help_heading = "Computation"
    )]
    #[arg(verbatim_doc_comment)]
    preconditioner: OrAuto<Preconditioner>,

    /// The smoother of multigrid
    ///
    ///   auto          jacobi, and line-jacobi on levels where many points are coupled much more strongly
    ///                 along one axis, some along rows and others along columns
    ///   jacobi        two damped sweeps of Jacobi's iteration
    ///   line-jacobi   a damped sweep of Jacobi's by rows and one by columns, each solved as a whole
    #[arg(long, value_name = "SMOOTHER", default_value = "auto", help_heading = "Computation")]
    #[arg(verbatim_doc_comment)]
    smoother: OrAuto<Smoother>,

    /// The axes along which multigrid's levels become coarser: strong (the one with stronger couplings) or both; auto takes both with
    /// line-jacobi
    #[arg(long, value_name = "AXES", default_value = "auto", help_heading = "Computation")]
    coarsen: OrAuto<CoarsenAlong>,

    /// Solve for the right-hand side without its mean, where the matrix takes constants to zero and no A x has one
    #[arg(long, help_heading = "Computation")]
    project: bool,

    /// The precision of x: mixed (64-bit floats, by steps in 32-bit floats) or single (32-bit floats)
    #[arg(long, value_name = "PRECISION", default_value = "mixed", help_heading = "Computation")]
    pub(super) precision: Precision,

    /// Stop when the 2-norm of b - A x is at most T times that of b
    #[arg(long, value_name = "T", default_value = "1e-8", help_heading = "Stopping")]
    pub(super) tolerance: f64,

    /// The maximum number of iterations
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Stopping")]
    iterations: u64,
}

impl Choice {
    pub(super) fn options(&self) -> anyhow::Result<Options> {
        let mut multigrid = multigrid::Options::new();
        (multigrid.smoother, multigrid.coarsen) = (self.smoother.0, self.coarsen.0);
        let options = Options::new()
            .precision(self.precision)
            .tolerance(self.tolerance)
            .iterations(self.iterations)
            .project(self.project);
        options.named(self.method, self.preconditioner.0, multigrid).map_err(refused)
    }
}

/// Words an error with the names of arguments.
pub(super) fn refused(error: Error) -> anyhow::Error {
    let text = match error {
        Error::TwoPreconditioners { method, preconditioner } => format!(
            "--method {method} always has the preconditioner multigrid, but --preconditioner {preconditioner} was given; leave one of them out"
        ),
        Error::NoPreconditioner { preconditioner } => format!(
            "--method fft has no preconditioner, but --preconditioner {preconditioner} was given; leave one of them out"
        ),
        Error::NotMultigrid { option } => format!(
            "--{} is for multigrid, which was not chosen for this system; add --preconditioner multigrid, or leave it out",
            option.replace('_', "-")
        ),
        other => return other.into(),
    };
    Failure::Input { text }.into()
}
