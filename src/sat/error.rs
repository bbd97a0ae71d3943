//! What can go wrong in a search.

use crate::NoMemory;
use crate::data::{self, Cnf};
use crate::error::{Classified, Kind, Place};
use crate::reference::sat;
use crate::stream;
use crate::vector_machine;

/// An error of a search for a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Machine(#[from] vector_machine::Error),

    #[error(
        "the document's constants hold {most} variables and its clauses three literals; this formula has \
         {variables} variables and clauses of up to {longest}: take --engine fragment, whose assignment is in a \
         texture, or --engine host"
    )]
    Constants { variables: usize, longest: usize, most: usize },

    #[error(transparent)]
    Data(#[from] data::Error),

    #[error("{what} take a texture {wish} texels high, but this device's limit is {limit}; {fits}")]
    TooLarge { what: String, wish: usize, limit: u32, fits: String },

    #[error(
        "{clauses} clauses of up to {longest} literals take {iterations} loop iterations in a fragment, but \
         this device, which ends long loops early, is given {limit} at most; the search of one candidate on \
         the host takes any number"
    )]
    LongLoop { clauses: usize, longest: usize, iterations: u64, limit: u32 },

    #[error("the noise is a chance, from 0 to 1; got {noise}")]
    Noise { noise: f64 },

    #[error("expected 1 to {most} candidates, got {got}")]
    Candidates { got: usize, most: usize },

    #[error("unknown {what} `{name}`; there is: {has}")]
    Unknown { what: &'static str, name: String, has: String },

    #[error(
        "{device} calls an assignment a model that does not satisfy clause {clause} (clauses count \
         from 0): its arithmetic is wrong. `quadrille doctor` may say more; another device (--device) \
         or the host is the way out"
    )]
    WrongModel { clause: usize, device: String },
}

impl Error {
    /// Blames who called an assignment a model.
    pub(super) fn wrong_model(cnf: &Cnf, assignment: &[bool], device: &str) -> Error {
        let clause = sat::first_unsatisfied(cnf, assignment).unwrap_or_default();
        Error::WrongModel { clause, device: device.to_owned() }
    }
}

impl From<crate::gl::Error> for Error {
    fn from(error: crate::gl::Error) -> Error {
        Error::Stream(error.into())
    }
}

impl From<vector_machine::AssemblyError> for Error {
    fn from(error: vector_machine::AssemblyError) -> Error {
        Error::Machine(error.into())
    }
}

impl From<NoMemory> for Error {
    fn from(error: NoMemory) -> Error {
        Error::Stream(error.into())
    }
}

impl Classified for Error {
    fn kind(&self) -> Kind {
        match self {
            Error::Stream(error) => error.kind(),
            Error::Machine(error) => error.kind(),
            Error::Data(error) => error.kind(),
            Error::TooLarge { .. } | Error::LongLoop { .. } => Kind::Limit,
            Error::WrongModel { .. } => Kind::Failed,
            _ => Kind::Input,
        }
    }

    fn place(&self) -> Option<&Place> {
        match self {
            Error::Stream(error) => error.place(),
            Error::Machine(error) => error.place(),
            _ => None,
        }
    }
}
