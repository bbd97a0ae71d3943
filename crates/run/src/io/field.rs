//! Fields from and to `.npy`, `.png` and `.jpg` files, and streams of arrays and of raw pixels.

mod palette;
mod picture;
mod raw;

use std::io::{Cursor, Read, Write};
use std::path::Path;

use super::{ColourMap, Error, Result};
use quadrille::data::{Field, Values};
use quadrille::internal::data::Layout;
use quadrille::internal::io::{in_file, whole_file};
use quadrille::io::npy;
use quadrille::io::npy::AnyArray;
use quadrille::io::write_whole;

pub use raw::Raw;

/// The conversion of the numbers of a field into the pixels of a picture.
///
/// The default is for arrays: one channel goes through viridis, from its least number to its
/// greatest. [`PictureOptions::plain`] is for pictures: a picture that was read is written
/// unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct PictureOptions {
    /// The colour map for a field of one channel; without one it is a greyscale picture.
    /// Three or four channels are colours themselves.
    pub colours: Option<ColourMap>,
    /// The numbers at the ends of the colour map, or those shown as black and white, for a field of
    /// one channel. The channels of a colour go from 0 to 1, or to the greatest integer of the
    /// depth where they are integers.
    ///
    /// By default a colour map goes from the least finite number to the greatest, and black to
    /// white as a colour's channels do.
    pub range: Option<(f64, f64)>,
    /// The bits of each channel. What goes through a colour map has eight.
    pub depth: Depth,
}

/// The bits of each channel of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Depth {
    /// 8 bits, which are 256 levels.
    #[default]
    Eight,
    /// 16 bits, which are 65536 levels.
    Sixteen,
}

impl PictureOptions {
    /// Makes the options for arrays.
    pub fn new() -> PictureOptions {
        PictureOptions::default()
    }

    /// Makes the options for pictures: numbers are intensities from 0 to 1: one channel is a grey
    /// level, three are a colour, four a colour with alpha.
    ///
    /// ```
    /// use quadrille_run::io::field::{self, PictureOptions};
    /// # let folder = std::env::temp_dir().join("quadrille-picture-options-doc");
    /// # std::fs::create_dir_all(&folder)?;
    /// # let (from, to) = (folder.join("from.png"), folder.join("to.png"));
    /// # let grey = quadrille::data::Field::line(vec![0.0_f32, 0.2, 1.0])?;
    /// # field::write(&from, &grey, PictureOptions::plain())?;
    /// let (photograph, notes) = field::read(&from)?;
    /// let depth = notes.picture.unwrap_or_default();
    /// field::write(&to, &photograph, PictureOptions::plain().depth(depth))?;
    /// assert_eq!(field::read(&to)?.0, photograph);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plain() -> PictureOptions {
        PictureOptions { colours: None, range: None, depth: Depth::Eight }
    }

    /// Sets the colour map of a field of one channel; `None` for a greyscale picture.
    pub fn colours(self, colours: impl Into<Option<ColourMap>>) -> PictureOptions {
        PictureOptions { colours: colours.into(), ..self }
    }

    /// Sets the numbers at the ends of the scale of one channel, or lets the field decide.
    pub fn range(self, range: impl Into<Option<(f64, f64)>>) -> PictureOptions {
        PictureOptions { range: range.into(), ..self }
    }

    /// Sets the bits of each channel.
    pub fn depth(self, depth: Depth) -> PictureOptions {
        PictureOptions { depth, ..self }
    }
}

impl Default for PictureOptions {
    fn default() -> PictureOptions {
        PictureOptions { colours: Some(ColourMap::Viridis), ..PictureOptions::plain() }
    }
}

/// Facts about a field from a file that its user should know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notes {
    /// Whether any number of a double-precision file was changed to fit single precision.
    pub rounded: bool,
    /// The depth of the picture that the field was; none for an array.
    pub picture: Option<Depth>,
}

/// Facts about a written file that its user should know.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Written {
    /// The numbers that a picture shows as the ends of its scale, or as black and full light.
    pub range: Option<(f64, f64)>,
    /// The count of numbers that a picture shows as the nearest end of its range.
    pub outside: usize,
    /// The count of NaN, which a scale shows in red, and a level of grey or of a colour as black.
    pub nan: usize,
    /// The count of pixels that are not opaque in the field, though the file has no alpha.
    pub transparent: usize,
}

const READABLE: &str = ".npy, .png, .jpg or .jpeg";
const WRITABLE: &str = ".npy, .png, .jpg or .jpeg";

