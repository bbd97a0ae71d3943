//! A part of a grid of numbers.

use std::ops::Range;

use super::{BandError, Result};

/// A rectangle of a grid of numbers, such as the part of a matrix, or of a vector, that one of
/// several ranks has.
///
/// The unknowns of a [`NineBanded`](super::NineBanded) matrix form a grid with rows of `m`, of
/// which the last may be shorter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Named after what they are.
pub struct Block {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

impl Block {
    /// Returns the whole of a grid of this many numbers in rows of `width`.
    pub fn whole(numbers: usize, width: usize) -> Block {
        Block { columns: 0..width, rows: 0..numbers.div_ceil(width.max(1)) }
    }

    /// Returns the numbers in a whole row of it.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Returns the numbers of a row of the block in a grid of `numbers` in rows of `width`: fewer,
    /// or none, where the grid's last row ends.
    pub fn in_row(&self, row: usize, numbers: usize, width: usize) -> Range<usize> {
        let start = row.saturating_mul(width);
        let at = |column: usize| start.saturating_add(column).min(numbers);
        at(self.columns.start)..at(self.columns.end)
    }

    /// Returns the index of a number of the grid among those of the block; `None` if it is not in
    /// the block.
    pub fn index(&self, number: usize, width: usize) -> Option<usize> {
        let (column, row) = (number % width, number / width);
        let is_in = self.columns.contains(&column) && self.rows.contains(&row);
        is_in.then(|| (row - self.rows.start) * self.width() + column - self.columns.start)
    }

    /// Returns the number of elements that the block has of such a grid.
    pub fn len(&self, numbers: usize, width: usize) -> usize {
        // Only the last row may be shorter.
        let last = numbers / width.max(1);
        let whole = self.rows.end.min(last).saturating_sub(self.rows.start);
        let rest =
            if self.rows.contains(&last) { self.in_row(last, numbers, width).len() } else { 0 };
        whole.saturating_mul(self.width()).saturating_add(rest)
    }

    /// Returns the block with this many rows more above and below, and columns left and right, as
    /// far as the grid goes.
    pub fn grown(&self, by: usize, numbers: usize, width: usize) -> Block {
        let whole = Block::whole(numbers, width);
        let grow = |range: &Range<usize>, whole: Range<usize>| {
            range.start.saturating_sub(by)..range.end.saturating_add(by).min(whole.end)
        };
        Block { columns: grow(&self.columns, whole.columns), rows: grow(&self.rows, whole.rows) }
    }

    /// Returns the block in rows and columns of one around it.
    pub fn within(&self, outer: &Block) -> Block {
        let less = |range: &Range<usize>, by: usize| range.start - by..range.end - by;
        Block {
            columns: less(&self.columns, outer.columns.start),
            rows: less(&self.rows, outer.rows.start),
        }
    }

    /// Refuses a block that is not part of a grid of this many numbers in rows of `width`, or has
    /// none of them.
    pub(crate) fn must_be_in(&self, numbers: usize, width: usize) -> Result<()> {
        let whole = Block::whole(numbers, width);
        let is_in = |part: &Range<usize>, whole: Range<usize>| {
            part.start < part.end && part.end <= whole.end
        };
        match is_in(&self.columns, whole.columns) && is_in(&self.rows, whole.rows) {
            true => Ok(()),
            false => {
                let (columns, rows) = (self.columns.clone(), self.rows.clone());
                Err(BandError::Block { columns, rows, numbers, width }.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_where_the_grid_does() {
        let block = Block { columns: 2..5, rows: 1..4 };
        let rows = |numbers| [1, 2, 3].map(|row| block.in_row(row, numbers, 5));
        assert_eq!(rows(20), [7..10, 12..15, 17..20]);
        assert_eq!(rows(18), [7..10, 12..15, 17..18]);
        assert_eq!(rows(16), [7..10, 12..15, 16..16]);
        assert_eq!([20, 18, 16, 15, 9].map(|numbers| block.len(numbers, 5)), [9, 7, 6, 6, 2]);
        let indices = [6, 7, 14, 17, 22].map(|at| block.index(at, 5));
        assert_eq!(indices, [None, Some(0), Some(5), Some(6), None]);
        assert_eq!(Block::whole(18, 5), Block { columns: 0..5, rows: 0..4 });
        assert_eq!(block.grown(1, 18, 5), Block { columns: 1..5, rows: 0..4 });
        assert_eq!(block.grown(9, 36, 6), Block { columns: 0..6, rows: 0..6 });
    }

    #[test]
    fn a_block_beyond_the_grid_is_refused() {
        let refused = |columns, rows| Block { columns, rows }.must_be_in(18, 5).is_err();
        assert!(!refused(0..5, 0..4) && !refused(4..5, 3..4));
        #[allow(clippy::reversed_empty_ranges, reason = "it is refused")]
        let backwards = 3..2;
        for (columns, rows) in [(0..6, 0..4), (0..5, 0..5), (2..2, 0..4), (backwards, 0..4)] {
            assert!(refused(columns, rows));
        }
    }
}
