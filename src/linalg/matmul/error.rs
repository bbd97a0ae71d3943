//! The errors of the matrix multiply.

use std::ops::Range;

use crate::data::Number;
use crate::error::{Kind, UnknownName, a_matrix, failure};
use crate::{NoMemory, Shape, data, gl, shader, stream};

use super::options::MAX_UNROLL;
use super::{Cell, Method, Tile};

mod detail;

pub use detail::{Dimension, Remedy, Request, Requirement};

/// The result of what multiplies matrices.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the matrix multiply.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Data(#[from] data::Error),

    #[error(transparent)]
    Unknown(#[from] UnknownName),

    #[error("invalid {what} `{got}`: expected {expected}")]
    Invalid { what: &'static str, got: String, expected: &'static str },

    #[error("the option `{option}` is given twice in `{text}`")]
    Twice { option: &'static str, text: String },

    #[error("compute-blocked has no tile of {got}: expected one of: {}", list(expected))]
    UnknownTile { got: Tile, expected: Vec<Tile> },

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

    #[error(
        "rows {} to {} of {} cannot be read to a slice of {got} elements: expected rows of the matrix, and a slice with as many elements as they have",
        rows.start, rows.end, a_matrix(of)
    )]
    Rows { rows: Range<usize>, of: Shape, got: usize },

    #[error("a batch of {expected} products needs as many matrices {what}, not {got}")]
    BatchLength { what: &'static str, expected: usize, got: usize },

    #[error(
        "matrix {index} of the batch's {what} is {}, but this batch multiplies matrices {what} of {} x {}",
        a_matrix(got), expected.rows, expected.cols
    )]
    BatchOperand { what: &'static str, index: usize, expected: Shape, got: Shape },

    #[error(
        "a check supports sums of up to 2^24 floats, but these have {terms} terms; multiply in parts, or omit the check"
    )]
    TooLongToCheck { terms: usize },

    #[error("there is nothing to multiply: call `load` or `load_from` before `run`")]
    NotLoaded,

    #[error("the loaded matrices have not been multiplied: call `run` before `read` or `write_to`")]
    NotRun,

    #[error("method {method} has no {option}; it is an option of {}", list(those))]
    Option { method: Method, option: &'static str, those: Vec<Method> },

    #[error(
        "method {method} multiplies only float, not {got}; these multiply {got}: {}",
        list(those)
    )]
    Type { method: Method, got: &'static str, those: Vec<Method> },

    #[error(
        "the tile {tile} does not divide {dimension}, which has {size}: a tile that is named must fit exactly. \
         Leave the tile out, or name one that divides it"
    )]
    Tile { tile: Tile, dimension: Dimension, size: usize },

    #[error(
        "{method}: the tile {tile} (wide x high) is not made of whole fragments, each of {cols}x{rows} \
         elements of C"
    )]
    TileOfFragments { method: Method, tile: Tile, rows: usize, cols: usize },

    #[error(
        "{method}: the tile {tile} (wide x high) is lower than wide: its {0} rows of invocations cannot load the {1} rows \
         of B that it needs. Name {0}x{0} or {1}x{1}", tile.height, tile.width
    )]
    TileTooLow { method: Method, tile: Tile },

    #[error("{method}: a texel of an operand holds {expected}, not {cell}")]
    Cell { method: Method, cell: Cell, expected: &'static str },

    #[error("{method}: `order` is the order of tiles, so it needs `tile`")]
    OrderWithoutTile { method: Method },

    #[error("{method}: C is drawn as a whole or as tiles: name a cover or a tile, not both")]
    CoverAndTile { method: Method },

    #[error("{method}: unroll must be 1 to {MAX_UNROLL}, not {got}")]
    Unroll { method: Method, got: u32 },

    #[error("{method}: passes must be at least 1")]
    NoPasses { method: Method },

    #[error("{method}: a split must have at least 1 part")]
    NoParts { method: Method },

    #[error("{method}: {request} exceeds this device's limit of {limit}; {remedy}")]
    Limit { method: Method, request: Request, limit: u64, remedy: Remedy },

    #[error(
        "{method} needs {lacks}, which this context ({device}) lacks; it can run: {}",
        list(can)
    )]
    Unsupported { method: Method, lacks: Requirement, device: String, can: Vec<Method> },
}

fn list(items: &[impl std::fmt::Display]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Error {
    /// Creates the error of a method that does not multiply this type.
    pub(super) fn not_for<T: Number>(method: Method) -> Error {
        let those = Method::ALL.into_iter().filter(|method| method.takes_integers()).collect();
        Error::Type { method, got: T::NAME, those }
    }
}

failure!(Error: Stream(gl::Error, shader::Error, NoMemory), Data, Unknown; kinds {
    Error::Limit { .. } => Kind::Limit,
    Error::Unsupported { .. } => Kind::Unsupported,
});

impl Error {
    /// Returns whether smaller blocks of the product may be within the limit that this is about. A
    /// work group is not made of them.
    pub(super) fn has_smaller_blocks(&self) -> bool {
        match self {
            Error::Limit { request, .. } => !matches!(
                request,
                Request::GroupSide { .. } | Request::Group { .. } | Request::SharedMemory { .. }
            ),
            error => matches!(error.kind(), Kind::Limit | Kind::OutOfMemory),
        }
    }
}
