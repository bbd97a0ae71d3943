//! NumPy's `.npy` arrays.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use npyz::{DType, NpyFile, Order, TypeChar, WriterBuilder};

use super::error::{reading, whole_file};
use super::whole::write_whole;
use super::{Error, Result};

/// An array from a file, in row-major order whatever the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The length along each axis; none for a single number.
    pub shape: Vec<usize>,
    /// The numbers, the last axis fastest.
    pub data: Vec<f32>,
    /// Whether any number of a double-precision file was changed to fit single precision.
    pub rounded: bool,
    /// The file's name as the user gave it, for errors.
    pub file: String,
}

impl Array {
    /// Refuses NaN and infinities, with the index of the first.
    pub fn finite(&self) -> Result<()> {
        match self.data.iter().position(|number| !number.is_finite()) {
            None => Ok(()),
            Some(at) => Err(Error::NotFinite {
                place: whole_file(Path::new(&self.file)),
                at: index_text(at, &self.shape),
                value: f64::from(self.data[at]),
            }),
        }
    }
}

/// Reads an array of `f4`, `f8`, `i4`, `i8` or `u1` numbers, of either byte order.
///
/// Doubles are rounded, which [`Array::rounded`] tells; one too large for single precision is refused, as is an
/// integer that has no exact single-precision value. NaN and infinities pass: see [`Array::finite`].
pub fn read(path: impl AsRef<Path>) -> Result<Array> {
    let path = path.as_ref();
    let file = File::open(path).map_err(reading(path))?;
    let length = file.metadata().map_err(reading(path))?.len();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let npy = NpyFile::new(&mut reader).map_err(|error| not_npy(path, &error))?;
    let shape = checked_shape(path, &npy, length)?;
    let fortran = npy.order() == Order::Fortran;
    let mut array =
        Array { shape, data: Vec::new(), rounded: false, file: path.display().to_string() };
    fill(path, npy, &mut array, fortran)?;
    check_end(path, &mut reader)?;
    if fortran {
        array.data = to_row_major(&array.data, &array.shape);
    }
    Ok(array)
}

/// Writes an array of single-precision numbers, given in row-major order.
pub fn write(path: impl AsRef<Path>, shape: &[usize], row_major: &[f32]) -> Result<()> {
    let path = path.as_ref();
    if shape.iter().product::<usize>() != row_major.len() {
        let expected = format!("{} numbers for shape {shape:?}", shape.iter().product::<usize>());
        return Err(Error::Shape { place: whole_file(path), expected, got: vec![row_major.len()] });
    }
    let axes: Vec<u64> = shape.iter().map(|&axis| axis as u64).collect();
    write_whole(path, |file| {
        let options = npyz::WriteOptions::<f32>::new().default_dtype().shape(&axes);
        let mut writer = options.writer(file).begin_nd()?;
        writer.extend(row_major.iter().copied())?;
        writer.finish()
    })
}

fn not_npy(path: &Path, error: &std::io::Error) -> Error {
    let (expected, got) = ("the header of a .npy array", error.to_string());
    Error::Syntax { place: whole_file(path), expected: expected.into(), got }
}

/// Refuses what follows the numbers: a second array in the file would be lost without a word.
fn check_end(path: &Path, reader: &mut impl BufRead) -> Result<()> {
    if reader.fill_buf().map_err(reading(path))?.is_empty() {
        return Ok(());
    }
    let expected = "the end of the file after its numbers: one array";
    let (place, expected, got) = (whole_file(path), expected.to_string(), "more data".to_string());
    Err(Error::Syntax { place, expected, got })
}

/// The shape, if the file is long enough to hold what it promises.
fn checked_shape<R: Read>(path: &Path, npy: &NpyFile<R>, length: u64) -> Result<Vec<usize>> {
    let item = npy.dtype().num_bytes().unwrap_or(1) as u64;
    let bytes = npy.shape().iter().try_fold(item, |product, &axis| product.checked_mul(axis));
    let empty = npy.shape().contains(&0);
    match bytes {
        _ if empty => {}
        // A pipe has no length: there the end of the data tells.
        Some(bytes) if bytes < length || length == 0 => {}
        _ => {
            let expected = format!("data for the shape {:?} of its header", npy.shape());
            let got = format!("a file of {length} bytes");
            return Err(Error::Syntax { place: whole_file(path), expected, got });
        }
    }
    Ok(npy.shape().iter().map(|&axis| axis as usize).collect())
}

