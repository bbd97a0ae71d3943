//! The errors in texts that were written for another host: ISF, Shadertoy, old GLSL.

use quadrille::internal::{failure, shader::Excerpt};
use quadrille::{Kind, Place};

use super::SizeMistake;

/// A mistake in a text for another host: a value in the header of an ISF shader, an index of
/// `gl_FragData`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An index of `gl_FragData` that is not a number.
    #[error(
        "{place}: error: expected a number from 0 to 15 as the index of gl_FragData, as in gl_FragData[0]: each is an \
         output"
    )]
    FragData {
        /// The line of the index.
        place: Place,
    },
    /// The header of an ISF shader is not JSON.
    #[error(
        "{place}: error: the header of this ISF shader is not valid JSON: {message}\n{excerpt}"
    )]
    Json {
        /// The position where the JSON reader stopped.
        place: Place,
        /// The error of the JSON reader.
        message: String,
        /// The line.
        excerpt: Box<Excerpt>,
    },
    /// A value in the header of an ISF shader.
    #[error(
        "{place}: error: `{key}` in the header of this ISF shader: expected {expected}, got {got}\n{excerpt}"
    )]
    Value {
        /// The position of the value.
        place: Place,
        /// The key; of an input behind the input's name.
        key: String,
        /// A description of the values that are allowed.
        expected: &'static str,
        /// The value that was found.
        got: String,
        /// The line.
        excerpt: Box<Excerpt>,
    },
    /// A size in the header of an ISF shader that cannot be computed.
    #[error("{place}: error: `{key}` in the header of this ISF shader: {mistake}\n{excerpt}")]
    Size {
        /// The first mistake.
        place: Place,
        /// The key, behind the name of the target.
        key: String,
        /// The mistake in the arithmetic.
        mistake: SizeMistake,
        /// The line.
        excerpt: Box<Excerpt>,
    },
    /// A size in the header of an ISF shader that no texture has.
    #[error(
        "{place}: error: `{key}` in the header of this ISF shader: expected 1 to {limit}, which is as large as textures can be here, got \
         {got}\n{excerpt}{}",
        if *got < 0.0 { "\nas in \"max(1, floor($WIDTH / 8))\"" } else { "" }
    )]
    Extent {
        /// The position of the size.
        place: Place,
        /// The key, behind the name of the target.
        key: String,
        /// The largest.
        limit: u32,
        /// The size that was computed.
        got: f64,
        /// The line.
        excerpt: Box<Excerpt>,
    },
    /// A pass of an ISF shader that reads a target which nothing has written.
    #[error(
        "{place}: error: pass {reader} of this ISF shader reads `{target}`, which {}: expected `\"PERSISTENT\": true` beside this \
         target, for what it was in the frame before, or the pass that writes it before those that read it\n{excerpt}",
        if reader == writer { "it writes itself".to_owned() } else { format!("only pass {writer} writes") }
    )]
    Unwritten {
        /// The position where the target is named.
        place: Place,
        /// The target.
        target: String,
        /// The pass that reads it, from 0 as in PASSINDEX.
        reader: usize,
        /// The pass that writes it.
        writer: usize,
        /// The line.
        excerpt: Box<Excerpt>,
    },
    /// A pass of an ISF shader that discards fragments of a target which an earlier pass writes
    /// too.
    #[error(
        "{place}: error: pass {writer} of this ISF shader may discard fragments of `{target}`, which an earlier pass writes too: expected a \
         target of its own, or a colour in place of `discard`, as in `gl_FragColor = IMG_THIS_PIXEL({target})`\n{excerpt}"
    )]
    Discard {
        /// The position where the target is named.
        place: Place,
        /// The target.
        target: String,
        /// The pass, from 0 as in PASSINDEX.
        writer: usize,
        /// The line.
        excerpt: Box<Excerpt>,
    },
}

failure!(Error; kinds {
    Error::Extent { .. } => Kind::Input,
    _ => Kind::Compile,
}; places {
    Error::FragData { place } | Error::Json { place, .. } | Error::Value { place, .. } | Error::Size { place, .. }
    | Error::Extent { place, .. } | Error::Unwritten { place, .. } | Error::Discard { place, .. } => Some(place),
});
