//! The interfaces from which the elements of matrices are read and to which they are written.

use std::ops::Range;
use std::thread;

use bytemuck::{cast_slice, cast_slice_mut};

use crate::Shape;
use crate::data::{Block, Matrix, Number};
use crate::memory::host_threads;

use super::{Error, Result};

/// A source of the elements of an operand: memory, a file, a function. Only blocks of its rank's
/// part are read ([`Layout::of_a`](super::Layout::of_a) and [`Layout::of_b`](super::Layout::of_b)),
/// some of them several times where C is computed in several passes. A thread reads, while another
/// exchanges what was read before.
pub trait Source<T>: Send {
    /// Returns the shape of the whole matrix.
    fn shape(&self) -> Shape;

    /// Copies a block, row by row, to a slice where rows begin `pitch` elements apart, and leaves
    /// what is between them.
    ///
    /// # Errors
    ///
    /// [`Error::Access`] for what is read; [`Error::Outside`] for a block that it does not have.
    fn read(&mut self, block: &Block, to: &mut [T], pitch: usize) -> Result<()>;
}

/// A target for the elements of C. It is given each block of its rank's part once
/// ([`Layout::of_c`](super::Layout::of_c)).
pub trait Target<T> {
    /// Takes a block, row by row, whose rows begin `pitch` elements apart.
    ///
    /// # Errors
    ///
    /// As those of [`Source::read`].
    fn write(&mut self, block: &Block, from: &[T], pitch: usize) -> Result<()>;
}

/// A part of a matrix in memory, such as a rank has.
#[derive(Clone, Debug)]
pub struct Part<T: Number> {
    whole: Shape,
    block: Block,
    elements: Matrix<T>,
}

impl<T: Number> Part<T> {
    /// Creates a block of a matrix of this shape.
    ///
    /// # Errors
    ///
    /// [`Error::Outside`] if it has not the block's shape, or is not in the whole.
    pub fn new(whole: Shape, block: Block, elements: Matrix<T>) -> Result<Part<T>> {
        let is_inside = block.rows.end <= whole.rows && block.columns.end <= whole.cols;
        if is_inside && elements.shape() == Shape::new(block.rows.len(), block.columns.len()) {
            return Ok(Part { whole, block, elements });
        }
        Err(Error::Outside {
            block,
            held: Block::whole(elements.elements().len(), elements.shape().cols),
        })
    }

    /// Creates a whole matrix.
    pub fn whole(elements: Matrix<T>) -> Part<T> {
        let whole = elements.shape();
        Part { whole, block: Block { columns: 0..whole.cols, rows: 0..whole.rows }, elements }
    }

    /// Creates a block of zeros of a matrix of this shape, to be written.
    ///
    /// # Errors
    ///
    /// Out of memory, and those of [`new`](Self::new).
    pub fn zeros(whole: Shape, block: Block) -> Result<Part<T>> {
        let elements = Matrix::zeros(Shape::new(block.rows.len(), block.columns.len()))?;
        Part::new(whole, block, elements)
    }

    /// Returns the elements of the block.
    pub fn into_matrix(self) -> Matrix<T> {
        self.elements
    }

    /// Returns the start of a block in this part, and the distance between two of its rows, in
    /// elements.
    fn place(&self, block: &Block) -> Result<(usize, usize)> {
        let Block { columns, rows } = &self.block;
        let is_held = |outer: &Range<usize>, inner: &Range<usize>| {
            inner.is_empty() || outer.start <= inner.start && inner.end <= outer.end
        };
        if !is_held(columns, &block.columns) || !is_held(rows, &block.rows) {
            return Err(Error::Outside { block: block.clone(), held: self.block.clone() });
        }
        let row = block.rows.start.saturating_sub(rows.start);
        let column = block.columns.start.saturating_sub(columns.start);
        Ok((row * columns.len() + column, columns.len()))
    }
}

impl<T: Number> Source<T> for Part<T> {
    fn shape(&self) -> Shape {
        self.whole
    }

    fn read(&mut self, block: &Block, to: &mut [T], pitch: usize) -> Result<()> {
        let (start, width) = self.place(block)?;
        let from = self.elements.elements().get(start..).unwrap_or(&[]);
        copy_rows(from, width, to, pitch, block.rows.len(), block.columns.len());
        Ok(())
    }
}

