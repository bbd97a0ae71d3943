//! What can go wrong in a multiplication.

use crate::NoMemory;
use crate::Shape;
use crate::data::Number;
use crate::error::{Kind, Place, a_matrix};
use crate::{data, stream};

use super::{Method, Tile};

/// An error of the matrix multiply.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Data(#[from] data::Error),

    #[error("unknown {what} `{name}`; there is: {has}")]
    Unknown { what: &'static str, name: String, has: String },

    #[error("the option `{option}` is given twice in `{text}`")]
    Twice { option: String, text: String },

    #[error(
        "the inner dimensions differ: A is {} and B is {}; A needs as many columns as B has rows",
        a_matrix(a),
        a_matrix(b)
    )]
    Inner { a: Shape, b: Shape },

    #[error(
        "{what} is {}, but this multiplication was made for {}",
        a_matrix(got),
        a_matrix(expected)
    )]
    Operand { what: &'static str, expected: Shape, got: Shape },

    #[error("there is nothing to multiply: call `load` or `load_from` before `run`")]
    NotLoaded,

    #[error("there is no product of what is loaded: call `run` before `read` or `write_to`")]
    NotRun,

    #[error("method {method} has no {option}; it is an option of {those}")]
    Option { method: Method, option: &'static str, those: String },

    #[error("method {method} multiplies float alone, not {got}; {those} take {got} too")]
    Type { method: Method, got: &'static str, those: String },

    #[error(
        "the tile {tile} does not divide {what}, which has {size}: a tile that is named must fit exactly. \
         Leave the tile out, or name one that divides it"
    )]
    Tile { tile: Tile, what: String, size: usize },

    #[error("{method}: {wish} exceeds this device's limit of {limit}; {way_out}")]
    Limit { method: Method, wish: String, limit: u64, way_out: String },

    #[error("{method} needs {lacks}, which this context ({device}) lacks; it can run: {can}")]
    Unsupported { method: Method, lacks: String, device: String, can: String },

    #[error("{method}: {text}")]
    Bad { method: Method, text: String },
}

impl Error {
    /// A method that does not multiply this type.
    pub(super) fn not_for<T: Number>(method: Method) -> Error {
        let those = Method::ALL.iter().filter(|method| method.takes_integers());
        let those: Vec<&str> = those.map(|method| method.name()).collect();
        Error::Type { method, got: T::NAME, those: those.join(", ") }
    }
}

impl From<crate::gl::Error> for Error {
    fn from(error: crate::gl::Error) -> Error {
        Error::Stream(error.into())
    }
}

impl From<crate::shader::Error> for Error {
    fn from(error: crate::shader::Error) -> Error {
        Error::Stream(error.into())
    }
}

impl From<NoMemory> for Error {
    fn from(error: NoMemory) -> Error {
        Error::Stream(error.into())
    }
}

impl Error {
    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Stream(error) => error.kind(),
            Error::Data(error) => error.kind(),
            Error::Limit { .. } => Kind::Limit,
            Error::Unsupported { .. } => Kind::Unsupported,
            _ => Kind::Input,
        }
    }

    /// Returns the position in the user's files, if the error is about one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Stream(error) => error.place(),
            _ => None,
        }
    }
}
