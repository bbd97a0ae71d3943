//! What a shader leaves to chance, and its author may not know.

use std::fmt;

use quadrille::Place;
use quadrille::gl::Context;
use quadrille::internal::shader::Expanded;

use crate::dialect::{Dialect, dialect_of, unset};

/// Something that a shader leaves to chance: its results may be other than meant.
///
/// ```
/// use quadrille::{Context, Extent, Source};
/// use quadrille_run::{Experiment, Setup};
/// let text = "out float y; void main() { float sum; sum += 1.0; y = sum; }";
/// let setup = Setup::new().extent(Extent::new(2, 2));
/// let sum = Experiment::new(&Context::headless()?, &Source::fragment("sum.frag", text), setup)?;
/// let note = sum.notes()[0].to_string();
/// assert!(note.starts_with("sum.frag:1:34: `sum` is read before it is set"), "{note}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A variable of a plain shader that is declared without a value and read before it is set.
    /// Those of other dialects have zeros, as at their hosts.
    Unset {
        /// The position of its name in the declaration.
        place: Place,
        /// Its name.
        variable: String,
    },
    /// The shader says `PRECISE`, which the device does not have.
    NotPrecise {
        /// The name of the shader.
        shader: String,
        /// The name of the device.
        device: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Unset { place, variable } => write!(
                f,
                "{place}: `{variable}` is read before it is set, and what it is then GLSL does not say: declare it with a value"
            ),
            Note::NotPrecise { shader, device } => write!(
                f,
                "{shader}: PRECISE has no effect, since {device} has no `precise`: the compiler may fuse and reorder these \
                 operations, and take (a + b) - a for b"
            ),
        }
    }
}

/// Returns the notes on texts that a device runs, each once.
pub(super) fn notes<'a>(context: &Context, texts: impl Iterator<Item = &'a Expanded>) -> Vec<Note> {
    let mut notes = Vec::new();
    for note in texts.flat_map(|text| of_text(context, text)) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

fn of_text(context: &Context, text: &Expanded) -> Vec<Note> {
    let mut notes = Vec::new();
    if dialect_of(text) == Dialect::Plain {
        let unset = unset(text).into_iter();
        notes.extend(unset.map(|(place, variable)| Note::Unset { place, variable }));
    }
    if !text.language().precise && text.says("PRECISE") {
        let device = context.abilities().renderer.clone();
        notes.push(Note::NotPrecise { shader: text.name().to_owned(), device });
    }
    notes
}
