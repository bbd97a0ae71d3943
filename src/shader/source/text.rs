//! Reads a shader's text from a file.

use crate::error::Place;
use crate::shader::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of one file: far above any shader, and far below the memory of a machine, so that
/// a file without an end (`/dev/zero`) is an error.
pub(super) const LONGEST: u64 = 16 << 20;

/// Returns the text of a file that errors call `name`; `from` is the `#include` that named it, if
/// one did.
pub(crate) fn read(path: &Path, name: &str, from: Option<&Place>) -> Result<String, Error> {
    let (file, from) = (name.to_owned(), from.cloned());
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
    match read {
        Err(reason) => Err(Error::Read { file, from, reason }),
        Ok(length) if length as u64 > LONGEST => Err(Error::TooLong { file, most: LONGEST, from }),
        Ok(_) => String::from_utf8(bytes).map_err(|error| not_text(name, from, &error)),
    }
}

fn not_text(name: &str, from: Option<Place>, error: &std::string::FromUtf8Error) -> Error {
    let (good, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
    let before = String::from_utf8_lossy(good);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let place = Place::line(name, line).at_column(column);
    Error::NotText {
        place,
        byte: rest.first().copied().unwrap_or_default(),
        from: from.map(Box::new),
    }
}
