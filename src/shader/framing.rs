//! The convention of a text that was written for another host: the lines around it that make it
//! compile as today's GLSL. Packages that read such texts implement
//! [`Framing`](super::source::Framing); this package knows no host.

mod entry;
pub(super) mod frame;

use super::expand::edited::Edit;
use crate::error::Place;

pub use entry::Main;
pub use frame::Frame;

/// Changes of a text by which it computes what it does at its host.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The changes of its lines.
    pub edits: Vec<Edit>,
    /// Lines behind it.
    pub behind: Vec<String>,
}

/// A text with its includes, without what conditions leave out.
pub struct Body<'a> {
    /// The text.
    pub text: &'a str,
    /// Whether it is for OpenGL ES.
    pub es: bool,
    /// The place in the user's files that a line, counted from 1, came from.
    pub place: &'a dyn Fn(usize) -> Place,
}
