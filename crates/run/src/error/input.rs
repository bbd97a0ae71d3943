//! The errors of inputs: arrays, their numbers and precision, uniforms, sampling.

use quadrille::Place;
use quadrille::gl::{Class, Type};
use quadrille::internal::{failure, with_article};

use crate::error::text::prefix;
use crate::io::cells::words;
use crate::io::uniform_text::expected;

/// An error of an input or a uniform: its numbers, or how the shaders take them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    #[error("expected WIDTHxHEIGHT{channels} after the colon, as in {word}:64x48; got `{got}`")]
    Made {
        /// The rule that makes the numbers: `zeros`, `random` or `ramp`.
        word: String,
        /// The optional part of the text behind the two lengths.
        channels: &'static str,
        got: String,
    },

    #[error("{place}: expected {expected}, as in the first frame of input `{input}`, got {got}")]
    Frame {
        /// The file of the frame.
        place: Place,
        input: String,
        expected: String,
        got: String,
    },

    #[error(
        "input `{input}` has {frames} frames, {}, and {steps} steps need as many: take fewer steps, or add files",
        files
    )]
    NoFrame {
        input: String,
        /// The number of frames.
        frames: u64,
        files: String,
        steps: u64,
    },

    #[error(
        "the sequences differ in length: {}; say how many steps there are",
        inputs.iter().map(|(name, count)| format!("`{name}` has {count} frames")).collect::<Vec<_>>().join(", ")
    )]
    Lengths { inputs: Vec<(String, u64)> },

    #[error(
        "{kernel}: `{name}` holds {kind}, {expected} channel{} a cell, and the array given has {got}{}",
        if *expected == 1 { "" } else { "s" },
        like.as_ref().map_or_else(String::new, |like| format!(": expected three axes, the last of length {expected}, such as {like}"))
    )]
    Channels {
        kernel: String,
        name: String,
        kind: String,
        expected: usize,
        got: usize,
        /// A shape that would do, if it is a block.
        like: Option<String>,
    },

    #[error(
        "{}a Fourier transform takes cells of two channels, the real and the imaginary parts, or of one, real numbers: `x` has \
         {got}",
        prefix(pass)
    )]
    NotComplex { pass: String, got: usize },

    #[error(
        "input `{input}`: expected an array of one axis, two, or three of which the last has 1 to 4 numbers (a grid's cells), such as \
         (height, width, 3); got the shape {got:?}, of layers, rows and columns, which a sampler2DArray reads"
    )]
    Layered { input: String, got: Vec<usize> },

    #[error(
        "input `{input}`: a sampler2DArray reads an array of three axes, layers, rows and columns, or of four of which the last has a \
         length of 1 to 4; got the shape {got:?}"
    )]
    NotLayered { input: String, got: Vec<usize> },

    #[error(
        "input `{input}` is a picture, and a sampler2DArray reads layers: give a .npy array of layers, rows and columns, or of layers, rows, \
         columns and channels; or declare sampler2D {input}"
    )]
    PictureAsLayers { input: String },

    #[error(
        "input `{input}` has {}, and {} {input} reads {}: {number} at {at} cannot be converted exactly; declare \
         {} {input}, or change the array",
        words(*has).0, words(*class).1, words(*class).0, words(*has).1
    )]
    Inexact {
        input: String,
        /// The class of the numbers in the array.
        has: Class,
        /// The class that the shader's sampler reads.
        class: Class,
        number: f64,
        /// The index in the array.
        at: String,
    },

    #[error(
        "input `{input}` has {}, and the storage block {input} holds {}: {number} at {at} cannot be converted exactly; declare \
         the block as one of `{}`, or change the array",
        words(*has).0, words(*class).0, of_class(*has)
    )]
    InexactInBlock {
        input: String,
        /// The class of the numbers in the array.
        has: Class,
        /// The class of the numbers in the block.
        class: Class,
        number: f64,
        /// The index in the array.
        at: String,
    },

    #[error("unknown precision `{got}`: expected single or half")]
    UnknownPrecision { got: String },

    #[error(
        "input `{input}` cannot be held in half precision: only a sampler2D reads that, and no integer sampler, image or storage \
         block; declare sampler2D {input}, or leave the precision out"
    )]
    NotHalf { input: String },

    #[error(
        "input `{input}` cannot be held in half precision: {number} at {at} is beyond 65504, its largest number. Scale the \
         array, or hold it in single precision"
    )]
    AboveHalf { input: String, number: f32, at: String },

    #[error(
        "input `{input}` cannot be filtered: it is read by {}, and no OpenGL filters integers. Filter the inputs of floats by \
         name, or declare sampler2D {input}",
        with_article(words(*class).1)
    )]
    FilterOfIntegers { input: String, class: Class },

    #[error(
        "{sampling} for {} has no effect: {readers} {} texels by their positions alone. Sample by `texture()`, or leave it \
         out; READ_CLAMPED and READ_WRAPPED read outside of an array by themselves",
        input.as_ref().map_or("all inputs".into(), |name| format!("input `{name}`")),
        if readers.contains(", ") { "read" } else { "reads" }
    )]
    NotSampled { sampling: String, input: Option<String>, readers: String },

    #[error("{kernel}: `{name}` is {}: expected {}, got `{}`", with_article(glsl), expected(*glsl), shown(text))]
    Uniform { kernel: String, name: String, glsl: Type, text: String },
}

failure!(InputError; places {
    InputError::Frame { place, .. } => Some(place),
});

/// Returns the GLSL type of a number of a class.
fn of_class(class: Class) -> &'static str {
    match class {
        Class::Float => "float",
        Class::Int => "int",
        Class::Uint => "uint",
    }
}

/// Returns the beginning of a text that may be long.
fn shown(text: &str) -> String {
    match text.char_indices().nth(80) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} ...", &text[..end]),
    }
}
