//! Parts of an array, read without the rest of the file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::super::error::{in_file, no_memory, opened, reading, whole_file};
use super::super::{Error, Result};
use super::by_type::{ByType, by_type};
use super::dtype::{DType, descr};
use super::header::{self, Header};
use super::stored::{InMemory, Stored, append};
use super::{Notes, index_text, must_have_room, to_row_major, to_row_major_index};
use crate::data::Shape;
use crate::data::{Block, Element, Matrix, Number};
use crate::memory;

/// The bytes that are read at once.
const CHUNK: usize = 1 << 20;

/// An array in a file, of which parts are read: a rectangle of a matrix, or the numbers of a block
/// of a grid. Memory and time are those of the part, in either order of the file, of every type
/// that [`read()`](super::read()) takes and in its way.
///
/// ```
/// use quadrille::io::npy::{self, Reader};
/// # let folder = std::env::temp_dir().join("quadrille-npy-reader-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("a.npy");
/// npy::write(&path, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let (part, _) = Reader::open(&path)?.rectangle::<f32>(0..2, 1..3)?;
/// assert_eq!(part.elements(), [2.0, 3.0, 5.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: File,
    dtype: DType,
    fortran: bool,
    shape: Vec<usize>,
    /// The byte at which the numbers begin, and the bytes of one number.
    start: u64,
    item: usize,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`Error::Read`]; [`Error::Syntax`] for another content or a file that is longer or shorter
    /// than its array, and [`Error::Unsupported`] for numbers without a size, and for what is no
    /// file on a disk, such as a pipe.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader> {
        let path = path.as_ref();
        let (mut reader, length) = opened(path, super::CHUNK)?;
        if !reader.get_ref().metadata().map_err(reading(path))?.is_file() {
            let accepted = "a regular file, which can be read in parts";
            let got = "what is no regular file, such as a pipe,".into();
            return Err(Error::Unsupported { place: whole_file(path), got, accepted });
        }
        let header = header::read(path, &mut reader)?;
        must_have_room(path, &header, length)?;
        let Header { dtype, fortran, shape } = header;
        let start = reader.stream_position().map_err(reading(path))?;
        let item = dtype.scalar().map_or(0, |scalar| scalar.size);
        let expected = start + (item * shape.iter().product::<usize>()) as u64;
        if item > 0 && expected != length {
            let expected = format!("{expected} bytes for the shape {shape:?} of its header");
            let got = format!("a file of {length} bytes");
            return Err(Error::Syntax { place: whole_file(path), expected, got });
        }
        let (path, file) = (path.to_path_buf(), reader.into_inner());
        Ok(Reader { path, file, dtype, fortran, shape, start, item })
    }

    /// Returns the length along each axis; none for a single number.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Reads a rectangle of an array of two axes. NaN and infinities pass.
    ///
    /// # Errors
    /// [`Error::Shape`] if there are not two axes, or the rectangle is not in them,
    /// [`Error::Read`], out of memory, and as [`read_matrix`](super::read_matrix) for numbers that
    /// type `T` does not hold.
    pub fn rectangle<T: Number>(
        &mut self,
        rows: Range<usize>,
        cols: Range<usize>,
    ) -> Result<(Matrix<T>, Notes)> {
        let shape = Shape::new(rows.len(), cols.len());
        let (numbers, notes) = self.numbers_of(rows, cols)?;
        Ok((Matrix::new(shape, numbers).map_err(in_file(&self.path))?, notes))
    }

    /// Reads the numbers of a block of a grid of `n` numbers in rows of `m`, row by row: from an
    /// array of one axis, or of two of which one has length 1, or of the grid's rows and columns.
    /// NaN and infinities pass.
    ///
    /// # Errors
    /// [`Error::Shape`] for another array, [`Error::Data`] if the block is not in the grid, and as
    /// [`rectangle`](Reader::rectangle).
    pub fn block(&mut self, block: &Block, n: usize, m: usize) -> Result<(Vec<f32>, Notes)> {
        self.block_of(block, n, m)
    }

    /// Reads a block ([`block`](Reader::block)) in double precision.
    ///
    /// # Errors
    /// As [`block`](Reader::block).
    pub fn block_f64(&mut self, block: &Block, n: usize, m: usize) -> Result<(Vec<f64>, Notes)> {
        self.block_of(block, n, m)
    }

    pub(crate) fn block_of<T: InMemory>(
        &mut self,
        block: &Block,
        n: usize,
        m: usize,
    ) -> Result<(Vec<T>, Notes)> {
        block.must_be_in(n, m).map_err(in_file(&self.path))?;
        match self.shape[..] {
            [length] | [length, 1] | [1, length] if length == n => {
                let rows = block.rows.clone().map(|row| block.in_row(row, n, m));
                self.ranges(rows, block.len(n, m))
            }
            [rows, cols] if cols == m && rows.checked_mul(cols) == Some(n) => {
                self.numbers_of(block.rows.clone(), block.columns.clone())
            }
            _ => {
                let grid = if n.is_multiple_of(m) {
                    format!(", or {} rows of {m}", n / m)
                } else {
                    String::new()
                };
                Err(self.refused(format!("{n} numbers{grid}")))
            }
        }
    }

    /// Returns whether the file has numbers of type `T`, row by row, as this machine's memory has
    /// them.
    pub fn has_rows_of<T: Element>(&self) -> bool {
        !self.fortran && self.descr() == format!("'{}'", descr::<T>())
    }

    /// Returns the type of its numbers, as in the header.
    pub(super) fn descr(&self) -> String {
        self.dtype.descr()
    }

    /// Returns the error of a file that has no matrix.
    pub fn no_matrix(&self) -> Error {
        self.refused("a matrix: two axes".into())
    }

    fn refused(&self, expected: String) -> Error {
        Error::Shape { place: whole_file(&self.path), expected, got: self.shape.clone() }
    }

    /// Returns a rectangle, row by row.
    fn numbers_of<T: InMemory>(
        &mut self,
        rows: Range<usize>,
        cols: Range<usize>,
    ) -> Result<(Vec<T>, Notes)> {
        let (height, width) = match self.shape[..] {
            [height, width] => (height, width),
            _ => return Err(self.no_matrix()),
        };
        if rows.end > height || cols.end > width {
            let part = format!("rows {rows:?} and columns {cols:?} in it");
            return Err(self.refused(format!("a matrix with {part}")));
        }
        let (lines, part, length) =
            if self.fortran { (cols, rows, height) } else { (rows, cols, width) };
        let count = lines.len() * part.len();
        let shape = [part.len(), lines.len()];
        let ranges = lines.map(|line| line * length + part.start..line * length + part.end);
        let (numbers, notes) = self.ranges(ranges, count)?;
        match self.fortran {
            // What is stored is the transpose.
            true => Ok((to_row_major(&numbers, &shape).map_err(no_memory(&self.path))?, notes)),
            false => Ok((numbers, notes)),
        }
    }

    /// Returns the numbers of ranges in the order of the file, which have `count` together.
    fn ranges<T: InMemory>(
        &mut self,
        ranges: impl Iterator<Item = Range<usize>>,
        count: usize,
    ) -> Result<(Vec<T>, Notes)> {
        let mut numbers = memory::with_room(count).map_err(no_memory(&self.path))?;
        let mut notes = Notes::default();
        let (path, dtype) = (self.path.clone(), self.dtype.clone());
        let work = Ranges { reader: self, ranges, count, numbers: &mut numbers, notes: &mut notes };
        by_type::<T>(&path, &dtype, work)?;
        Ok((numbers, notes))
    }

    /// Returns the position of a number in the file, in bytes.
    pub(super) fn position(&self, stored: usize) -> u64 {
        self.start + (stored * self.item) as u64
    }

    /// Reads the bytes of numbers from this one on.
    ///
    /// # Errors
    /// [`Error::Read`].
    pub fn bytes(&mut self, first: usize, bytes: &mut [u8]) -> Result<()> {
        self.file.seek(SeekFrom::Start(self.position(first))).map_err(reading(&self.path))?;
        self.file.read_exact(bytes).map_err(reading(&self.path))
    }

    /// Returns the index of a number in the array as text, from its position in the file.
    fn index_text(&self, stored: usize) -> String {
        let index = if self.fortran { to_row_major_index(stored, &self.shape) } else { stored };
        index_text(index, &self.shape)
    }
}

