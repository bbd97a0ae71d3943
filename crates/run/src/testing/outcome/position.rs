//! A place in a person's files, as JSON has it.

use quadrille::Place;
use serde::{Deserialize, Serialize};

/// A place in a person's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Position {
    /// The file, as the test or the shader names it.
    pub file: String,
    /// The line, counted from 1, where one is known.
    pub line: Option<usize>,
    /// The column, counted from 1, where one is known.
    pub column: Option<usize>,
}

impl Position {
    pub(super) fn of(place: &Place) -> Position {
        Position { file: place.file.clone(), line: place.line, column: place.column }
    }
}
