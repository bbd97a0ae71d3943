//! An array that several processes write parts of.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::super::error::{in_file, whole_file};
use super::super::whole::{Replacement, sync};
use super::super::{Error, Result};
use super::Reader;
use super::dtype::descr;
use super::header;
use super::reader::joined;
use crate::data::{Block, Element};

/// A `.npy` file that is being written in parts, under a temporary name beside its own, which it
/// has once it is [finished](Unfinished::finish). If it is dropped before, nothing is left of it
/// and an older file stays.
///
/// One process creates and finishes it. Each process, that one too, writes by [`Parts`]; before it
/// is finished, all must have ended that.
///
/// ```
/// use quadrille::io::npy::{self, Parts, Unfinished};
/// # let folder = std::env::temp_dir().join("quadrille-npy-parts-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("a.npy");
/// let whole = Unfinished::create::<f32>(&path, &[2, 4])?;
/// for columns in [0..2, 2..4] {
///     let mut parts = Parts::open(whole.temporary(), &path)?;
///     parts.write_rectangle(0..2, columns.clone(), &[columns.start as f32; 4])?;
///     parts.finish()?;
/// }
/// whole.finish()?;
/// assert_eq!(npy::read(&path)?.data, [0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 2.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Unfinished {
    path: PathBuf,
    replacement: Replacement,
}

impl Unfinished {
    /// Makes the temporary file: an array of zeros of type `T`, which take no room until they are
    /// written.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::Shape`] for more numbers than a file can have;
    /// [`Error::Unsupported`] if `path` is no regular file, such as a pipe, which cannot be written
    /// in parts.
    pub fn create<T: Element>(path: impl AsRef<Path>, shape: &[usize]) -> Result<Unfinished> {
        let path = path.as_ref();
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let accepted = "the name of a file, which is written in parts";
            let got = "what is no regular file, such as a folder or a pipe,".into();
            return Err(Error::Unsupported { place: whole_file(path), got, accepted });
        }
        let bytes = shape.iter().try_fold(size_of::<T>() as u64, |bytes, &axis| {
            bytes.checked_mul(axis as u64).filter(|bytes| *bytes < 1 << 62)
        });
        let Some(bytes) = bytes else {
            let (place, expected) = (whole_file(path), "less than 2^62 bytes of numbers".into());
            return Err(Error::Shape { place, expected, got: shape.to_vec() });
        };
        let begun = || -> io::Result<Unfinished> {
            let replacement = Replacement::begin(path)?;
            let (header, mut file) = (header::of::<T>(shape)?, replacement.file());
            file.write_all(&header)?;
            file.set_len(header.len() as u64 + bytes)?;
            Ok(Unfinished { path: path.to_path_buf(), replacement })
        };
        begun().map_err(writing(path))
    }

    /// Returns the file to be opened by [`Parts::open`], until this one is finished.
    pub fn temporary(&self) -> &Path {
        self.replacement.temporary()
    }

    /// Gives the file its name. Permissions, symbolic links and hard links of an older one are kept
    /// as all writers of [`io`](crate::io) do.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(self) -> Result<()> {
        self.replacement.finish().map_err(writing(&self.path))
    }
}

/// Writes parts of an [`Unfinished`] file.
pub struct Parts {
    path: PathBuf,
    file: File,
    layout: Reader,
}

impl Parts {
    /// Opens the file at its [temporary](Unfinished::temporary) name; `path` is the one that it
    /// will have, for errors.
    ///
    /// # Errors
    /// [`Error::Write`], and those of [`Reader::open`].
    pub fn open(temporary: impl AsRef<Path>, path: impl AsRef<Path>) -> Result<Parts> {
        let (temporary, path) = (temporary.as_ref(), path.as_ref());
        let file = File::options().write(true).open(temporary).map_err(writing(path))?;
        let layout = Reader::open(temporary)?;
        Ok(Parts { path: path.to_path_buf(), file, layout })
    }

    /// Writes a rectangle of an array of two axes, given row by row.
    ///
    /// # Errors
    /// [`Error::Shape`] if the file has another shape or type, the rectangle is not in it, or has
    /// another number of numbers; [`Error::Write`].
    pub fn write_rectangle<T: Element>(
        &mut self,
        rows: Range<usize>,
        cols: Range<usize>,
        row_major: &[T],
    ) -> Result<()> {
        let fits = |height: usize, width: usize| rows.end <= height && cols.end <= width;
        match *self.layout.shape() {
            [height, width] if fits(height, width) => {
                let ranges = rows.map(|row| row * width + cols.start..row * width + cols.end);
                self.write_ranges(ranges, row_major)
            }
            _ => {
                Err(self.refused(format!("a matrix with rows {rows:?} and columns {cols:?} in it")))
            }
        }
    }

    /// Writes the numbers of a block of a grid of `n` numbers in rows of `m`, given row by row, to
    /// an array of one axis of length `n`, or of the grid's rows and columns.
    ///
    /// # Errors
    /// [`Error::Data`] if the block is not in the grid, and as
    /// [`write_rectangle`](Parts::write_rectangle).
    pub fn write_block<T: Element>(
        &mut self,
        block: &Block,
        n: usize,
        m: usize,
        numbers: &[T],
    ) -> Result<()> {
        block.must_be_in(n, m).map_err(in_file(&self.path))?;
        match *self.layout.shape() {
            [length] if length == n => {}
            [height, width] if width == m && height.checked_mul(width) == Some(n) => {}
            _ => return Err(self.refused(format!("{n} numbers, or as many in rows of {m}"))),
        }
        self.write_ranges(block.rows.clone().map(|row| block.in_row(row, n, m)), numbers)
    }

    /// Ends this process's parts: once it has returned, others can read them.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(self) -> Result<()> {
        sync(&self.file).map_err(writing(&self.path))
    }

    fn refused(&self, expected: String) -> Error {
        Error::Shape { place: whole_file(&self.path), expected, got: self.layout.shape().to_vec() }
    }

    fn write_ranges<T: Element>(
        &mut self,
        ranges: impl Iterator<Item = Range<usize>> + Clone,
        mut numbers: &[T],
    ) -> Result<()> {
        let count = ranges.clone().map(|range| range.len()).sum::<usize>();
        if count != numbers.len() {
            let (place, expected) =
                (whole_file(&self.path), format!("{count} numbers for this part"));
            return Err(Error::Shape { place, expected, got: vec![numbers.len()] });
        }
        let (descr, got) = (format!("'{}'", descr::<T>()), self.layout.descr());
        if descr != got {
            let expected = format!("an array of {descr}, as its part is");
            return Err(Error::Syntax { place: whole_file(&self.path), expected, got });
        }
        for range in joined(ranges) {
            let (now, rest) = numbers.split_at(range.len());
            let position = self.layout.position(range.start);
            let written = self.file.seek(SeekFrom::Start(position));
            let written = written.and_then(|_| self.file.write_all(bytemuck::cast_slice(now)));
            written.map_err(writing(&self.path))?;
            numbers = rest;
        }
        Ok(())
    }
}

fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |reason| Error::Write { place: whole_file(path), reason }
}
