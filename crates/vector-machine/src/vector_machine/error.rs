//! The errors of the vector machine.

use quadrille::error::{Kind, Place};
use quadrille::shader::{self, Excerpt};
use quadrille::{NoMemory, gl, stream};

use super::assembly::program::AssemblyError;
use super::{Processor, Semantics};

/// The result of what a machine does.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the vector machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error("{place}: cannot read it: {reason}")]
    Read { place: Place, reason: std::io::Error },

    #[error(
        "{place}: expected the text of a program, got bytes that are no text, the first at {at}"
    )]
    NotText { place: Place, at: usize },

    #[error(transparent)]
    Assembly(#[from] AssemblyError),

    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error("{function} is a function {semantics}: expected {} vector(s), got {got}", semantics.vectors())]
    Arity { function: String, semantics: Semantics, got: usize },

    #[error("expected one to three vectors, got {got}")]
    Vectors { got: usize },

    #[error("`{option}` is about a sum: set `reduce` too, or leave it out")]
    NoSum { option: &'static str },

    #[error("`bytes` and `reduce`: a sum is a float; leave one of the two out")]
    BytesOfSum,

    #[error(
        "{function} is a function {semantics}: it returns a {}, so call {}",
        if semantics.is_to_scalar() { "scalar" } else { "vector" },
        if semantics.is_to_scalar() { "`total`, or fill a `DScalar`" } else { "`apply`, or fill a `DVector`" }
    )]
    Result { function: String, semantics: Semantics },

    /// An input differs in length from the first; vectors are counted from 1.
    #[error(
        "{function}: vector {vector} has {got} numbers and the first vector has {expected}; all vectors must have the \
         same length"
    )]
    InputLength { function: String, vector: usize, expected: usize, got: usize },

    #[error(
        "{function}: the vector to fill has {got} numbers and the inputs have {expected}; all vectors must have the \
         same length"
    )]
    OutputLength { function: String, expected: usize, got: usize },

    #[error(
        "{function}: {length} numbers do not fill the last invocation, which reads {elements}: give a multiple of \
         {elements}, or set the padding (`set_padding`), the number that replaces the missing ones (0 for a sum of \
         products)"
    )]
    Padding { function: String, length: usize, elements: usize },

    #[error(
        "functions take vectors that fit in one texture, on this device of up to {limit} numbers, and these have \
         {length}: split them"
    )]
    TooLong { length: usize, limit: usize },

    #[error("{function} has no constant register c[{register}]: the last one is c[{}]", count - 1)]
    Constant { function: String, register: usize, count: usize },

    #[error(
        "{function} has {constants} constants, up to c[{}], but this device's limit is {limit}: use lower registers, \
         another engine, or the simulator",
        constants - 1
    )]
    TooManyConstants { function: String, constants: usize, limit: usize },

    #[error(
        "{function} never writes its result, which belongs in o[1] (o[COL0]): end it, for example, with \
         `MOV o[1], R0;`"
    )]
    NoResult { function: String },

    #[error(
        "{place}: a function {semantics} has v[1] to v[{}], but this instruction reads v[{input}]: give the function \
         more vectors, or read one of these\n{excerpt}",
        semantics.inputs()
    )]
    NoInput { input: u8, semantics: Semantics, place: Place, excerpt: Box<Excerpt> },

    #[error(
        "{function} does not define `void program()`, the function that reads v[1], c[11] and so on, and writes o[1]"
    )]
    NoProgram { function: String },

    #[error(
        "{function} contains `discard`, or may paste it with `##`, but a function must compute every element: write a number instead"
    )]
    Discards { function: String },

    #[error(
        "{function}: this device ({device}) ends all loops of an invocation after {budget} iterations in total, and \
         {invocations} invocations reached that limit: their results would be wrong. Make the loops shorter, or use \
         another device"
    )]
    LoopsEnded { function: String, device: String, budget: u32, invocations: usize },

    #[error(
        "the {engine} engine needs a device, and this machine has none: make the machine from a context"
    )]
    NoDevice { engine: Processor },

    #[error("{function} is GLSL, which the simulator cannot run: make the machine from a context")]
    GlslOnSimulator { function: String },

    #[error(
        "the compute engine needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1), which this context ({device}) lacks; \
         the fragment engine needs none"
    )]
    NoCompute { device: String },
}

quadrille::internal::failure!(Error: Assembly, Stream(gl::Error, shader::Error, NoMemory); kinds {
    Error::Read { .. } => Kind::Io,
    Error::NoDevice { .. } | Error::GlslOnSimulator { .. } | Error::NoCompute { .. } => Kind::Unsupported,
    Error::TooLong { .. } | Error::TooManyConstants { .. } | Error::LoopsEnded { .. } => Kind::Limit,
}; places {
    Error::Read { place, .. } | Error::NotText { place, .. } | Error::NoInput { place, .. } => Some(place),
});

impl Error {
    pub(super) fn is_out_of_memory(&self) -> bool {
        self.kind() == Kind::OutOfMemory
    }
}
