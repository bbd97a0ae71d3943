//! Matrices in `.npy` files, of which ranks read and write parts.

use std::path::Path;

use bytemuck::cast_slice_mut;

use crate::Shape;
use crate::data::{Block, Number};
use crate::io;
use crate::io::npy::{Element, Parts, Reader};

use super::{Error, Result, Source, Target};

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Access(error.into())
    }
}

/// An operand in a file: a matrix of any type and order that [`read_matrix`](io::npy::read_matrix)
/// takes.
#[derive(Debug)]
pub struct NpySource {
    reader: Reader,
    shape: Shape,
    is_rounded: bool,
}

impl NpySource {
    /// Reads the file's header.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::open`], and [`io::Error::Shape`] if there are not two axes.
    pub fn open(path: impl AsRef<Path>) -> Result<NpySource, io::Error> {
        let reader = Reader::open(path)?;
        let [rows, cols] = *reader.shape() else { return Err(reader.no_matrix()) };
        let shape = Shape::new(rows, cols);
        Ok(NpySource { reader, shape, is_rounded: false })
    }

    /// Returns whether any number read so far was changed to fit single precision.
    pub fn is_rounded(&self) -> bool {
        self.is_rounded
    }
}

impl<T: Number + Element> Source<T> for NpySource {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn read(&mut self, block: &Block, to: &mut [T], pitch: usize) -> Result<()> {
        let Block { columns, rows } = block.clone();
        if self.reader.has_rows_of::<T>() {
            // As they are in memory: row by row to where they go.
            for (row, line) in rows.zip(to.chunks_mut(pitch)) {
                let bytes = cast_slice_mut(&mut line[..columns.len()]);
                self.reader.bytes(row * self.shape.cols + columns.start, bytes)?;
            }
            return Ok(());
        }
        let (part, notes) = self.reader.rectangle::<T>(rows, columns)?;
        self.is_rounded |= notes.rounded;
        for (row, line) in (0..part.shape().rows).zip(to.chunks_mut(pitch)) {
            line[..part.shape().cols].copy_from_slice(part.row(row));
        }
        Ok(())
    }
}

/// The target of C in a file that is written in parts.
pub struct NpyTarget {
    parts: Parts,
}

impl NpyTarget {
    /// Writes to these parts, of an array of two axes.
    pub fn new(parts: Parts) -> NpyTarget {
        NpyTarget { parts }
    }

    /// Ends this rank's part, as [`Parts::finish`] does.
    ///
    /// # Errors
    ///
    /// [`io::Error::Write`].
    pub fn finish(self) -> Result<(), io::Error> {
        self.parts.finish()
    }
}

impl<T: Number + Element> Target<T> for NpyTarget {
    fn write(&mut self, block: &Block, from: &[T], pitch: usize) -> Result<()> {
        let Block { columns, rows } = block.clone();
        if pitch == columns.len() {
            let count = rows.len() * pitch;
            return Ok(self.parts.write_rectangle(rows, columns, &from[..count])?);
        }
        for (row, line) in rows.zip(from.chunks(pitch)) {
            self.parts.write_rectangle(row..row + 1, columns.clone(), &line[..columns.len()])?;
        }
        Ok(())
    }
}