/// Reads an array or a picture.
///
/// An array has one axis, two, or three of which the last has a length of 1 to 4. A picture gives
/// values of 0 to 1, in 1 to 4 channels.
///
/// ```
/// use quadrille::{Context, Extent, data::Field};
/// use quadrille_run::io::field;
/// # let folder = std::env::temp_dir().join("quadrille-read-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("colours.png");
/// let colours = Field::new(Extent::new(2, 1), 3, vec![0.0_f32, 0.2, 1.0, 1.0, 0.6, 0.0])?;
/// field::write(&path, &colours, field::PictureOptions::plain())?;
///
/// let (picture, notes) = field::read(&path)?;
/// let texture = Context::headless()?.texture_of::<[f32; 3]>(&picture)?;
/// assert_eq!(texture.read()?, [[0.0, 0.2, 1.0], [1.0, 0.6, 0.0]]);
/// # assert!(notes.picture.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Arrays are `f2`, `f4`, `f8` (rounded, as the notes report), `i1`, `i2`, `i4`, `i8` (where 32
/// bits hold it), `u1`, `u2`, `u4` or bool.
///
/// # Errors
/// [`Error::Read`], [`Error::Extension`] for another ending, [`Error::Unsupported`] for other types
/// or shapes, [`Error::TooWide`] and [`Error::Overflow`] for a number that 32 bits do not hold.
pub fn read(path: impl AsRef<Path>) -> Result<(Field, Notes)> {
    let path = path.as_ref();
    match extension(path).as_str() {
        ".npy" => read_array(path),
        ".png" | ".jpg" | ".jpeg" => picture::read(path).map(of_picture),
        _ => Err(wrong_name(path, READABLE)),
    }
}

/// Reads the bytes of a picture, PNG or JPEG, as [`read()`] reads a file; errors call it by `name`.
///
/// ```
/// use quadrille::{Extent, data::Field};
/// use quadrille_run::io::field::{self, PictureOptions};
/// let red = Field::new(Extent::new(1, 1), 3, vec![1.0_f32, 0.0, 0.0])?;
/// let bytes = field::png(&red, PictureOptions::plain())?;
/// assert_eq!(field::decode(&bytes, "red")?.0, red);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read()`] for a picture.
pub fn decode(bytes: &[u8], name: impl AsRef<Path>) -> Result<(Field, Notes)> {
    picture::decoded(Cursor::new(bytes), name.as_ref()).map(of_picture)
}

fn of_picture((field, depth): (Field, Depth)) -> (Field, Notes) {
    (field.of_picture(), Notes { picture: Some(depth), ..Notes::default() })
}

/// Checks a name for [`write()`] before the field is computed: its extension, and the number of
/// channels for a picture.
///
/// # Errors
/// [`Error::Extension`], or [`Error::Shape`] for two channels in a picture.
pub fn check_name(path: impl AsRef<Path>, channels: usize) -> Result<()> {
    let path = path.as_ref();
    match extension(path).as_str() {
        ".npy" => Ok(()),
        ".png" | ".jpg" | ".jpeg" => picture::check(path, channels),
        _ => Err(wrong_name(path, WRITABLE)),
    }
}

/// Writes an array of `f4` (`f2` for a field of half precision), `i4` or `u4` (`.npy`), or a
/// picture with a pixel for each cell and y = 0 on top (`.png`, `.jpg`).
///
/// The [`PictureOptions`] sets how values become pixels. A field of two channels is no picture.
/// JPEG changes colours a little: its quality is 90 of 100, with eight bits and without alpha.
///
/// ```
/// use quadrille::{Extent, data::Field};
/// use quadrille_run::io::field;
/// # let folder = std::env::temp_dir().join("quadrille-write-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("heat.png");
/// let heat = Field::new(Extent::new(2, 2), 1, vec![1.0_f32, 2.0, 3.0, 4.0])?;
/// let written = field::write(&path, &heat, field::PictureOptions::default())?;
/// assert_eq!(written.range, Some((1.0, 4.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`check_name`], and [`Error::Write`].
pub fn write(path: impl AsRef<Path>, field: &Field, options: PictureOptions) -> Result<Written> {
    let path = path.as_ref();
    check_name(path, field.channels())?;
    let format = match extension(path).as_str() {
        ".png" => Some(picture::Format::Png),
        ".jpg" | ".jpeg" => Some(picture::Format::Jpeg),
        _ => None,
    };
    if let Some(format) = format {
        let (bytes, told) = picture::encoded(path, field, options, format)?;
        write_whole(path, |file| file.write_all(&bytes))?;
        return Ok(told);
    }
    write_whole(path, |file| write_to(file, field))?;
    Ok(Written::default())
}

