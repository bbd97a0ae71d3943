//! The errors of experiments.

#![allow(missing_docs)] // The text above each variant is its documentation.

mod input;
mod limit;
mod pass;
mod shader;
mod size;
mod state;
mod text;
pub(crate) mod unsuited;

use quadrille::NoMemory;
use quadrille::internal::failure;
use quadrille::{data, gl, stream};

pub use input::InputError;
pub use limit::LimitError;
pub use pass::PassError;
pub use shader::ShaderError;
pub use size::SizeError;
pub use state::StateError;
pub use unsuited::Unsuited;

/// The result of an experiment.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of an experiment: it cannot be made, or not be continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Data(#[from] data::Error),

    #[error(transparent)]
    Io(#[from] quadrille::io::Error),

    #[error(transparent)]
    Dialect(#[from] crate::dialect::Error),

    #[error(transparent)]
    Description(#[from] crate::io::description::Error),

    #[error(transparent)]
    Shader(#[from] ShaderError),

    #[error(transparent)]
    Input(#[from] InputError),

    #[error(transparent)]
    Pass(#[from] PassError),

    #[error(transparent)]
    Size(#[from] SizeError),

    #[error(transparent)]
    Limit(#[from] LimitError),

    #[error(transparent)]
    State(#[from] StateError),
}

failure!(Error: Stream(gl::Error, quadrille::shader::Error, NoMemory), Data(data::ArrayError), Io, Dialect, Description, Shader, Input, Pass, Size, Limit, State);
