//! The errors of products over several ranks.

use crate::data::Block;
use crate::error::{Kind, a_matrix, failure};
use crate::{NoMemory, Shape, cluster, data, gl, stream};

use crate::linalg::matmul;

/// The result of what multiplies matrices on several ranks.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a product over several ranks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Cluster(#[from] cluster::Error),

    #[error(transparent)]
    Product(#[from] matmul::Error),

    #[error(
        "the inner dimensions differ: A is {} and B is {}; A needs as many columns as B has rows",
        a_matrix(a),
        a_matrix(b)
    )]
    Inner { a: Shape, b: Shape },

    #[error("{columns} x {rows} ranks are {}, but there are {ranks}", columns * rows)]
    Grid { columns: usize, rows: usize, ranks: usize },

    #[error("this process has {expected} ranks, but {got} were given")]
    Local { expected: usize, got: usize },

    #[error(
        "{ranks} ranks {} cannot share the {side} {what}s of C: each rank needs one; use at most {side} {what}s of ranks",
        if *what == "row" { "below each other" } else { "beside each other" }
    )]
    TooManyRanks { what: &'static str, side: usize, ranks: usize },

    #[error("a panel must be at least 1 wide")]
    NoWidth,

    #[error(
        "the product needs {least} bytes of {of} at least, in panels {width} wide, but {limit} may be taken; \
         allow more memory, or use narrower panels"
    )]
    Memory { of: &'static str, least: u64, width: usize, limit: u64 },

    #[error("expected a block inside {}, got {}", text(held), text(block))]
    Outside { block: Block, held: Block },

    /// The error of a source or a target of elements.
    #[error(transparent)]
    Access(Box<dyn std::error::Error + Send + Sync>),

    #[error("stopped after {done} of {steps} steps; C is incomplete")]
    Stopped { done: u64, steps: u64 },
}

fn text(Block { columns, rows }: &Block) -> String {
    format!("rows {} to {} of columns {} to {}", rows.start, rows.end, columns.start, columns.end)
}

failure!(Error: Cluster, Product(gl::Error, stream::Error, NoMemory, data::Error); kinds {
    Error::Memory { .. } => Kind::OutOfMemory,
    Error::Access(error) => of_access(&**error),
    Error::Stopped { .. } => Kind::Failed,
});

#[cfg(feature = "files")]
fn of_access(error: &(dyn std::error::Error + 'static)) -> Kind {
    error.downcast_ref().map_or(Kind::Io, crate::io::Error::kind)
}

#[cfg(not(feature = "files"))]
fn of_access(_: &(dyn std::error::Error + 'static)) -> Kind {
    Kind::Failed
}
