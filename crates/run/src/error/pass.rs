//! The errors of passes, and of the arrays that go from one to another.

use quadrille::gl::Class;
use quadrille::internal::failure;

use crate::error::text::{list, prefix};
use crate::io::cells::{Cells, words};

/// An error of the passes of an experiment, or of what they read of each other.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    #[error("expected at least one pass, got none")]
    NoPass,

    #[error(
        "invalid name `{name}` of a pass: expected a name without a dot, since outputs are named pass.output"
    )]
    PassName { name: String },

    #[error("{what} `{name}` is given twice")]
    Twice { what: &'static str, name: String },

    #[error("expected a rate above 0, in steps per second; got {got}")]
    Rate { got: f64 },

    #[error(
        "pass `{bottom}` has y = 0 in the last row, by its dialect, and pass `{top}` in the first: set which of them holds, or \
         write both in one dialect"
    )]
    Origins { bottom: String, top: String },

    #[error(
        "pass `{pass}` cannot read `{from}`: expected an input or an output of an earlier pass: {}. What a later pass \
         or this one wrote in the step before is read by feedback to an input",
        list(has)
    )]
    NotReadable { pass: String, from: String, has: Vec<String> },

    #[error(
        "input `{input}` is read as {} by {} and as {} by {}: declare the same sampler in both",
        words(classes[0]).1, readers[0], words(classes[1]).1, readers[1]
    )]
    InputClasses { input: String, readers: [String; 2], classes: [Class; 2] },

    #[error(
        "input `{input}` is read as {} by {} and as {} by {}: let both read it in the same way",
        places[0], readers[0], places[1], readers[1]
    )]
    InputPlaces { input: String, readers: [String; 2], places: [&'static str; 2] },

    #[error(
        "{shader} reads output `{output}` as {}, but it holds {}: declare {}",
        words(*class).1, words(*found).0, words(*found).1
    )]
    OutputClass { shader: String, output: String, found: Class, class: Class },

    #[error("output `{output}` is {place}, which cannot be read as {expected} by {shader}")]
    OutputPlace { output: String, place: &'static str, shader: String, expected: &'static str },

    #[error(
        "input `{input}` is a sequence of frames, so output `{output}` cannot replace it in the next step: feed back to another input, or give \
         one file instead of the sequence"
    )]
    FedFrames { input: String, output: String },

    #[error(
        "output `{output}` is to replace both `{}` and `{}` in the next step: it can replace one input or buffer, which several samplers may \
         read",
        inputs[0], inputs[1]
    )]
    FedTwice { output: String, inputs: [String; 2] },

    #[error(
        "output `{output}` cannot become input `{input}`: `{output}` is {is}, `{input}` is {was}; both must have the \
         same type, channels and size"
    )]
    Feedback { output: String, input: String, is: Cells, was: Cells },

    #[error(
        "output `{output}` is read and written in place and keeps its values from step to step: leave the feedback out, or \
         declare one block to read and another to write"
    )]
    InPlace { output: String },

    #[error(
        "input `{input}` is declared in {kernel} but has no effect, so feedback from output `{output}` would change nothing: \
         read the input in the shader, or leave the feedback out"
    )]
    Unread { kernel: String, input: String, output: String },

    #[error(
        "{kernel}: pass `{pass}` is repeated, but no repetition reads what the one before wrote: give a feedback from one of its outputs to \
         one of its samplers"
    )]
    Repeats { kernel: String, pass: String },

    #[error(
        "{}an ISF shader of several passes is not repeated within a step: take more steps, or write each pass as a shader of its own",
        prefix(pass)
    )]
    RepeatsIsf { pass: String },
}

failure!(PassError);
