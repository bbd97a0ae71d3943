//! Fields from `.npy`, `.png` and `.jpg` files, and to `.npy` and `.png`.

mod picture;

use std::path::Path;

use super::error::{in_file, whole_file};
use super::npy::{self, AnyArray, Notes};
use super::{Error, Result};
use crate::Extent;
use crate::data::{Field, Numbers};

pub use super::picture::Colours;

/// How numbers become colours, where a field has one a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// The colours.
    pub colours: Colours,
    /// The numbers at the ends of the scale; the least and the greatest that are finite, unless told.
    pub range: Option<(f64, f64)>,
}

/// What the user of a written file should be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Numbers that a picture shows as the nearest end of its range.
    pub outside: usize,
    /// NaN, which a picture shows in red; in a colour, as black.
    pub nan: usize,
}

const READABLE: &str = ".npy, .png, .jpg or .jpeg";
const WRITABLE: &str = ".npy or .png";

/// Reads an array of one axis, of two, or of three whose last has 1 to 4 numbers; or a picture, whose
/// colours are 0 to 1, of 1 to 4 channels as the picture has them.
///
/// Arrays are `f4`, `f8` (rounded, as the notes tell), `i1`, `i2`, `i4`, `i8` (where 32 bits hold it), `u1`,
/// `u2`, `u4` or bool.
pub fn read(path: impl AsRef<Path>) -> Result<(Field, Notes)> {
    let path = path.as_ref();
    match extension(path).as_str() {
        ".npy" => read_array(path),
        ".png" | ".jpg" | ".jpeg" => Ok((picture::read(path)?, Notes::default())),
        _ => Err(wrong_name(path, READABLE)),
    }
}

/// Refuses a name that [`write()`] would refuse, and a picture of fields of so many channels.
pub fn check_name(path: impl AsRef<Path>, channels: usize) -> Result<()> {
    let path = path.as_ref();
    match extension(path).as_str() {
        ".npy" => Ok(()),
        ".png" => picture::check(path, channels),
        _ => Err(wrong_name(path, WRITABLE)),
    }
}

/// Writes an array of `f4`, `i4` or `u4` numbers; or a picture, a pixel a cell, its top row y = 0.
///
/// Three or four channels are a colour: floats from 0 to 1, integers from 0 to 255. One channel goes
/// through the look. Two are no picture.
pub fn write(path: impl AsRef<Path>, field: &Field, look: Look) -> Result<Written> {
    let path = path.as_ref();
    check_name(path, field.channels())?;
    if extension(path) == ".png" {
        return picture::write(path, field, look);
    }
    let shape = field.shape();
    match field.numbers() {
        Numbers::F32(numbers) => npy::write_array(path, &shape, numbers)?,
        Numbers::I32(numbers) => npy::write_array(path, &shape, numbers)?,
        Numbers::U32(numbers) => npy::write_array(path, &shape, numbers)?,
    }
    Ok(Written::default())
}

fn read_array(path: &Path) -> Result<(Field, Notes)> {
    let (shape, numbers, rounded) = match npy::read_any(path)? {
        AnyArray::Floats(array) => (array.shape, Numbers::F32(array.data), array.rounded),
        AnyArray::Integers(array) => (array.shape, Numbers::I32(array.data), false),
        AnyArray::Unsigned(array) => (array.shape, Numbers::U32(array.data), false),
    };
    let (width, height, channels) = match shape[..] {
        [width] => (width, 1, 1),
        [height, width] => (width, height, 1),
        [height, width, channels @ 1..=4] => (width, height, channels),
        _ => {
            let expected = "one axis, two, or three of which the last has 1 to 4 numbers (a grid's cells), such as \
                            (height, width, 3)";
            let (place, expected) = (whole_file(path), expected.into());
            return Err(Error::Shape { place, expected, got: shape });
        }
    };
    let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let extent = Extent::new(side(width), side(height));
    let field = Field::new(extent, channels, numbers).map_err(in_file(path))?;
    let notes = Notes { rounded };
    Ok((field.as_line(shape.len() == 1), notes))
}

/// With its dot, in lower case.
fn extension(path: &Path) -> String {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.map_or_else(String::new, |extension| format!(".{extension}"))
}

fn wrong_name(path: &Path, known: &'static str) -> Error {
    let got = match extension(path) {
        none if none.is_empty() => "none".into(),
        extension => extension,
    };
    Error::Extension { place: whole_file(path), known, got }
}
