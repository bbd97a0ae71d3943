//! The errors of measurements.

use quadrille::error::{Kind, Place};
use quadrille::internal::reference::Comparison;
use quadrille::{NoMemory, cluster, data, gl, io, linalg, sat, stream, vector_machine};

/// An error of a measurement: those of the library, and wrong results.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Jacobi(#[from] linalg::jacobi::Error),
    #[error(transparent)]
    Matmul(#[from] linalg::matmul::Error),
    #[error(transparent)]
    Solve(#[from] linalg::solve::Error),
    #[error(transparent)]
    Vector(#[from] vector_machine::Error),
    #[error(transparent)]
    Cluster(#[from] cluster::Error),
    #[error(transparent)]
    Product(#[from] cluster::matmul::Error),
    #[error(transparent)]
    Stream(#[from] stream::Error),
    #[error(transparent)]
    Sat(Box<sat::Error>),
    #[error(transparent)]
    Data(#[from] data::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the library gemm multiplies only float, not {got}")]
    Library { got: &'static str },
    #[error("this build has no solvers of the host, and `{method}` is one")]
    NoHostSolvers { method: &'static str },
    #[error("this build has no reports, and {what} needs them")]
    NoReports { what: &'static str },
    #[error("{reason}")]
    HostSolver { reason: String },
    #[error("{method} did not solve {system} in every repetition, so it has no time")]
    NotSolved { method: &'static str, system: String },
    #[error("cannot draw the figure: {reason}")]
    Figure { reason: String },
    #[error("cannot write the numbers as CSV")]
    Csv(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the tuned choice `{choice}` is not taken: `{got}` runs")]
    Choice { choice: String, got: String },
    #[error("{what}: wrong result: the error {error:.1e} exceeds the bound of rounding")]
    Wrong { what: String, error: f64 },
}

/// A wrong result is an error: its times would be times of something else.
pub(super) fn must_be_right(what: &str, comparison: Comparison) -> Result<(), Error> {
    match comparison.is_right() {
        true => Ok(()),
        false => Err(Error::Wrong { what: what.to_owned(), error: comparison.max_error }),
    }
}

/// Errors that others of the library take in.
macro_rules! taken_in {
    ($($From:ty => $Variant:ident),* $(,)?) => {
        $(impl From<$From> for Error {
            fn from(error: $From) -> Error {
                Error::$Variant(error.into())
            }
        })*
    };
}

taken_in!(
    NoMemory => Data,
    sat::Error => Sat,
    gl::Error => Stream,
    quadrille::shader::Error => Stream,
    vector_machine::AssemblyError => Vector,
);

impl Error {
    pub fn kind(&self) -> Kind {
        match self {
            Error::Jacobi(error) => error.kind(),
            Error::Matmul(error) => error.kind(),
            Error::Solve(error) => error.kind(),
            Error::Vector(error) => error.kind(),
            Error::Cluster(error) => error.kind(),
            Error::Product(error) => error.kind(),
            Error::Stream(error) => error.kind(),
            Error::Sat(error) => error.kind(),
            Error::Data(error) => error.kind(),
            Error::Io(error) => error.kind(),
            Error::Library { .. }
            | Error::Choice { .. }
            | Error::NoHostSolvers { .. }
            | Error::NoReports { .. } => Kind::Unsupported,
            Error::HostSolver { .. }
            | Error::NotSolved { .. }
            | Error::Wrong { .. }
            | Error::Figure { .. }
            | Error::Csv(_) => Kind::Failed,
        }
    }

    /// Returns the position in the user's files, if the error is about one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Jacobi(error) => error.place(),
            Error::Matmul(error) => error.place(),
            Error::Solve(error) => error.place(),
            Error::Vector(error) => error.place(),
            Error::Stream(error) => error.place(),
            Error::Sat(error) => error.place(),
            Error::Io(error) => error.place(),
            Error::Data(_)
            | Error::Cluster(_)
            | Error::Product(_)
            | Error::Library { .. }
            | Error::Choice { .. }
            | Error::NoHostSolvers { .. }
            | Error::NoReports { .. }
            | Error::HostSolver { .. }
            | Error::NotSolved { .. }
            | Error::Wrong { .. }
            | Error::Figure { .. }
            | Error::Csv(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounding_does_not_explain_is_an_error_that_names_it() {
        let judge = |got, bound| must_be_right("a sum", Comparison::of_number(got, 1.0, bound));
        assert!(judge(1.0005, 1e-3).is_ok());
        for (got, bound) in [(1.002, 1e-3), (f64::NAN, 1e-3), (1.0, f64::INFINITY)] {
            let error = judge(got, bound).map_err(|error| error.to_string());
            assert!(error.is_err_and(|text| text.starts_with("a sum: wrong result")), "{got}");
        }
    }
}
