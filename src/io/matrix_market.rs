//! Matrix Market files (`.mtx`): nine-banded and sparse matrices and vectors, in and out.
//!
//! The reader is our own, for two reasons. Its errors name the line, what was expected and what
//! came, which a reader that hands over finished triplets cannot. And it puts each entry straight
//! into its band as the line is read: memory is nine bands, not a list of triplets (three times as
//! much for a full stencil) beside them.
//!
//! Taken are `coordinate` and `array`, `real` and `integer`, `general` and `symmetric`; the others
//! are refused by name. Coordinate entries that come twice are summed, as the format asks. Numbers
//! are parsed and summed in double precision, then rounded once where they are read as `f32`.

mod diagonals;
mod part;
mod scanner;
#[cfg(feature = "solve")]
mod sparse;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use self::diagonals::Diagonals;
use self::scanner::Scanner;
use super::error::{in_file, no_memory, opened, whole_file};
use super::whole::write_whole;
use super::{Error, Result};
use crate::data::Shape;
use crate::data::{Band, Block, Float, MAX_UNKNOWNS, NineBanded};
use crate::error::a_matrix;
use crate::memory;

pub use part::{Outline, outline, read_block, read_block_f64};
#[cfg(feature = "solve")]
pub use sparse::{
    read_csr, read_csr_f64, read_csr_from, read_grid, read_system, read_system_from, write_csr,
    write_csr_to, write_system,
};

/// The bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Reads a nine-banded matrix.
///
/// `width` is the distance `m` of the outer bands. Without it, it is found from the diagonals that
/// hold something: the largest offset itself where that explains all of them, else one less, else
/// one more. A file that is at most tridiagonal leaves it open and is refused. Stored zeros count
/// for nothing.
///
/// # Errors
/// [`Error::Read`], [`Error::Syntax`] with line and column, [`Error::NotNineBanded`],
/// [`Error::WidthOpen`] if the width cannot be found from the file, and other variants that name a
/// line.
pub fn read_nine_banded(path: impl AsRef<Path>, width: Option<usize>) -> Result<NineBanded> {
    matrix(open(path.as_ref())?, width)
}

/// Reads a nine-banded matrix as [`read_nine_banded`] does, from a stream, to its end; errors call
/// it by `name`.
///
/// ```
/// use quadrille::data::{NineBanded, Stencil};
/// use quadrille::io::matrix_market;
/// let matrix = "poisson5:12".parse::<Stencil>()?.matrix()?;
/// let mut text = Vec::new();
/// matrix_market::write_nine_banded_to(&mut text, &matrix)?;
/// let read: NineBanded = matrix_market::read_nine_banded_from(&text[..], "text", None)?;
/// assert!(read == matrix);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read_nine_banded`].
pub fn read_nine_banded_from<T: Float>(
    stream: impl Read,
    name: impl AsRef<Path>,
    width: Option<usize>,
) -> Result<NineBanded<T>> {
    matrix(scanner(stream, name.as_ref())?, width)
}

/// Reads a nine-banded matrix as [`read_nine_banded`] does, in double precision.
///
/// # Errors
/// As [`read_nine_banded`].
pub fn read_nine_banded_f64(
    path: impl AsRef<Path>,
    width: Option<usize>,
) -> Result<NineBanded<f64>> {
    matrix(open(path.as_ref())?, width)
}

fn matrix<T: Float>(
    scanner: Scanner<'_, impl BufRead>,
    width: Option<usize>,
) -> Result<NineBanded<T>> {
    let path = scanner.path();
    let Shape { rows, cols } = scanner.shape();
    if rows != cols {
        return Err(Error::NotSquare { place: scanner.place(), rows, cols });
    }
    let mut diagonals = Diagonals::new(rows, width).map_err(in_file(path))?;
    scanner.entries::<T>(|place, entry| diagonals.add::<T>(place, entry))?;
    diagonals.finish(path)
}

