//! NumPy's `.npy` arrays.

mod by_type;
mod dtype;
mod header;
mod reader;
mod stored;
mod writer;

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;

use super::error::{in_file, no_memory, opened, reading, whole_file};
use super::whole::write_whole;
use super::{Error, Result};
use crate::data::Shape;
use crate::data::{Float, Matrix, Number};
use crate::memory::{self, NoMemory};

use self::by_type::{ByType, by_type};
use self::header::Header;
pub(super) use self::stored::InMemory;
use self::stored::{Stored, append};

pub use self::reader::Reader;
pub use self::writer::{Parts, Unfinished};
pub use crate::data::Element;

/// The bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// The length of a stream, which is known only at its end.
const UNKNOWN: u64 = 0;

/// An array from a file, in row-major order whatever the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Array<T = f32> {
    /// The length along each axis; none for a single number.
    pub shape: Vec<usize>,
    /// The numbers, the last axis fastest.
    pub data: Vec<T>,
    /// Whether any number of a double-precision file was changed to fit single precision.
    pub rounded: bool,
    /// Whether the file holds unsigned bytes: each number is a whole one from 0 to 255.
    pub bytes: bool,
    /// Whether the file holds floats of half precision, 16 bits.
    pub half: bool,
    /// The file's name as the user gave it, for errors.
    pub file: String,
}

/// Notes for the user of a matrix from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notes {
    /// Whether any number of a double-precision file was changed to fit single precision.
    pub rounded: bool,
}

impl<T: Float> Array<T> {
    /// Refuses other shapes than a vector's: one axis, or two of which one has length 1.
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub fn one_axis(&self) -> Result<()> {
        match self.shape[..] {
            [_] | [1, _] | [_, 1] => Ok(()),
            _ => Err(Error::Shape {
                place: whole_file(Path::new(&self.file)),
                expected: "a vector: one axis, or two of which one has length 1".into(),
                got: self.shape.clone(),
            }),
        }
    }

    /// Refuses NaN and infinities, with the index of the first.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn finite(&self) -> Result<()> {
        match self.data.iter().position(|&number| !number.into().is_finite()) {
            None => Ok(()),
            Some(at) => Err(Error::NotFinite {
                place: whole_file(Path::new(&self.file)),
                at: index_text(at, &self.shape),
                value: self.data[at].into(),
            }),
        }
    }
}

/// Reads an array of `f2`, `f4`, `f8`, `i2`, `i4`, `i8` or `u1` numbers, of either byte order.
///
/// Doubles are rounded, which [`Array::rounded`] reports; one too large for single precision is
/// refused, as is an integer that has no exact single-precision value. NaN and infinities pass: see
/// [`Array::finite`].
///
/// # Errors
/// [`Error::Read`], [`Error::Syntax`] or [`Error::Unsupported`] for another content,
/// [`Error::Overflow`] and [`Error::Inexact`] for a number that single precision does not hold.
pub fn read(path: impl AsRef<Path>) -> Result<Array> {
    read_file(path.as_ref())
}

/// Reads an array as [`read()`] does from a stream, to its end; errors call it by `name`.
///
/// ```
/// use quadrille::io::npy;
/// let mut bytes = Vec::new();
/// npy::write_to(&mut bytes, &[2, 1], [0.5_f32, 8.0])?;
/// let array = npy::read_from(&bytes[..], "bytes")?;
/// assert_eq!((array.shape, array.data), (vec![2, 1], vec![0.5, 8.0]));
/// let error = npy::read_from(&bytes[..99], "bytes").unwrap_err();
/// assert!(error.to_string().starts_with("bytes: expected "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read()`].
pub fn read_from(stream: impl Read, name: impl AsRef<Path>) -> Result<Array> {
    read_stream(stream, name.as_ref())
}

/// Reads an array as [`read()`] does, in double precision: doubles as they are, integers exactly.
///
/// # Errors
/// As [`read()`].
pub fn read_f64(path: impl AsRef<Path>) -> Result<Array<f64>> {
    read_file(path.as_ref())
}

