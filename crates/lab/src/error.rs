//! The errors of measurements.

pub use quadrille::Error;
use quadrille::Kind;
use quadrille::testing::Comparison;

/// The result of a measurement.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a measurement has no result, besides the errors of the library.
#[derive(Debug, thiserror::Error)]
pub enum MeasurementError {
    #[error("the library gemm multiplies only float, not {got}")]
    Library { got: &'static str },
    #[error("this build has no host solvers, and `{method}` is one")]
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
    #[error("the tuned choice `{choice}` was not used: `{got}` ran")]
    Choice { choice: String, got: String },
    #[error("{what}: wrong result: the error {error:.1e} exceeds the rounding bound")]
    Wrong { what: String, error: f64 },
}

/// A wrong result is an error: its times would be times of something else.
pub fn must_be_right(what: &str, comparison: Comparison) -> Result<()> {
    match comparison.is_right() {
        true => Ok(()),
        false => {
            Err(MeasurementError::Wrong { what: what.to_owned(), error: comparison.max_error }
                .into())
        }
    }
}

quadrille::internal::failure!(MeasurementError; kinds {
    MeasurementError::Library { .. } | MeasurementError::Choice { .. } => Kind::Unsupported,
    MeasurementError::NoHostSolvers { .. } | MeasurementError::NoReports { .. } => Kind::Unsupported,
    _ => Kind::Failed,
});

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
