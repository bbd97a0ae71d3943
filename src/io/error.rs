//! The errors of reading and writing files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::facts::Difference;
use crate::error::{Kind, Place, failure};
use crate::{NoMemory, data};

/// The reason why a file could not be read or written. The text begins with the position in the
/// file. The underlying error (the system's, the matrix's) is part of the text and therefore not
/// the `source`, so that no report prints it twice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened or read.
    #[error("{place}: cannot read it: {reason}")]
    Read {
        /// The file.
        place: Place,
        /// The reason from the operating system.
        reason: std::io::Error,
    },
    /// The file cannot be written; an existing one is unchanged.
    #[error("{place}: cannot write it: {reason}")]
    Write {
        /// The file.
        place: Place,
        /// The reason from the operating system.
        reason: std::io::Error,
    },
    /// The file violates its format.
    #[error("{place}: expected {expected}, got {got}")]
    Syntax {
        /// The place in the file.
        place: Place,
        /// The content that is expected.
        expected: String,
        /// The content that was found.
        got: String,
    },
    /// A sound file of a sort that quadrille does not take.
    #[error("{place}: {got} is not supported: expected {accepted}")]
    Unsupported {
        /// The place in the file that says so.
        place: Place,
        /// The content of the file.
        got: String,
        /// The content that quadrille takes.
        accepted: &'static str,
    },
    /// A number that no computation should start from.
    #[error("{place}: expected finite numbers, got {value} at {at}")]
    NotFinite {
        /// The file, and the line where it has lines.
        place: Place,
        /// The position among the numbers.
        at: String,
        /// NaN or an infinity.
        value: f64,
    },
    /// A number that is too large for the precision it is read in.
    #[error("{place}: {value} at {at} does not fit {precision}: scale the data")]
    Overflow {
        /// The file, and the line where it has lines.
        place: Place,
        /// The position among the numbers.
        at: String,
        /// The number in the file.
        value: String,
        /// The name of the precision, with its largest number.
        precision: &'static str,
    },
    /// An integer that a float cannot hold exactly.
    #[error(
        "{place}: the integer {value} at {at} has no exact {precision}-precision value: store the array as f8 to have it rounded"
    )]
    Inexact {
        /// The file.
        place: Place,
        /// The position among the numbers.
        at: String,
        /// The integer.
        value: i64,
        /// `single` or `double`.
        precision: &'static str,
    },
    /// An integer that a narrower one cannot hold.
    #[error(
        "{place}: the integer {value} at {at} does not fit {bits} bits: take a wider type, or scale the data"
    )]
    TooWide {
        /// The file.
        place: Place,
        /// The position among the numbers.
        at: String,
        /// The integer.
        value: i64,
        /// The width of the type that should hold it.
        bits: usize,
    },
    /// A matrix whose sides differ.
    #[error("{place}: expected a square matrix, got {rows} rows and {cols} columns")]
    NotSquare {
        /// The line of the sizes.
        place: Place,
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
    },
    /// An entry outside the nine diagonals.
    #[error(
        "{place}: not nine-banded, as operators on grids of 5 or 9 points are: the entry in row {row}, column {col} is on diagonal {diagonal:+}, {why}"
    )]
    NotNineBanded {
        /// The line of the entry.
        place: Place,
        /// The row of the entry, from 1.
        row: usize,
        /// The column of the entry, from 1.
        col: usize,
        /// Column minus row.
        diagonal: isize,
        /// The diagonals that are possible, and the reason.
        why: String,
    },
    /// A file with entries on the three middle diagonals alone, which do not determine the width.
    #[error(
        "{place}: the width of the grid is unknown, because the file has entries on the three middle diagonals alone: \
         give the width of the grid, {}", crate::data::error::bands::widths(*n)
    )]
    WidthOpen {
        /// The file.
        place: Place,
        /// The number of rows.
        n: usize,
    },
    /// A name from which the format cannot be found.
    #[error("{place}: expected a name ending in {known}, got {got}")]
    Extension {
        /// The file.
        place: Place,
        /// The extensions there are.
        known: &'static str,
        /// The extension that was given.
        got: String,
    },
    /// A sequence of numbered files without one of them.
    #[error("{place}: expected {expected}, got {got}")]
    NoFrame {
        /// The file that is missing, or the name of them all.
        place: Place,
        /// The files that should be there.
        expected: String,
        /// The content that was found.
        got: String,
    },
    /// An array of another shape than its use needs.
    #[error("{place}: expected {expected}, got shape {got:?}")]
    Shape {
        /// The file.
        place: Place,
        /// The shape that is expected.
        expected: String,
        /// The shape of the array.
        got: Vec<usize>,
    },
    /// The checkpoint of another version.
    #[error(
        "{place}: expected a checkpoint of version {expected}, got version {got}: continue with the version of quadrille that wrote it, or start \
         from the beginning under another name"
    )]
    CheckpointVersion {
        /// The file.
        place: Place,
        /// The version that is read.
        expected: u32,
        /// The version that wrote it.
        got: String,
    },
    /// A file that is no checkpoint, or is not as it was written.
    #[error(
        "{place}: expected {expected}, got {got}: restore it from a copy, or start from the beginning under another name"
    )]
    DamagedCheckpoint {
        /// The file.
        place: Place,
        /// The content that is expected.
        expected: String,
        /// The content that was found.
        got: String,
    },
    /// The checkpoint of something else.
    #[error(
        "{place}: the checkpoint is of another {of}: {}; continue with the {of} that it is of, or start from the beginning under another name",
        differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    OtherCheckpoint {
        /// The file, or the folder.
        place: Place,
        /// The sort of thing that must be the same.
        of: &'static str,
        /// All that differs.
        differences: Vec<Difference>,
    },
    /// The numbers do not make a matrix.
    #[error("{place}: {reason}")]
    Data {
        /// The file.
        place: Place,
        /// The error of the numbers.
        reason: Box<data::Error>,
    },
}

