//! The inputs of the shaders, for the report.

use quadrille_run::io::field::Depth;
use quadrille_run::{Array, Frames};

use crate::prelude::*;

/// An input, or the initial content of a buffer, as the report shows it.
#[derive(Clone, Serialize)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) from: String,
    /// The shape of the array, or of each frame of a sequence.
    pub(crate) shape: Vec<usize>,
    /// The number of files, if it is a sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frames: Option<u64>,
    /// The depth of the picture that it was; `None` for an array.
    #[serde(skip)]
    pub(crate) picture: Option<Depth>,
}

/// Notes what was rounded, and returns what the report shows.
pub(crate) fn noted(arrays: &[Array]) -> Vec<Input> {
    for Array { from, .. } in arrays.iter().filter(|array| array.notes.rounded) {
        output::note(&format!("note: {from}: its 64-bit floats were rounded to 32 bits"));
    }
    let input = |array: &Array| Input {
        name: array.name.clone(),
        from: array.from.clone(),
        shape: array.shape(),
        frames: array.frames.as_ref().map(Frames::count),
        picture: array.notes.picture,
    };
    arrays.iter().map(input).collect()
}