/// Reads an array in double precision from a stream, to its end; errors call it by `name`.
///
/// # Errors
/// As [`read()`].
pub fn read_f64_from(stream: impl Read, name: impl AsRef<Path>) -> Result<Array<f64>> {
    read_stream(stream, name.as_ref())
}

/// Reads a matrix: an array of two axes, of any length.
///
/// Floats come from the files that [`read()`] takes, in its way; integers from files of `i2`, `i4`,
/// `i8` or `u1` numbers that all fit their type. NaN and infinities pass.
///
/// # Errors
/// [`Error::Shape`] if there are not two axes, [`Error::NotFinite`], and as [`read()`].
pub fn read_matrix<T: Number>(path: impl AsRef<Path>) -> Result<(Matrix<T>, Notes)> {
    let path = path.as_ref();
    of_two_axes(read_file(path)?, path)
}

/// Reads a matrix as [`read_matrix`] does from a stream, to its end; errors call it by `name`.
///
/// # Errors
/// As [`read_matrix`].
pub fn read_matrix_from<T: Number>(
    stream: impl Read,
    name: impl AsRef<Path>,
) -> Result<(Matrix<T>, Notes)> {
    let name = name.as_ref();
    of_two_axes(read_stream(stream, name)?, name)
}

fn of_two_axes<T: Number>(array: Array<T>, path: &Path) -> Result<(Matrix<T>, Notes)> {
    let &[rows, cols] = &array.shape[..] else {
        let expected = "a matrix: two axes".into();
        return Err(Error::Shape { place: whole_file(path), expected, got: array.shape });
    };
    let matrix = Matrix::new(Shape::new(rows, cols), array.data).map_err(in_file(path))?;
    Ok((matrix, Notes { rounded: array.rounded }))
}

/// Reads a vector as [`read()`] does: one axis, or two of which one has length 1. NaN and
/// infinities pass.
///
/// # Errors
/// [`Error::Shape`] for a matrix, and as [`read()`].
pub fn read_vector(path: impl AsRef<Path>) -> Result<Array> {
    let array = read(path)?;
    array.one_axis().map(|()| array)
}

/// Writes an array of single-precision numbers, given in row-major order.
///
/// # Errors
/// [`Error::Write`], and [`Error::Shape`] if the numbers do not fill the shape.
pub fn write(path: impl AsRef<Path>, shape: &[usize], row_major: &[f32]) -> Result<()> {
    write_array(path.as_ref(), shape, row_major)
}

/// Writes an array of double-precision numbers (`f8`), given in row-major order.
///
/// # Errors
/// As [`write()`].
pub fn write_f64(path: impl AsRef<Path>, shape: &[usize], row_major: &[f64]) -> Result<()> {
    write_array(path.as_ref(), shape, row_major)
}

/// Writes a vector of unsigned bytes.
///
/// # Errors
/// [`Error::Write`].
pub fn write_bytes(path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
    write_array(path.as_ref(), &[bytes.len()], bytes)
}

/// Writes a matrix as an array of two axes: `f4`, `i2` or `i4`, as its type is.
///
/// # Errors
/// [`Error::Write`].
pub fn write_matrix<T: Number>(path: impl AsRef<Path>, matrix: &Matrix<T>) -> Result<()> {
    let Shape { rows, cols } = matrix.shape();
    write_array(path.as_ref(), &[rows, cols], matrix.elements())
}

/// An array of whichever type its file has.
pub enum AnyArray {
    /// Floats, rounded to single precision.
    Floats(Array<f32>),
    /// Signed integers.
    Integers(Array<i32>),
    /// Unsigned integers and bools.
    Unsigned(Array<u32>),
}

/// Reads floats as floats, integers as `i32`, and unsigned ones and bools as `u32`.
///
/// # Errors
/// Those of reading: the file, its header and its numbers.
pub fn read_any(path: &Path) -> Result<AnyArray> {
    let (reader, length) = opened(path, CHUNK)?;
    any(path, reader, length)
}

/// Reads an array of any type from a stream, to its end; errors call it by `name`.
///
/// # Errors
/// Those of reading: the stream, its header and its numbers.
pub fn read_any_from(stream: impl Read, name: impl AsRef<Path>) -> Result<AnyArray> {
    any(name.as_ref(), BufReader::with_capacity(CHUNK, stream), UNKNOWN)
}