struct Ranges<'a, I, T> {
    reader: &'a mut Reader,
    ranges: I,
    count: usize,
    numbers: &'a mut Vec<T>,
    notes: &'a mut Notes,
}

impl<T: InMemory, I: Iterator<Item = Range<usize>>> ByType for Ranges<'_, I, T> {
    fn run<F: Stored>(self) -> Result<()> {
        let Ranges { reader, ranges, count, numbers, notes } = self;
        let big = reader.dtype.is_big();
        let most = (CHUNK / reader.item).clamp(1, count.max(1));
        let mut buffer = memory::zeroed(most * reader.item).map_err(no_memory(&reader.path))?;
        for range in joined(ranges) {
            for first in range.clone().step_by(most) {
                let bytes = &mut buffer[..most.min(range.end - first) * reader.item];
                reader.bytes(first, bytes)?;
                let index_text = |at: usize| reader.index_text(first + at);
                let path = &reader.path;
                notes.rounded |= append::<F, T>(path, (bytes, big), numbers, index_text)?;
            }
        }
        Ok(())
    }
}

/// Joins ranges of which one begins at the end of another.
pub(super) fn joined(
    ranges: impl Iterator<Item = Range<usize>>,
) -> impl Iterator<Item = Range<usize>> {
    let mut ranges = ranges.filter(|range| !range.is_empty()).peekable();
    std::iter::from_fn(move || {
        let mut range = ranges.next()?;
        while let Some(next) = ranges.next_if(|next| next.start == range.end) {
            range.end = next.end;
        }
        Some(range)
    })
}