impl<T: Number> Target<T> for Part<T> {
    fn write(&mut self, block: &Block, from: &[T], pitch: usize) -> Result<()> {
        let (start, width) = self.place(block)?;
        let to = self.elements.elements_mut().get_mut(start..).unwrap_or(&mut []);
        copy_rows(from, pitch, to, width, block.rows.len(), block.columns.len());
        Ok(())
    }
}

/// The bytes that a thread copies at least: starting it must not count.
const EACH: usize = 4 << 20;
/// The most threads. One alone copies at a fraction of the speed of a bus.
const THREADS: usize = 4;

/// Copies rows whose starts are `from_pitch` and `to_pitch` elements apart, by several threads
/// where that pays.
fn copy_rows<T: Number>(
    from: &[T],
    from_pitch: usize,
    to: &mut [T],
    to_pitch: usize,
    rows: usize,
    columns: usize,
) {
    if rows > 0 && columns > 0 {
        let bytes = |elements: usize| elements * size_of::<T>();
        let (from, to) = (cast_slice(from), cast_slice_mut(to));
        copy_lines(from, bytes(from_pitch), to, bytes(to_pitch), rows, bytes(columns));
    }
}

fn copy_lines(
    from: &[u8],
    from_pitch: usize,
    to: &mut [u8],
    to_pitch: usize,
    rows: usize,
    bytes: usize,
) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = (rows * bytes / EACH).clamp(1, THREADS.min(cores));
    let each = rows.div_ceil(threads);
    let part = |from: &[u8], to: &mut [u8], rows: usize| {
        let pairs = from.chunks(from_pitch).zip(to.chunks_mut(to_pitch));
        pairs.take(rows).for_each(|(from, to)| to[..bytes].copy_from_slice(&from[..bytes]));
    };
    let count = |index: usize| each.min(rows.saturating_sub(index * each));
    let parts = from.chunks(each * from_pitch).zip(to.chunks_mut(each * to_pitch));
    let parts = parts.enumerate().take(rows.div_ceil(each));
    host_threads::shared(parts, |(index, (from, to))| part(from, to, count(index)));
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn block(rows: Range<usize>, columns: Range<usize>) -> Block {
        Block { columns, rows }
    }

    #[test]
    fn blocks_of_a_part_are_those_of_the_whole() {
        let whole =
            Matrix::from_fn(Shape::new(9, 11), |row, col| (100 * row + col) as i32).unwrap();
        let held = block(2..7, 3..10);
        let elements =
            Matrix::from_fn(Shape::new(5, 7), |row, col| whole.at(row + 2, col + 3).unwrap());
        let mut part = Part::new(whole.shape(), held, elements.unwrap()).unwrap();
        for (rows, columns) in [(2..7, 3..10), (4..5, 9..10), (3..6, 4..8), (4..4, 5..6)] {
            let mut to = vec![-1; rows.len() * 8];
            part.read(&block(rows.clone(), columns.clone()), &mut to, 8).unwrap();
            for (row, line) in rows.zip(to.chunks(8)) {
                let right: Vec<i32> =
                    columns.clone().map(|col| whole.at(row, col).unwrap()).collect();
                assert_eq!(line[..right.len()], right);
                assert!(line[right.len()..].iter().all(|between| *between == -1));
            }
        }
        for (rows, columns) in [(1..3, 4..5), (6..8, 4..5), (3..4, 2..4), (3..4, 9..11)] {
            let refused = part.read(&block(rows, columns), &mut [0; 64], 8).unwrap_err();
            assert!(matches!(refused, Error::Outside { .. }), "{refused}");
        }
    }

    #[test]
    fn several_threads_copy_what_one_does() {
        let (rows, columns) = (1031, 4001);
        let whole = Matrix::<i32>::random(Shape::new(rows, columns), 3).unwrap();
        let mut part = Part::whole(whole.clone());
        let mut to = Part::<i32>::zeros(whole.shape(), block(0..rows, 0..columns)).unwrap();
        let mut rows_of = vec![0; rows * (columns + 3)];
        part.read(&block(0..rows, 0..columns), &mut rows_of, columns + 3).unwrap();
        to.write(&block(0..rows, 0..columns), &rows_of, columns + 3).unwrap();
        assert!(to.into_matrix() == whole);
    }
}