fn any(path: &Path, mut reader: impl BufRead, length: u64) -> Result<AnyArray> {
    let header = header::read(path, &mut reader)?;
    let array = match header.dtype.scalar().map(|scalar| scalar.kind) {
        Some(b'i') => AnyArray::Integers(numbers(path, header, &mut reader, length)?),
        Some(b'u' | b'b') => AnyArray::Unsigned(numbers(path, header, &mut reader, length)?),
        _ => AnyArray::Floats(numbers(path, header, &mut reader, length).map_err(of_any)?),
    };
    check_end(path, &mut reader)?;
    Ok(array)
}

/// Lists every accepted type in the error, for an array that does not hold numbers.
fn of_any(error: Error) -> Error {
    match error {
        Error::Unsupported { place, got, .. } => {
            let accepted =
                "f2, f4, f8, i1, i2, i4, i8, u1, u2, u4 or bool (in NumPy: array.astype('f4'))";
            Error::Unsupported { place, got, accepted }
        }
        other => other,
    }
}

pub(super) fn read_file<T: InMemory>(path: &Path) -> Result<Array<T>> {
    let (reader, length) = opened(path, CHUNK)?;
    array(path, reader, length)
}

fn read_stream<T: InMemory>(stream: impl Read, name: &Path) -> Result<Array<T>> {
    array(name, BufReader::with_capacity(CHUNK, stream), UNKNOWN)
}

fn array<T: InMemory>(path: &Path, mut reader: impl BufRead, length: u64) -> Result<Array<T>> {
    let header = header::read(path, &mut reader)?;
    let array = numbers(path, header, &mut reader, length)?;
    check_end(path, &mut reader)?;
    Ok(array)
}

/// Returns all that follows a header, in row-major order.
fn numbers<T: InMemory>(
    path: &Path,
    header: Header,
    reader: &mut impl Read,
    length: u64,
) -> Result<Array<T>> {
    must_have_room(path, &header, length)?;
    let Header { dtype, fortran, shape } = header;
    let file = path.display().to_string();
    // A pipe may end long before the length in its header.
    let room = if length != UNKNOWN { shape.iter().product() } else { 0 };
    let data = memory::with_room(room).map_err(no_memory(path))?;
    let (bytes, half) = (dtype.is(b'u', 1), dtype.is(b'f', 2));
    let mut array = Array { shape, data, rounded: false, bytes, half, file };
    let big = dtype.is_big();
    by_type::<T>(path, &dtype, Whole { path, reader, array: &mut array, fortran, big })?;
    if fortran {
        array.data = to_row_major(&array.data, &array.shape).map_err(no_memory(path))?;
    }
    Ok(array)
}

pub(super) fn write_array<T: Element>(path: &Path, shape: &[usize], row_major: &[T]) -> Result<()> {
    let count = shape.iter().try_fold(1_usize, |product, &axis| product.checked_mul(axis));
    if count != Some(row_major.len()) {
        let count = count.map_or("more than any memory holds of".to_string(), |n| n.to_string());
        let expected = format!("{count} numbers for shape {shape:?}");
        return Err(Error::Shape { place: whole_file(path), expected, got: vec![row_major.len()] });
    }
    write_whole(path, |file| write_to(file, shape, row_major.iter().copied()))
}

/// Writes numbers that fill the shape.
///
/// # Errors
/// Those of the stream; and where there are more numbers than the shape has, or fewer.
pub fn write_to<T: Element>(
    stream: impl Write,
    shape: &[usize],
    row_major: impl IntoIterator<Item = T>,
) -> std::io::Result<()> {
    let mut stream = stream;
    stream.write_all(&header::of::<T>(shape)?)?;
    let mut numbers = row_major.into_iter();
    let (mut chunk, mut written) = (Vec::new(), 0_usize);
    loop {
        chunk.clear();
        chunk.extend(numbers.by_ref().take(CHUNK / size_of::<T>()));
        if chunk.is_empty() {
            break;
        }
        written += chunk.len();
        stream.write_all(bytemuck::cast_slice(&chunk))?;
    }
    if shape.iter().try_fold(1_usize, |product, &axis| product.checked_mul(axis)) == Some(written) {
        return Ok(());
    }
    let said = format!("expected as many numbers as the shape {shape:?} has, got {written}");
    Err(std::io::Error::new(ErrorKind::InvalidInput, said))
}

