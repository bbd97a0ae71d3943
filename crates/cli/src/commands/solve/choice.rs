//! Options of the solver that contradict each other.

use quadrille::linalg::solve::Error;

use crate::prelude::*;

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
