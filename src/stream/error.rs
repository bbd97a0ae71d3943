//! The errors of kernels, passes and reductions.

use crate::error::{Kind, Place, a_matrix, failure, with_article};
use crate::gl::{Class, Type, TypeKind};
use crate::shader::Diagnostics;
use crate::{Extent, NoMemory, Shape};
use crate::{data, gl, shader};

/// The result of what runs on a device.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of kernels, passes, dispatches, reductions and matrices on the device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Gl(#[from] gl::Error),

    #[error(transparent)]
    Shader(#[from] shader::Error),

    #[error(transparent)]
    Data(#[from] data::Error),

    /// `diagnostics` has the file, line, column, severity and text of each message of the driver.
    #[error("{kernel} does not compile\n{diagnostics}")]
    Compile { kernel: String, diagnostics: Diagnostics },

    #[error("{kernel} does not link\n{diagnostics}")]
    Link { kernel: String, diagnostics: Diagnostics },

    #[error("{kernel} {} no {what} `{name}`; {}: {}", verb(kernel), pronoun(kernel), list(has))]
    NoSuchName { kernel: String, what: &'static str, name: String, has: Vec<String> },

    #[error(
        "{kernel}: texture `{name}` has a filter or a wrap mode of its own, but the kernel also reads texels by \
         sampling, which needs the default: compile the kernel with Reads::Fetch"
    )]
    SampledReads { kernel: String, name: String },

    #[error("{kernel}: `{name}` is {}; got {got}", with_article(expected))]
    WrongType { kernel: String, name: String, expected: Type, got: Argument },

    #[error(
        "{kernel}: asks for levels of `{name}`, {} of integers, and the means that levels are made of are none; read level 0 \
         of it (texelFetch with a level of 0), or hold floats, which a sampler2D reads",
        with_article(glsl)
    )]
    LevelsOfIntegers { kernel: String, name: String, glsl: Type },

    #[error("{kernel}: uniform `{name}` is ambiguous: it may be {}", may_be.join(" or "))]
    Ambiguous { kernel: String, name: String, may_be: Vec<String> },

    #[error("{kernel}: not given: {}", missing.join(", "))]
    Missing { kernel: String, missing: Vec<String> },

    #[error(
        "{kernel} writes {} target(s) of one extent ({}); got {}{}",
        outputs.len(),
        list(outputs),
        list(got),
        dropped_text(dropped)
    )]
    Targets {
        kernel: String,
        /// Location, type and name of each output.
        outputs: Vec<String>,
        /// Extent and format of each target.
        got: Vec<String>,
        /// Outputs that the text declares and the driver removed.
        dropped: Box<[String]>,
    },

    #[error(
        "{place}: error: no vertex shader writes `{kind} {name}`, so its value would be undefined; {remedy}"
    )]
    Unfed { place: Place, name: String, kind: String, remedy: &'static str },

    #[error(
        "{kernel}: its outputs ({}) need locations: write `layout(location = N) out` before each",
        list(outputs)
    )]
    OutputsWithoutPlace { kernel: String, outputs: Vec<String> },

    #[error(
        "{kernel}: output `{name}` is declared as {first} and as {second} in branches of an #if, which is not \
         evaluated here: declare it with one type"
    )]
    OutputOfTwoTypes { kernel: String, name: String, first: String, second: String },

    #[error(
        "{kernel}: block `{block}` has no binding: write `layout(std430, binding = N)` before it, with a \
         number for N"
    )]
    BlockWithoutBinding { kernel: String, block: String },

    #[error(
        "{kernel}: block `{block}` is an array of blocks, of which only the first could be given: declare each by itself"
    )]
    ArrayOfBlocks { kernel: String, block: String },

    #[error(
        "{kernel}: blocks `{first}` and `{second}` share binding {binding}: \
         give each its own `layout(std430, binding = N)`"
    )]
    SharedBinding { kernel: String, first: String, second: String, binding: u32 },

    #[error("{kernel}: x has {expected} texels, but {name} has {got} texels")]
    Extents { kernel: String, expected: Extent, name: &'static str, got: Extent },

    #[error("a matrix: {} cannot be copied to {}", a_matrix(got), a_matrix(expected))]
    Shapes { expected: Shape, got: Shape },

    #[error("reduction: expected a texture of floats, got {format}; sum_exactly takes integers")]
    ReductionOfIntegers { format: &'static str },

    #[error(
        "reduction: expected two textures alike, got {} texels of {} and {} texels of {}", x.0, x.1, y.0, y.1
    )]
    ReductionOperands { x: (Extent, &'static str), y: (Extent, &'static str) },
}

/// The value passed for a parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // As above.
pub enum Argument {
    #[error("{}", with_article(.0))]
    Value(Type),

    #[error("a texture of {format}")]
    Texture { format: &'static str },

    #[error("{} of {format}", with_article(TypeKind::Image(*class)))]
    Image { class: Class, format: &'static str },

    #[error("a buffer of {element}")]
    Buffer { element: &'static str },
}

/// Returns a sentence about outputs that the driver dropped, if there are any.
pub fn dropped_text(dropped: &[String]) -> String {
    match dropped {
        [] => String::new(),
        names => format!(
            "; the driver removed {}, which the text declares: nothing that it computes reaches {}",
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            if names.len() == 1 { "it" } else { "them" }
        ),
    }
}

/// Kernels are listed with commas.
fn verb(kernels: &str) -> &'static str {
    if kernels.contains(", ") { "have" } else { "has" }
}

fn pronoun(kernels: &str) -> &'static str {
    if kernels.contains(", ") { "they have" } else { "it has" }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

failure!(Error: Gl(NoMemory), Shader, Data(data::ArrayError); kinds {
    Error::Compile { .. } | Error::Unfed { .. } => Kind::Compile,
    Error::Link { .. } => Kind::Link,
}; places {
    Error::Compile { diagnostics, .. } => diagnostics.place(),
    Error::Unfed { place, .. } => Some(place),
});