/// Returns the bytes of the picture that [`write()`] writes.
///
/// ```
/// use quadrille::{Extent, data::Field};
/// use quadrille_run::io::field;
/// # let folder = std::env::temp_dir().join("quadrille-png-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("red.png");
/// let red = Field::new(Extent::new(1, 1), 3, vec![1.0_f32, 0.0, 0.0])?;
/// let options = field::PictureOptions::plain();
/// field::write(&path, &red, options)?;
/// assert_eq!(field::png(&red, options)?, std::fs::read(&path)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write()`] for a picture, without those of the file.
pub fn png(field: &Field, options: PictureOptions) -> Result<Vec<u8>> {
    encoded(field, options, picture::Format::Png)
}

/// Returns the bytes of the JPEG that [`write()`] writes.
///
/// # Errors
/// As [`png`].
pub fn jpeg(field: &Field, options: PictureOptions) -> Result<Vec<u8>> {
    encoded(field, options, picture::Format::Jpeg)
}

fn encoded(field: &Field, options: PictureOptions, format: picture::Format) -> Result<Vec<u8>> {
    let name = Path::new("a picture");
    picture::check(name, field.channels())?;
    picture::encoded(name, field, options, format).map(|(bytes, _)| bytes)
}

/// Reads the bytes of a `.npy` array from a stream, to its end; errors call it by `name`.
///
/// # Errors
/// Those of [`read()`].
pub fn read_from(stream: impl Read, name: impl AsRef<Path>) -> Result<(Field, Notes)> {
    let name = name.as_ref();
    of_array(name, npy::read_any_from(stream, name)?, Layout::of_shape)
}

/// Reads the bytes of a file as [`read()`] reads the file of this name; an array may also have
/// layers first: three axes of which the last is longer than 4, or four.
///
/// ```
/// use quadrille::data::Field;
/// use quadrille_run::io::field;
/// let line = Field::line(vec![1.0_f32, 2.0])?;
/// let mut bytes = Vec::new();
/// field::write_to(&mut bytes, &line)?;
/// assert_eq!(field::read_bytes(&bytes, "line.npy")?.0, line);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read()`].
pub fn read_bytes(bytes: &[u8], name: impl AsRef<Path>) -> Result<(Field, Notes)> {
    let name = name.as_ref();
    match extension(name).as_str() {
        ".npy" => of_array(name, npy::read_any_from(bytes, name)?, Layout::of_any_shape),
        ".png" | ".jpg" | ".jpeg" => decode(bytes, name),
        _ => Err(wrong_name(name, READABLE)),
    }
}

/// Writes the bytes of a `.npy` array to a stream.
///
/// ```
/// use quadrille::data::Field;
/// use quadrille_run::io::field;
/// let line = Field::line(vec![1.0_f32, 2.0])?;
/// let mut bytes = Vec::new();
/// field::write_to(&mut bytes, &line)?;
/// assert_eq!(field::read_from(&bytes[..], "bytes")?.0, line);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of the stream.
pub fn write_to(stream: impl Write, field: &Field) -> std::io::Result<()> {
    let shape = field.shape();
    match field.values() {
        Values::F32(numbers) if field.is_half() => {
            npy::write_to(stream, &shape, numbers.iter().map(|x| half::f16::from_f32(*x)))
        }
        Values::F32(numbers) => npy::write_to(stream, &shape, numbers.iter().copied()),
        Values::I32(numbers) => npy::write_to(stream, &shape, numbers.iter().copied()),
        Values::U32(numbers) => npy::write_to(stream, &shape, numbers.iter().copied()),
    }
}

/// Reads as [`read()`] does, also an array with layers first: three axes of which the last is
/// longer than 4, or four.
///
/// # Errors
/// As [`read()`].
pub(crate) fn read_with_layers(path: impl AsRef<Path>) -> Result<(Field, Notes)> {
    let path = path.as_ref();
    match extension(path).as_str() {
        ".npy" => of_array(path, npy::read_any(path)?, Layout::of_any_shape),
        _ => read(path),
    }
}

fn read_array(path: &Path) -> Result<(Field, Notes)> {
    of_array(path, npy::read_any(path)?, Layout::of_shape)
}

fn of_array(
    path: &Path,
    array: AnyArray,
    layout: impl Fn(&[usize]) -> quadrille::data::Result<Layout>,
) -> Result<(Field, Notes)> {
    let (shape, numbers, rounded, half) = match array {
        AnyArray::Floats(array) => {
            (array.shape, Values::F32(array.data), array.rounded, array.half)
        }
        AnyArray::Integers(array) => (array.shape, Values::I32(array.data), false, false),
        AnyArray::Unsigned(array) => (array.shape, Values::U32(array.data), false, false),
    };
    let layout = layout(&shape).map_err(in_file(path))?;
    let field = Field::of_layout(layout, numbers).map_err(in_file(path))?;
    let notes = Notes { rounded, ..Notes::default() };
    Ok((if half { field.in_half() } else { field }, notes))
}

/// Returns the extension of a path with its dot, in lower case.
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