/// Reads a vector: a matrix of one column. Each number is the single-precision one nearest to the
/// text.
///
/// # Errors
/// [`Error::Read`], [`Error::Syntax`] with line and column, [`Error::Shape`] for several columns.
pub fn read_vector(path: impl AsRef<Path>) -> Result<Vec<f32>> {
    read_column(path.as_ref())
}

/// Reads a vector as [`read_vector`] does, from a stream, to its end; errors call it by `name`.
///
/// # Errors
/// As [`read_vector`].
pub fn read_vector_from<T: Float>(stream: impl Read, name: impl AsRef<Path>) -> Result<Vec<T>> {
    column(scanner(stream, name.as_ref())?)
}

/// Reads a vector of numbers of type `T`.
pub(super) fn read_column<T: Float>(path: &Path) -> Result<Vec<T>> {
    column(open(path)?)
}

fn column<T: Float>(scanner: Scanner<'_, impl BufRead>) -> Result<Vec<T>> {
    let path = scanner.path();
    let Shape { rows, cols } = scanner.shape();
    if cols != 1 || rows > MAX_UNKNOWNS {
        let expected = format!("one column of at most {MAX_UNKNOWNS} rows");
        let got = format!("{rows} rows and {cols} columns");
        return Err(Error::Syntax { place: scanner.place(), expected, got });
    }
    let mut vector = crate::data::zeros::<f64>(rows).map_err(in_file(path))?;
    scanner.entries::<T>(|place, entry| {
        vector[entry.row] += entry.value;
        scanner::check_held::<T>(place, entry, vector[entry.row])
    })?;
    memory::collected(rows, vector.into_iter().map(T::nearest)).map_err(no_memory(path))
}

/// Reads the numbers of a block of a grid of `n` in rows of `m`, from a vector.
pub(super) fn read_column_block<T: Float>(
    path: &Path,
    block: &Block,
    n: usize,
    m: usize,
) -> Result<Vec<T>> {
    block.must_be_in(n, m).map_err(in_file(path))?;
    let scanner = open(path)?;
    let Shape { rows, cols } = scanner.shape();
    if (rows, cols) != (n, 1) {
        let expected = format!("one column of {n} rows");
        let got = format!("{rows} rows and {cols} columns");
        return Err(Error::Syntax { place: scanner.place(), expected, got });
    }
    let count = block.len(n, m);
    let mut numbers = crate::data::zeros::<f64>(count).map_err(in_file(path))?;
    scanner.entries::<T>(|place, entry| match block.index(entry.row, m) {
        Some(at) => {
            numbers[at] += entry.value;
            scanner::check_held::<T>(place, entry, numbers[at])
        }
        None => Ok(()),
    })?;
    memory::collected(count, numbers.into_iter().map(T::nearest)).map_err(no_memory(path))
}

/// Writes a vector as a dense matrix of one column.
///
/// # Errors
/// [`Error::Write`].
pub fn write_vector(path: impl AsRef<Path>, vector: &[f32]) -> Result<()> {
    write_array(path, Shape::new(vector.len(), 1), vector)
}

/// Writes a dense matrix from numbers in row-major order.
///
/// Each number is written with the digits of its exact value in double precision, so that reading
/// it gives it back whatever precision the reader has.
///
/// # Errors
/// [`Error::Write`], and [`Error::Shape`] if the numbers do not fill the shape.
pub fn write_array(path: impl AsRef<Path>, shape: Shape, row_major: &[f32]) -> Result<()> {
    write_dense(path.as_ref(), shape, row_major)
}

/// Writes a vector to a stream, as [`write_vector`] writes a file.
///
/// # Errors
/// Those of the stream.
pub fn write_vector_to<T: Float>(stream: impl Write, vector: &[T]) -> io::Result<()> {
    dense_to(stream, Shape::new(vector.len(), 1), vector)
}

