//! What can go wrong with a function.

use crate::NoMemory;
use crate::error::{Classified, Kind, Place};
use crate::shader::{self, Excerpt};
use crate::{gl, stream};

use super::program::AssemblyError;
use super::{Engine, Semantics};

/// An error of the vector machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Assembly(#[from] AssemblyError),

    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error("{function} is a function {semantics}: it takes {} vector(s), not {got}", semantics.vectors())]
    Arity { function: String, semantics: Semantics, got: usize },

    #[error(
        "{function} is a function {semantics}: it gives a {}, not a {}",
        if semantics.is_to_scalar() { "scalar (`total`)" } else { "vector (`apply`)" },
        if semantics.is_to_scalar() { "vector" } else { "scalar" }
    )]
    Result { function: String, semantics: Semantics },

    #[error(
        "{function}: {which} has {got} numbers and the first vector has {expected}; all must have as many"
    )]
    Length { function: String, which: String, expected: usize, got: usize },

    #[error(
        "{function}: {length} numbers do not fill the last invocation, which takes {elements}: say with \
         `set_padding` (`--padding` in the command) which number stands for those that are missing \
         (0 for a sum of products), or give a multiple of {elements}"
    )]
    Padding { function: String, length: usize, elements: usize },

    #[error(
        "{function}: a device takes vectors of up to 2147483647 numbers, and these have {length}: \
         split them"
    )]
    TooLong { function: String, length: usize },

    #[error("{function} has no constant c[{register}]: {has}")]
    Constant { function: String, register: usize, has: String },

    #[error(
        "{function} never writes o[1] (o[COL0]), where the framework expects its result: \
         end it with `MOV o[1], R0;` or the like"
    )]
    NoResult { function: String },

    #[error(
        "{place}: a function {semantics} has v[1] to v[{}], and this reads v[{input}]: give it more vectors, \
         or read what it has\n{excerpt}",
        semantics.inputs()
    )]
    NoInput { input: u8, semantics: Semantics, place: Place, excerpt: Box<Excerpt> },

    #[error(
        "{function} does not define `void program()`, which reads v[1], c[11] and the like, and writes \
         o[1]"
    )]
    NoProgram { function: String },

    #[error(
        "{function} says `discard`, and a function of a vector computes every element: write a number instead"
    )]
    Discards { function: String },

    #[error(
        "{function}: this device ({device}) ends all loops of an invocation after {budget} iterations in all, and \
         {invocations} of the invocations reached that: their results would be wrong. Make the loops shorter, or use \
         another device"
    )]
    LoopsEnded { function: String, device: String, budget: u32, invocations: usize },

    #[error("{wish} takes a device: the {engine} has none. Make the machine with a context")]
    NoDevice { wish: String, engine: Engine },

    #[error("unknown {what} `{name}`; there is: {has}")]
    Unknown { what: &'static str, name: String, has: String },
}

impl Error {
    /// Whether the driver said that it has no memory left.
    pub(super) fn is_out_of_memory(&self) -> bool {
        self.kind() == Kind::OutOfMemory
    }
}

impl From<gl::Error> for Error {
    fn from(error: gl::Error) -> Error {
        Error::Stream(error.into())
    }
}

impl From<shader::Error> for Error {
    fn from(error: shader::Error) -> Error {
        Error::Stream(error.into())
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
            Error::NoDevice { .. } => Kind::Unsupported,
            Error::TooLong { .. } | Error::LoopsEnded { .. } => Kind::Limit,
            _ => Kind::Input,
        }
    }

    fn place(&self) -> Option<&Place> {
        match self {
            Error::Assembly(error) => error.place(),
            Error::Stream(error) => error.place(),
            Error::NoInput { place, .. } => Some(place),
            _ => None,
        }
    }
}