/// Reads the numbers in the order of the file, by their type.
fn fill<R: Read>(path: &Path, npy: NpyFile<R>, array: &mut Array, fortran: bool) -> Result<()> {
    let kind = match npy.dtype() {
        DType::Plain(plain) => Some((plain.type_char(), plain.size_field())),
        _ => None,
    };
    let place = || whole_file(path);
    let at = |index: usize, shape: &[usize]| match fortran {
        true => index_text(to_row_major_index(index, shape), shape),
        false => index_text(index, shape),
    };
    match kind {
        Some((TypeChar::Float, 4)) => each::<f32, R>(path, npy, array, |number, _, _| Ok(number)),
        Some((TypeChar::Float, 8)) => each::<f64, R>(path, npy, array, |number, index, array| {
            let single = number as f32;
            if number.is_finite() && !single.is_finite() {
                let (at, value) = (at(index, &array.shape), format!("{number:e}"));
                return Err(Error::Overflow { place: place(), at, value });
            }
            array.rounded |= number.is_finite() && f64::from(single) != number;
            Ok(single)
        }),
        Some((TypeChar::Int, 4)) => each::<i32, R>(path, npy, array, |number, index, array| {
            exact(number.into()).map_err(|value| Error::Inexact {
                place: place(),
                at: at(index, &array.shape),
                value,
            })
        }),
        Some((TypeChar::Int, 8)) => each::<i64, R>(path, npy, array, |number, index, array| {
            exact(number).map_err(|value| Error::Inexact {
                place: place(),
                at: at(index, &array.shape),
                value,
            })
        }),
        Some((TypeChar::Uint, 1)) => {
            each::<u8, R>(path, npy, array, |number, _, _| Ok(number.into()))
        }
        _ => Err(Error::Unsupported {
            place: place(),
            got: format!("an array of {}", npy.dtype().descr()),
            accepted: "f4, f8, i4, i8 or u1 (in NumPy: array.astype('f4'))",
        }),
    }
}

/// Reads one type of number through a conversion that may refuse, knowing the number's index in the file.
fn each<T: npyz::Deserialize, R: Read>(
    path: &Path,
    npy: NpyFile<R>,
    array: &mut Array,
    convert: impl Fn(T, usize, &mut Array) -> Result<f32>,
) -> Result<()> {
    let count = npy.shape().iter().product::<u64>();
    let short = |read: usize| Error::Syntax {
        place: whole_file(path),
        expected: format!("{count} numbers"),
        got: format!("{read} and the end of the file"),
    };
    let numbers = npy.data::<T>().map_err(|error| Error::Syntax {
        place: whole_file(path),
        expected: "numbers of the type that the header tells".into(),
        got: error.to_string(),
    })?;
    for (index, number) in numbers.enumerate() {
        let number = match number {
            Ok(number) => number,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                return Err(short(index));
            }
            Err(error) => return Err(reading(path)(error)),
        };
        let single = convert(number, index, array)?;
        array.data.push(single);
    }
    Ok(())
}

/// The integer as a float, or itself where no float has its value.
fn exact(integer: i64) -> std::result::Result<f32, i64> {
    let single = integer as f32;
    // Through i128: 2^63 as a float would saturate on its way back to i64.
    if single as i128 == i128::from(integer) { Ok(single) } else { Err(integer) }
}

/// An array stored with the first axis fastest, turned to the last axis fastest.
fn to_row_major<T: Copy + Default>(stored: &[T], shape: &[usize]) -> Vec<T> {
    let mut turned = vec![T::default(); stored.len()];
    for (index, &number) in stored.iter().enumerate() {
        turned[to_row_major_index(index, shape)] = number;
    }
    turned
}

/// Where the element at a place of a first-axis-fastest array lies in a last-axis-fastest one.
fn to_row_major_index(stored: usize, shape: &[usize]) -> usize {
    let (mut rest, mut stride, mut index) = (stored, shape.iter().product::<usize>(), 0);
    for &axis in shape {
        stride /= axis;
        index += rest % axis * stride;
        rest /= axis;
    }
    index
}

/// The subscripts of an element, from 0, as NumPy writes them.
fn index_text(mut index: usize, shape: &[usize]) -> String {
    let mut subscripts = Vec::new();
    for &axis in shape.iter().rev() {
        subscripts.push((index % axis).to_string());
        index /= axis;
    }
    subscripts.reverse();
    format!("index [{}]", subscripts.join(", "))
}
