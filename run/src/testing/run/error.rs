//! The reasons why a test allows no statement about the shader.

use quadrille::error::Kind;
use quadrille::internal::failure;

use crate::testing::file;

/// The reason why a test allows no statement about the shader.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The description of the test is wrong.
    #[error(transparent)]
    File(#[from] file::Error),
    /// The shader, the inputs and the uniforms do not fit together.
    #[error(transparent)]
    Experiment(#[from] crate::Error),
}

failure!(Error: File, Experiment);

impl Error {
    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::File(error) => error.kind(),
            Error::Experiment(error) => error.kind(),
        }
    }
}