pub(super) fn write_dense<T: Float>(path: &Path, shape: Shape, row_major: &[T]) -> Result<()> {
    if Some(row_major.len()) != shape.len() {
        let count = shape.rows.saturating_mul(shape.cols);
        let expected = format!("{count} numbers for {}", a_matrix(shape));
        return Err(Error::Shape { place: whole_file(path), expected, got: vec![row_major.len()] });
    }
    write_whole(path, |file| dense_to(file, shape, row_major))
}

/// Writes numbers that fill the shape.
fn dense_to<T: Float>(mut stream: impl Write, shape: Shape, row_major: &[T]) -> io::Result<()> {
    writeln!(stream, "%%MatrixMarket matrix array real general")?;
    writeln!(stream, "{} {}", shape.rows, shape.cols)?;
    for col in 0..shape.cols {
        for row in 0..shape.rows {
            writeln!(stream, "{:e}", row_major[row * shape.cols + col].into())?;
        }
    }
    Ok(())
}

/// Writes a nine-banded matrix as its entries other than zero, row by row: of a symmetric matrix
/// those on and below the diagonal, under a header that says so.
///
/// Each entry has the digits of its exact value in double precision, so that
/// [`read_nine_banded_f64`] gives it back. A matrix whose outer bands are zero is read again only
/// with its width given.
///
/// ```
/// use quadrille::data::Stencil;
/// use quadrille::io::matrix_market::{read_nine_banded, write_nine_banded};
/// # let folder = std::env::temp_dir().join("quadrille-write-matrix-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("a.mtx");
/// let matrix = "fe9:12:anisotropy=0.01".parse::<Stencil>()?.matrix()?;
/// write_nine_banded(&path, &matrix)?;
/// assert!(read_nine_banded(&path, None)? == matrix);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Write`].
pub fn write_nine_banded<T: Float>(path: impl AsRef<Path>, matrix: &NineBanded<T>) -> Result<()> {
    write_whole(path.as_ref(), |file| write_nine_banded_to(file, matrix))
}

/// Writes a nine-banded matrix to a stream, as [`write_nine_banded`] writes a file.
///
/// # Errors
/// Those of the stream.
pub fn write_nine_banded_to<T: Float>(
    mut stream: impl Write,
    matrix: &NineBanded<T>,
) -> io::Result<()> {
    let symmetric = matrix.first_asymmetric_entry().is_none();
    let entries = || {
        let row = |row| {
            let last = if symmetric { row } else { usize::MAX };
            let columns = columns(matrix, row).take_while(move |&column| column <= last);
            columns.map(move |column| (row, column, matrix.entry(row, column).into()))
        };
        (0..matrix.n()).flat_map(row).filter(|&(_, _, entry): &(_, _, f64)| entry != 0.0)
    };
    let symmetry = if symmetric { "symmetric" } else { "general" };
    writeln!(stream, "%%MatrixMarket matrix coordinate real {symmetry}")?;
    writeln!(stream, "{0} {0} {1}", matrix.n(), entries().count())?;
    for (row, column, entry) in entries() {
        writeln!(stream, "{} {} {entry:e}", row + 1, column + 1)?;
    }
    Ok(())
}

/// Returns the columns of a row that are on a band, ascending.
fn columns<T: Float>(matrix: &NineBanded<T>, row: usize) -> impl Iterator<Item = usize> {
    let (n, m) = (matrix.n(), matrix.m());
    let mut offsets = Band::ALL.map(|band| band.offset(m));
    offsets.sort_unstable();
    offsets
        .into_iter()
        .filter_map(move |offset| row.checked_add_signed(offset).filter(|&col| col < n))
}

fn open(path: &Path) -> Result<Scanner<'_, BufReader<File>>> {
    let (reader, length) = opened(path, CHUNK)?;
    Scanner::new(path, reader, length)
}

/// Makes a scanner of a stream, whose length is known only at its end.
fn scanner<R: Read>(stream: R, name: &Path) -> Result<Scanner<'_, BufReader<R>>> {
    Scanner::new(name, BufReader::with_capacity(CHUNK, stream), 0)
}
