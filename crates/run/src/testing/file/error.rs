//! The errors in the description of a test.

use crate::io::description;
use quadrille::error::Place;
use quadrille::internal::failure;

/// An error in a file `*.test.toml`. The text begins with the place in the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Description(#[from] description::Error),

    #[error("{place}: `{key}` sets a tolerance, and `{claim}` needs none: leave it out")]
    NoneNeeded { place: Place, key: String, claim: &'static str },

    #[error(
        "{place}: output `{output}` has floats and no tolerance: expected `exact = true`, `ulp`, or `absolute` or \
         `relative` or both"
    )]
    NoTolerance { place: Place, output: String },

    #[error(
        "{place}: the test expects nothing: expected a table `[expect.OUTPUT]` for an output of the shader"
    )]
    NoExpectation { place: Place },
}

failure!(Error: Description; places {
    Error::NoneNeeded { place, .. } | Error::NoTolerance { place, .. } | Error::NoExpectation { place } => Some(place),
});
