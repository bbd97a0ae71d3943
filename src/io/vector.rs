//! Vectors and small stacks of them, in the format that the file's name says.

use std::path::Path;

use super::error::whole_file;
use super::npy::{self, Array, InMemory, Notes, Reader};
use super::{Error, Result, matrix_market};
use crate::data::{Block, Element, Float, Shape};

/// The formats, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Npy,
    MatrixMarket,
}

/// Refuses a name that [`read()`] and [`write()`] would refuse, before any work is done for it.
///
/// # Errors
/// [`Error::Extension`].
pub fn check_name(path: impl AsRef<Path>) -> Result<()> {
    format(path.as_ref()).map(drop)
}

/// Reads a vector from `.npy` or `.mtx`: one axis, or two of which one has length 1. All numbers
/// are finite.
///
/// For `.mtx` [`Array::rounded`] is false: text has no precision of its own, and each number is the
/// one nearest to its text.
///
/// # Errors
/// [`Error::Shape`] for a matrix, [`Error::NotFinite`], and as the reader of the format.
pub fn read(path: impl AsRef<Path>) -> Result<Array> {
    read_as(path.as_ref())
}

/// Reads a vector as [`read()`] does, in double precision.
///
/// # Errors
/// As [`read()`].
pub fn read_f64(path: impl AsRef<Path>) -> Result<Array<f64>> {
    read_as(path.as_ref())
}

/// Reads an array of any axes from `.npy`, or a vector from `.mtx`, in double precision. All numbers are finite.
///
/// # Errors
/// [`Error::NotFinite`], and as the reader of the format.
pub fn read_array_f64(path: impl AsRef<Path>) -> Result<Array<f64>> {
    let array = read_axes(path.as_ref())?;
    array.finite().map(|()| array)
}

/// Reads the numbers of a block of a grid of `n` numbers in rows of `m`, row by row, from `.npy` or
/// `.mtx`, without keeping the rest. All numbers of the block are finite. A `.npy` file has one
/// axis, or two of which one has length 1, or the grid's rows and columns.
///
/// # Errors
/// [`Error::Shape`] for another number of numbers, [`Error::NotFinite`], and as the reader of the
/// format.
pub fn read_block(
    path: impl AsRef<Path>,
    block: &Block,
    n: usize,
    m: usize,
) -> Result<(Vec<f32>, Notes)> {
    read_block_as(path.as_ref(), block, n, m)
}

/// Reads the numbers of a block as [`read_block`] does, in double precision.
///
/// # Errors
/// As [`read_block`].
pub fn read_block_f64(
    path: impl AsRef<Path>,
    block: &Block,
    n: usize,
    m: usize,
) -> Result<(Vec<f64>, Notes)> {
    read_block_as(path.as_ref(), block, n, m)
}

fn read_block_as<T: Float + InMemory>(
    path: &Path,
    block: &Block,
    n: usize,
    m: usize,
) -> Result<(Vec<T>, Notes)> {
    let (numbers, notes): (Vec<T>, Notes) = match format(path)? {
        Format::Npy => Reader::open(path)?.block_of(block, n, m)?,
        Format::MatrixMarket => {
            (matrix_market::read_column_block(path, block, n, m)?, Notes::default())
        }
    };
    let mut indices = block.rows.clone().flat_map(|row| block.in_row(row, n, m));
    match numbers.iter().position(|number| !(*number).into().is_finite()) {
        None => Ok((numbers, notes)),
        Some(at) => {
            let (value, index) = (numbers[at].into(), indices.nth(at).unwrap_or(at));
            let at = format!("number {index} (from 0)");
            Err(Error::NotFinite { place: whole_file(path), at, value })
        }
    }
}

fn read_as<T: Float + InMemory>(path: &Path) -> Result<Array<T>> {
    let array = read_axes(path)?;
    array.one_axis()?;
    array.finite().map(|()| array)
}

fn read_axes<T: Float + InMemory>(path: &Path) -> Result<Array<T>> {
    Ok(match format(path)? {
        Format::Npy => npy::read_file(path)?,
        Format::MatrixMarket => {
            let data = matrix_market::read_column(path)?;
            let (shape, file) = (vec![data.len()], path.display().to_string());
            Array { shape, data, rounded: false, bytes: false, half: false, file }
        }
    })
}

/// Writes numbers in row-major order to `.npy`, or to `.mtx` as a dense matrix; a vector there is
/// one column.
///
/// # Errors
/// [`Error::Extension`] and [`Error::Write`].
pub fn write(path: impl AsRef<Path>, shape: &[usize], row_major: &[f32]) -> Result<()> {
    write_as(path.as_ref(), shape, row_major)
}

/// Writes numbers in double precision, as [`write()`] does.
///
/// # Errors
/// As [`write()`].
pub fn write_f64(path: impl AsRef<Path>, shape: &[usize], row_major: &[f64]) -> Result<()> {
    write_as(path.as_ref(), shape, row_major)
}

fn write_as<T: Float + Element>(path: &Path, shape: &[usize], row_major: &[T]) -> Result<()> {
    match (format(path)?, shape) {
        (Format::Npy, _) => npy::write_array(path, shape, row_major),
        (Format::MatrixMarket, &[rows]) => {
            matrix_market::write_dense(path, Shape::new(rows, 1), row_major)
        }
        (Format::MatrixMarket, &[rows, cols]) => {
            matrix_market::write_dense(path, Shape::new(rows, cols), row_major)
        }
        (Format::MatrixMarket, _) => Err(Error::Shape {
            place: whole_file(path),
            expected: "one or two axes, which is what a .mtx file holds".into(),
            got: shape.to_vec(),
        }),
    }
}

fn format(path: &Path) -> Result<Format> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("npy") => Ok(Format::Npy),
        Some("mtx") => Ok(Format::MatrixMarket),
        other => Err(Error::Extension {
            place: whole_file(path),
            known: ".npy or .mtx",
            got: other.map_or_else(|| "none".into(), |extension| format!(".{extension}")),
        }),
    }
}
