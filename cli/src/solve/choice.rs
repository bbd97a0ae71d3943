//! What to solve with, and when to stop.

use quadrille::linalg::multigrid::{CoarsenAlong, Cycle, Smoother};
use quadrille::linalg::solve::{Error, Options, Precision, Preconditioner};
use quadrille_lab::solve::{Asked, Contradiction, NamedMethod, OrAuto};

use super::super::prelude::*;

#[derive(Args)]
pub(super) struct Choice {
    /// The method
    ///
    ///   auto      cg for a symmetric matrix with a positive diagonal, else bicgstab; with multigrid where it serves
    ///   cg        conjugate gradients, for symmetric positive definite matrices
    ///   fcg       flexible conjugate gradients, for the same
    ///   bicgstab  the stabilised biconjugate gradients of van der Vorst, for any matrix
    ///   jacobi    Jacobi's iteration
    ///   multigrid multigrid cycles, repeated
    ///   mgcg      cg with the preconditioner multigrid
    #[arg(long, value_name = "METHOD", default_value = "auto", help_heading = "Computation")]
    #[arg(verbatim_doc_comment)]
    method: NamedMethod,

    /// The preconditioner
    ///
    ///   auto       jacobi, and none if the diagonal has a zero; with the method auto multigrid, for a grid of 32 768 unknowns or
    ///              more whose matrix is not dominated by its diagonal, and jacobi if that does not converge
    ///   none       none
    ///   jacobi     division by the diagonal
    ///   chebyshev  a polynomial of four terms in the matrix divided by its diagonal
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
    ///   gauss-seidel  a sweep of Gauss and Seidel's in four colours
    ///   line-jacobi   a damped sweep of Jacobi's by rows and one by columns, each solved as a whole;
    ///                 line-jacobi-x by rows alone, line-jacobi-y by columns alone
    ///   zebra         a sweep by even and by odd rows and one by columns; zebra-x, zebra-y
    #[arg(long, value_name = "SMOOTHER", default_value = "auto", help_heading = "Computation")]
    #[arg(verbatim_doc_comment)]
    smoother: OrAuto<Smoother>,

    /// The axes along which multigrid's levels become coarser: strong (the one with stronger couplings) or both; auto takes both with
    /// smoothers by lines
    #[arg(long, value_name = "AXES", default_value = "auto", help_heading = "Computation")]
    coarsen: OrAuto<CoarsenAlong>,

    /// The cycle of multigrid: v, w or f
    #[arg(long, value_name = "CYCLE", default_value = "v", help_heading = "Computation")]
    cycle: Cycle,

    /// Start multigrid from solutions of its coarser levels (full multigrid) instead of zero, in mixed precision
    #[arg(long, help_heading = "Computation")]
    full_start: bool,

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
    fn asked(&self) -> Asked {
        let Choice { method, preconditioner, smoother, coarsen, cycle, .. } = *self;
        let Choice { full_start, precision, tolerance, iterations, .. } = *self;
        Asked {
            method,
            preconditioner,
            smoother,
            coarsen,
            cycle,
            full_start,
            precision,
            tolerance,
            iterations,
        }
    }

    /// Refuses what is said of multigrid where that does not run.
    pub(super) fn must_be_used(&self, runs: bool) -> anyhow::Result<()> {
        Ok(self.asked().must_be_used(runs).map_err(refused)?)
    }

    pub(super) fn options(&self) -> anyhow::Result<Options> {
        let tolerance = self.tolerance;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Tolerance { tolerance }.into());
        }
        Ok(self.asked().options().map_err(refused)?)
    }
}

/// With the names of arguments.
fn refused(contradiction: Contradiction) -> Failure {
    let text = match contradiction {
        Contradiction::TwoPreconditioners { method, preconditioner } => format!(
            "--method {method} has the preconditioner multigrid, and --preconditioner {preconditioner} was given; leave one of them out"
        ),
        Contradiction::FullStart => {
            "--full-start needs --precision mixed, and single was given".into()
        }
        Contradiction::NotMultigrid { option } => format!(
            "--{option} is for multigrid, which was not chosen for this system; add --preconditioner multigrid, or leave it out"
        ),
        other => other.to_string(),
    };
    Failure::Input { text }
}