failure!(Error; kinds {
    Error::Read { .. } | Error::Write { .. } => Kind::Io,
    Error::Data { reason, .. } => reason.kind(),
}; places {
    Error::Read { place, .. } | Error::Write { place, .. } | Error::Syntax { place, .. } | Error::Unsupported { place, .. }
    | Error::NotFinite { place, .. } | Error::Overflow { place, .. } | Error::Inexact { place, .. } | Error::TooWide { place, .. }
    | Error::NotSquare { place, .. } | Error::NotNineBanded { place, .. } | Error::WidthOpen { place, .. }
    | Error::Extension { place, .. } | Error::NoFrame { place, .. } | Error::Shape { place, .. }
    | Error::CheckpointVersion { place, .. } | Error::DamagedCheckpoint { place, .. } | Error::OtherCheckpoint { place, .. }
    | Error::Data { place, .. } => Some(place),
});

/// Returns a file's name as the user gave it.
pub fn whole_file(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

/// Opens a file to read, with a buffer of this many bytes, and returns its length too.
pub(super) fn opened(path: &Path, buffer: usize) -> Result<(BufReader<File>, u64), Error> {
    let file = File::open(path).map_err(reading(path))?;
    let length = file.metadata().map_err(reading(path))?.len();
    Ok((BufReader::with_capacity(buffer, file), length))
}

/// Adds the file to an error of the system while reading.
pub fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |reason| Error::Read { place: whole_file(path), reason }
}

/// Adds the file to an error of `data`.
pub fn in_file(path: &Path) -> impl FnOnce(data::Error) -> Error {
    move |reason| Error::Data { place: whole_file(path), reason: Box::new(reason) }
}

/// Adds the file to a lack of memory.
pub fn no_memory(path: &Path) -> impl Fn(NoMemory) -> Error {
    move |lack| in_file(path)(lack.into())
}

/// Checks that a name has this extension.
///
/// # Errors
/// [`Error::Extension`] if it has not.
pub fn must_end_in(path: &Path, known: &'static str) -> Result<(), Error> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let got = extension.map_or_else(|| "none".into(), |extension| format!(".{extension}"));
    if got == known {
        return Ok(());
    }
    Err(Error::Extension { place: whole_file(path), known, got })
}