/// Refuses bytes after the numbers: a second array in the file would be lost silently.
fn check_end(path: &Path, reader: &mut impl BufRead) -> Result<()> {
    if reader.fill_buf().map_err(reading(path))?.is_empty() {
        return Ok(());
    }
    let expected = "the end of the file after its numbers: one array";
    let (place, expected, got) = (whole_file(path), expected.to_string(), "more data".to_string());
    Err(Error::Syntax { place, expected, got })
}

/// Refuses a file that is too short for the shape of its header.
fn must_have_room(path: &Path, header: &Header, length: u64) -> Result<()> {
    let Header { dtype, shape, .. } = header;
    let item = dtype.scalar().map_or(1, |scalar| scalar.size as u64);
    let bytes = shape.iter().try_fold(item, |product, &axis| product.checked_mul(axis as u64));
    match bytes {
        _ if shape.contains(&0) => Ok(()),
        Some(bytes) if bytes < length || length == UNKNOWN => Ok(()),
        _ => {
            let expected = format!("data for the shape {shape:?} of its header");
            let got = format!("a file of {length} bytes");
            Err(Error::Syntax { place: whole_file(path), expected, got })
        }
    }
}

/// Reads all numbers of a file into an array, in the order of the file.
struct Whole<'a, T, R: Read> {
    path: &'a Path,
    reader: &'a mut R,
    array: &'a mut Array<T>,
    fortran: bool,
    big: bool,
}

impl<T: InMemory, R: Read> ByType for Whole<'_, T, R> {
    /// Converts each number; fails if one is not representable.
    fn run<F: Stored>(self) -> Result<()> {
        let Whole { path, reader, array, fortran, big } = self;
        let count = array.shape.iter().product::<usize>();
        let (mut buffer, mut read) = (Vec::new(), 0);
        while read < count {
            let wanted = (CHUNK / size_of::<F>()).min(count - read) * size_of::<F>();
            buffer.clear();
            let part = reader.by_ref().take(wanted as u64).read_to_end(&mut buffer);
            part.map_err(reading(path))?;
            let shape = &array.shape;
            let index_text = |at: usize| {
                let stored = read + at;
                index_text(if fortran { to_row_major_index(stored, shape) } else { stored }, shape)
            };
            array.rounded |= append::<F, T>(path, (&buffer, big), &mut array.data, index_text)?;
            read += buffer.len() / size_of::<F>();
            if buffer.len() < wanted {
                let expected = format!("{count} numbers");
                let got = format!("{read} and the end of the file");
                return Err(Error::Syntax { place: whole_file(path), expected, got });
            }
        }
        Ok(())
    }
}

/// Returns an array stored with the first axis fastest, turned to the last axis fastest.
fn to_row_major<T: Copy + Default>(
    stored: &[T],
    shape: &[usize],
) -> std::result::Result<Vec<T>, NoMemory> {
    let mut turned = memory::filled(T::default(), stored.len())?;
    for (index, &number) in stored.iter().enumerate() {
        turned[to_row_major_index(index, shape)] = number;
    }
    Ok(turned)
}

/// Returns the index in a last-axis-fastest array of an element of a first-axis-fastest one.
fn to_row_major_index(stored: usize, shape: &[usize]) -> usize {
    let (mut rest, mut stride, mut index) = (stored, shape.iter().product::<usize>(), 0);
    for &axis in shape {
        stride /= axis;
        index += rest % axis * stride;
        rest /= axis;
    }
    index
}

/// Returns the subscripts of an element, from 0, as NumPy writes them.
fn index_text(mut index: usize, shape: &[usize]) -> String {
    let mut subscripts = Vec::new();
    for &axis in shape.iter().rev() {
        subscripts.push((index % axis).to_string());
        index /= axis;
    }
    subscripts.reverse();
    format!("index [{}]", subscripts.join(", "))
}
