//! The errors of an experiment that runs: what is set and read between steps.

use quadrille::gl::Class;
use quadrille::internal::failure;

use crate::io::cells::words;

/// An error of what is set or read between the steps of an experiment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    #[error("output `{output}` is not computed before the first step")]
    NotYet { output: String },

    #[error(
        "output `{output}` is a storage block, or is computed in panels, so there is no one texture of it: read its values instead"
    )]
    NoTexture { output: String },

    #[error(
        "an array in layers can only be an input: shaders read it, and no output feeds back to it"
    )]
    LayersAreRead,

    #[error("{name}: expected {expected} values, got {got}")]
    Values { name: String, expected: usize, got: usize },

    #[error("output `{output}` holds {}, which must be read as such", words(*class).0)]
    ValuesType { output: String, class: Class },

    #[error(
        "uniform `{name}` gives the sizes of the targets of an ISF shader, which do not change: make another experiment with this value"
    )]
    Sizes { name: String },
}

failure!(StateError);
