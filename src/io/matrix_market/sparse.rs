//! Sparse matrices by rows, and matrices of systems in whichever form they have.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use super::super::error::{in_file, no_memory};
use super::super::whole::write_whole;
use super::super::{Error, Result};
use super::scanner::Scanner;
use super::{open, scanner, write_nine_banded};
use crate::data::{Csr, Float, NineBanded, SystemMatrix};
use crate::memory;

/// Reads a sparse matrix of any shape. Entries at one place are summed, in double precision, and zeros
/// are left out.
///
/// # Errors
/// [`Error::Read`], [`Error::Syntax`] with line and column, and other variants that name a line;
/// [`Error::Data`] for sums that are no finite numbers.
pub fn read_csr(path: impl AsRef<Path>) -> Result<Csr> {
    csr(open(path.as_ref())?)
}

/// Reads a sparse matrix as [`read_csr`] does, in double precision.
///
/// # Errors
/// As [`read_csr`].
pub fn read_csr_f64(path: impl AsRef<Path>) -> Result<Csr<f64>> {
    csr(open(path.as_ref())?)
}

/// Reads a sparse matrix as [`read_csr`] does, from a stream, to its end; errors call it by `name`.
///
/// ```
/// use quadrille::data::Csr;
/// use quadrille::io::matrix_market;
/// let text = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 0.5\n2 1 4\n";
/// let matrix: Csr = matrix_market::read_csr_from(text.as_bytes(), "text")?;
/// assert_eq!((matrix.shape().cols, matrix.entry(0, 2)), (3, 0.5));
/// let mut written = Vec::new();
/// matrix_market::write_csr_to(&mut written, &matrix)?;
/// assert!(matrix_market::read_csr_from(&written[..], "written")? == matrix);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read_csr`].
pub fn read_csr_from<T: Float>(stream: impl Read, name: impl AsRef<Path>) -> Result<Csr<T>> {
    csr(scanner(stream, name.as_ref())?)
}

fn csr<T: Float>(scanner: Scanner<'_, impl BufRead>) -> Result<Csr<T>> {
    let (path, shape) = (scanner.path(), scanner.shape());
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    scanner.entries::<T>(|_, entry| match entry.value == 0.0 {
        true => Ok(()),
        false => {
            memory::push(&mut entries, (entry.row, entry.col, entry.value)).map_err(no_memory(path))
        }
    })?;
    let whole = Csr::<f64>::from_entries(shape, entries).map_err(in_file(path))?;
    whole.map(|_, _, entry| entry).map_err(in_file(path))
}

/// Reads the matrix of a system, in double precision: by its nine diagonals where it has no others,
/// else by rows, for which the file is read twice. With a width m it has nine diagonals. One whose
/// coefficients are constant does not store them.
///
/// # Errors
/// Those of [`read_nine_banded_f64`](super::read_nine_banded_f64) with a width, and of
/// [`read_csr_f64`]; [`Error::NotSquare`].
pub fn read_system(path: impl AsRef<Path>, width: Option<usize>) -> Result<SystemMatrix> {
    let path = path.as_ref();
    system(super::read_nine_banded_f64(path, width), width, || read_csr_f64(path))
}

/// Reads the bytes of a file as [`read_system`] reads the file; errors call it by `name`.
///
/// # Errors
/// As [`read_system`].
pub fn read_system_from(
    bytes: &[u8],
    name: impl AsRef<Path>,
    width: Option<usize>,
) -> Result<SystemMatrix> {
    let name = name.as_ref();
    let bands = super::read_nine_banded_from(bytes, name, width);
    system(bands, width, || read_csr_from(bytes, name))
}

/// Returns the matrix by its diagonals as they were read, or by rows where it has others.
fn system(
    bands: Result<NineBanded<f64>>,
    width: Option<usize>,
    rows: impl FnOnce() -> Result<Csr<f64>>,
) -> Result<SystemMatrix> {
    match bands {
        Err(Error::NotNineBanded { .. } | Error::WidthOpen { .. }) if width.is_none() => {
            Ok(SystemMatrix::Csr(rows()?))
        }
        read => Ok(SystemMatrix::NineBanded(read?.in_least_form())),
    }
}

/// Reads the matrix of a system on a grid of three dimensions, in double precision.
///
/// # Errors
/// Those of [`read_csr_f64`] and of [`GridMatrix::from_entries`](crate::data::GridMatrix::from_entries); other rows
/// or columns than there are points.
pub fn read_grid(
    path: impl AsRef<Path>,
    grid: crate::data::Grid3,
) -> Result<crate::data::GridMatrix> {
    let matrix = read_csr_f64(path.as_ref())?;
    let shape = matrix.shape();
    if (shape.rows, shape.cols) != (grid.n(), grid.n()) {
        return Err(Error::Shape {
            place: crate::Place::file(path.as_ref().display().to_string()),
            expected: format!("{} rows and columns, the points of a grid of {grid}", grid.n()),
            got: vec![shape.rows, shape.cols],
        });
    }
    let entries = || {
        (0..shape.rows).flat_map(|row| {
            let (columns, values) = matrix.row(row);
            let entries = columns.iter().zip(values);
            entries.map(move |(column, value)| (row, *column as usize, *value))
        })
    };
    crate::data::GridMatrix::from_entries(grid, entries).map_err(in_file(path.as_ref()))
}

/// Writes a sparse matrix as its entries, row by row, each with the digits of its exact value in double
/// precision.
///
/// # Errors
/// [`Error::Write`].
pub fn write_csr<T: Float>(path: impl AsRef<Path>, matrix: &Csr<T>) -> Result<()> {
    write_whole(path.as_ref(), |file| write_csr_to(file, matrix))
}

/// Writes a sparse matrix to a stream, as [`write_csr`] writes a file.
///
/// # Errors
/// Those of the stream.
pub fn write_csr_to<T: Float>(mut stream: impl Write, matrix: &Csr<T>) -> io::Result<()> {
    let shape = matrix.shape();
    writeln!(stream, "%%MatrixMarket matrix coordinate real general")?;
    writeln!(stream, "{} {} {}", shape.rows, shape.cols, matrix.entries())?;
    for row in 0..shape.rows {
        let (columns, values) = matrix.row(row);
        for (column, value) in columns.iter().zip(values) {
            let value: f64 = (*value).into();
            writeln!(stream, "{} {} {value:e}", row + 1, column + 1)?;
        }
    }
    Ok(())
}

/// Writes the matrix of a system in its form: see [`write_nine_banded`] and [`write_csr`]. One with
/// periodic sides, or of three dimensions, is written by its rows.
///
/// # Errors
/// [`Error::Write`], and [`Error::Data`] without memory for those rows.
pub fn write_system(path: impl AsRef<Path>, matrix: &SystemMatrix) -> Result<()> {
    match matrix {
        SystemMatrix::NineBanded(matrix) => write_nine_banded(path, matrix),
        SystemMatrix::Csr(matrix) => write_csr(path, matrix),
        SystemMatrix::Periodic(matrix) => {
            let by_rows = matrix.csr().map_err(in_file(path.as_ref()))?;
            write_csr(path, &by_rows)
        }
        SystemMatrix::Grid(matrix) => {
            let by_rows = matrix.csr().map_err(in_file(path.as_ref()))?;
            write_csr(path, &by_rows)
        }
    }
}
