//! What can be wrong with an experiment.

use crate::NoMemory;
use crate::error::{Kind, Place, with_article};
use crate::{Extent, data, stream};

/// Why an experiment cannot be made, or not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Data(#[from] data::Error),

    #[error("{what} `{name}` is given twice")]
    Twice { what: &'static str, name: String },

    #[error(
        "{kernel} writes nothing that can be read: declare an output, as in `out vec4 colour;` (gl_FragColor is of \
         GLSL 1.20 and of GLSL ES 1.00){}",
        stream::dropped_text(dropped)
    )]
    NoOutput { kernel: String, dropped: Vec<String> },

    #[error(
        "{kernel}: its outputs must have the locations 0, 1, 2 ... without a gap; they have: {}{}",
        has.join(", "), stream::dropped_text(dropped)
    )]
    Locations { kernel: String, has: Vec<String>, dropped: Vec<String> },

    #[error(
        "{kernel}: `{name}` is {}, which cannot be computed into; expected a float, int or uint, or a vector of them",
        with_article(kind)
    )]
    OutputType { kernel: String, name: String, kind: String },

    #[error(
        "{kernel}: `{name}` is of a type ({kind}) that cannot be given; expected a sampler2D, isampler2D or \
         usampler2D, or a uniform of numbers or bool"
    )]
    Untakable { kernel: String, name: String, kind: String },

    #[error(
        "input `{input}` has {have}, and {sampler} {input} wants {wants}: {number} at {at} cannot be exactly that; \
         declare it {fits}, or change the array"
    )]
    Inexact {
        input: String,
        have: &'static str,
        sampler: &'static str,
        wants: &'static str,
        number: f64,
        at: String,
        fits: &'static str,
    },

    #[error("{kernel}: `{name}` is {}: expected {expected}, got `{text}`", with_article(kind))]
    Uniform { kernel: String, name: String, kind: String, expected: String, text: String },

    #[error(
        "nothing says how many cells to compute: no input does, so give the size, width by height"
    )]
    NoExtent,

    #[error(
        "the inputs differ in size, so give the size to compute, width by height; they have: {}",
        inputs.iter().map(|(name, e)| format!("{name} {} x {}", e.width, e.height)).collect::<Vec<_>>().join(", ")
    )]
    Extents { inputs: Vec<(String, Extent)> },

    #[error(
        "output `{output}` cannot take the place of input `{input}`: `{output}` is {is}, `{input}` is {was}; both \
         must be of one type, channels and size"
    )]
    Feedback { output: String, input: String, is: String, was: String },

    #[error(
        "input `{input}` stands in {kernel} but has no effect, so that nothing would come of output `{output}` taking \
         its place: read it in the shader, or leave the feedback out"
    )]
    Unread { kernel: String, input: String, output: String },

    #[error(
        "{kernel}: this device ({device}) ends all loops of a fragment after {budget} iterations in all, and {cells} \
         of the cells reached that, the first in column {} of row {}: their values would be wrong. Make the loops \
         shorter, spread the work over several steps with a feedback, or use another device",
        first.0, first.1
    )]
    LoopsEnded {
        kernel: String,
        budget: u32,
        device: String,
        cells: usize,
        /// Column and row.
        first: (usize, usize),
    },

    #[error(
        "{kernel} has loops, and this device ends all loops of a fragment after {budget} iterations in all without \
         an error. To notice that takes a target besides the outputs, and the device has {limit} targets: use at \
         most {} outputs", limit - 1
    )]
    NoTargetToWatch { kernel: String, limit: u32, budget: u32 },

    #[error("output `{output}` is not computed before the first step")]
    NotYet { output: String },
}

impl Error {
    /// The kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Stream(error) => error.kind(),
            Error::Data(error) => error.kind(),
            Error::LoopsEnded { .. } | Error::NoTargetToWatch { .. } => Kind::Limit,
            _ => Kind::Input,
        }
    }
}

impl From<NoMemory> for Error {
    fn from(error: NoMemory) -> Error {
        Error::Stream(error.into())
    }
}

impl Error {
    /// Returns the position in the user's files, if the error is about one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Stream(error) => error.place(),
            _ => None,
        }
    }
}
