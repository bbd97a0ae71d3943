//! The errors of the command itself, and the exit code of each kind of error.

use quadrille::error::Kind;

/// An error that the command itself finds. The library and the lab have their own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{text}")]
    Input { text: String },
    #[error("{text}")]
    NoDevice { text: String },
    #[error("{text}")]
    Work { text: String },
    #[error("{text}")]
    Stopped { text: String },
}

/// An argument that describes an input wrongly.
impl From<quadrille_run::Error> for Failure {
    fn from(error: quadrille_run::Error) -> Failure {
        Failure::Input { text: error.to_string() }
    }
}

/// A wrap mode or a filter that there is not.
impl From<quadrille::gl::Error> for Failure {
    fn from(error: quadrille::gl::Error) -> Failure {
        Failure::Input { text: error.to_string() }
    }
}

impl Failure {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Failure::Input { .. } => Kind::Input,
            Failure::NoDevice { .. } => Kind::NoDevice,
            Failure::Work { .. } => Kind::Failed,
            Failure::Stopped { .. } => Kind::Cancelled,
        }
    }
}

/// 1 for work that failed; 2 for invalid arguments or input, including problems too large for the
/// device; 130 for Ctrl-C.
pub(crate) fn exit_code_of(kind: Kind) -> u8 {
    match kind {
        Kind::Failed | Kind::ContextLost | Kind::Driver => 1,
        Kind::Cancelled => 130,
        _ => 2,
    }
}
