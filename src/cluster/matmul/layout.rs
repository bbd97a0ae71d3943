//! The distribution of a product's elements over ranks: plain arithmetic.

use std::ops::Range;

use crate::Shape;
use crate::data::Block;

use super::{Error, Result};

/// Ranks in rows and columns: rank `down * across + along` is in row `down` and column `along`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Named after what they are.
pub struct RankGrid {
    pub columns: usize,
    pub rows: usize,
}

impl RankGrid {
    /// Returns the grid of this many ranks whose blocks of a matrix of this shape have the shortest
    /// sides; of equal ones the one with more rows.
    pub fn of(ranks: usize, c: Shape) -> RankGrid {
        let grids = (1..=ranks).filter(|columns| ranks.is_multiple_of(*columns));
        let grids = grids.map(|columns| RankGrid { columns, rows: ranks / columns });
        let sides = |grid: &RankGrid| {
            let refused = grid.rows > c.rows || grid.columns > c.cols;
            (refused, c.rows.div_ceil(grid.rows) + c.cols.div_ceil(grid.columns))
        };
        grids.min_by_key(sides).unwrap_or(RankGrid { columns: 1, rows: 1 })
    }

    pub(super) fn column_of(self, rank: usize) -> usize {
        rank % self.columns
    }

    pub(super) fn row_of(self, rank: usize) -> usize {
        rank / self.columns
    }

    pub(super) fn rank(self, column: usize, row: usize) -> usize {
        row * self.columns + column
    }
}

/// The cuts of C = A B: rows of A and C among rows of ranks, columns of B and C among columns of
/// ranks, and the inner dimension in panels, whole ones of which are A's columns on a column of
/// ranks, and B's rows on a row of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(super) a: Shape,
    pub(super) b: Shape,
    pub(super) grid: RankGrid,
    /// The width of all panels but the last, which may be narrower.
    pub(super) width: usize,
}

impl Layout {
    /// Lays out operands of these shapes, with panels of this width or of the usual one.
    ///
    /// # Errors
    ///
    /// [`Error::Inner`], [`Error::TooManyRanks`] and [`Error::NoWidth`].
    pub fn new(a: Shape, b: Shape, grid: RankGrid, width: Option<usize>) -> Result<Layout> {
        if a.cols != b.rows {
            return Err(Error::Inner { a, b });
        }
        for (what, side, ranks) in [("row", a.rows, grid.rows), ("column", b.cols, grid.columns)] {
            if ranks > side.max(1) {
                return Err(Error::TooManyRanks { what, side, ranks });
            }
        }
        let width = width.unwrap_or_else(|| usual_width(a.cols));
        if width == 0 {
            return Err(Error::NoWidth);
        }
        Ok(Layout { a, b, grid, width: width.min(a.cols.max(1)) })
    }

    /// Returns the shapes of A and B.
    pub fn operands(&self) -> (Shape, Shape) {
        (self.a, self.b)
    }

    /// Returns the block of A that a rank's source must have.
    pub fn of_a(&self, rank: usize) -> Block {
        let (column, row) = (self.grid.column_of(rank), self.grid.row_of(rank));
        Block { columns: self.inner(column, self.grid.columns), rows: self.rows(row) }
    }

    /// Returns the block of B that a rank's source must have.
    pub fn of_b(&self, rank: usize) -> Block {
        let (column, row) = (self.grid.column_of(rank), self.grid.row_of(rank));
        Block { columns: self.columns(column), rows: self.inner(row, self.grid.rows) }
    }

    /// Returns the block of C that a rank computes.
    pub fn of_c(&self, rank: usize) -> Block {
        let (column, row) = (self.grid.column_of(rank), self.grid.row_of(rank));
        Block { columns: self.columns(column), rows: self.rows(row) }
    }

    /// Returns the number of panels.
    pub fn panels(&self) -> usize {
        self.a.cols.div_ceil(self.width)
    }

    /// Returns the steps of the inner dimension in a panel.
    pub(super) fn panel(&self, panel: usize) -> Range<usize> {
        let at = |panel: usize| panel.saturating_mul(self.width).min(self.a.cols);
        at(panel)..at(panel + 1)
    }

    /// Returns the column of ranks that has a panel of A.
    pub(super) fn owner_of_a(&self, panel: usize) -> usize {
        owner(panel, self.panels(), self.grid.columns)
    }

    /// Returns the row of ranks that has a panel of B.
    pub(super) fn owner_of_b(&self, panel: usize) -> usize {
        owner(panel, self.panels(), self.grid.rows)
    }

    /// Returns the most rows and columns of a rank's block of C.
    pub(super) fn largest(&self) -> Shape {
        let Layout { a, b, grid, .. } = self;
        Shape::new(a.rows.div_ceil(grid.rows), b.cols.div_ceil(grid.columns))
    }

    fn rows(&self, row: usize) -> Range<usize> {
        share(row, self.a.rows, self.grid.rows)
    }

    fn columns(&self, column: usize) -> Range<usize> {
        share(column, self.b.cols, self.grid.columns)
    }

    fn inner(&self, part: usize, parts: usize) -> Range<usize> {
        let panels = share(part, self.panels(), parts);
        self.panel(panels.start).start..self.panel(panels.end).start
    }
}

/// Wide enough that a product of panels takes long beside adding it up and beside what each step
/// costs.
const WIDTH: usize = 1024;

/// Panels of nearly equal width, so that the last one is not filled up with many zeros.
fn usual_width(inner: usize) -> usize {
    inner.div_ceil(inner.div_ceil(WIDTH).max(1)).max(1).next_multiple_of(16)
}

/// Returns the part of `count` things that one of several has.
fn share(part: usize, count: usize, parts: usize) -> Range<usize> {
    let at = |part: usize| (count as u128 * part as u128 / parts as u128) as usize;
    at(part)..at(part + 1)
}

/// Returns the part that owns one of `count` things cut into [`share`]s.
fn owner(index: usize, count: usize, parts: usize) -> usize {
    (((index + 1) as u128 * parts as u128 - 1) / count as u128) as usize
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn covered(shape: Shape, blocks: impl Iterator<Item = Block>, times: usize) {
        let mut count = vec![0; shape.rows * shape.cols];
        for Block { columns, rows } in blocks {
            rows.for_each(|row| columns.clone().for_each(|col| count[row * shape.cols + col] += 1));
        }
        assert!(count.iter().all(|found| *found == times), "{shape:?}");
    }

    #[test]
    fn blocks_cover_each_matrix_once_and_panels_have_their_owners() {
        for (m, k, n) in [(1, 1, 1), (7, 0, 5), (13, 17, 11), (5, 64, 9), (6, 1, 6)] {
            for (columns, rows, width) in [(1, 1, 1), (2, 3, 4), (3, 2, 5), (5, 1, 16), (1, 5, 3)] {
                let (a, b, grid) = (Shape::new(m, k), Shape::new(k, n), RankGrid { columns, rows });
                let Ok(layout) = Layout::new(a, b, grid, Some(width)) else {
                    assert!(rows > m || columns > n);
                    continue;
                };
                let ranks = 0..rows * columns;
                covered(a, ranks.clone().map(|rank| layout.of_a(rank)), 1);
                covered(b, ranks.clone().map(|rank| layout.of_b(rank)), 1);
                covered(Shape::new(m, n), ranks.clone().map(|rank| layout.of_c(rank)), 1);
                assert!((0..layout.panels()).flat_map(|panel| layout.panel(panel)).eq(0..k));
                for panel in 0..layout.panels() {
                    let steps = layout.panel(panel);
                    let of_a = layout.of_a(grid.rank(layout.owner_of_a(panel), 0)).columns;
                    let of_b = layout.of_b(grid.rank(0, layout.owner_of_b(panel))).rows;
                    for owned in [of_a, of_b] {
                        assert!(owned.start <= steps.start && steps.end <= owned.end, "{layout:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn more_ranks_than_rows_are_refused_by_number() {
        let grid = RankGrid { columns: 1, rows: 4 };
        let error = Layout::new(Shape::new(3, 2), Shape::new(2, 9), grid, None).unwrap_err();
        let expected = "4 ranks below each other cannot share the 3 rows of C: each rank needs one; \
                        use at most 3 rows of ranks";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn the_grid_of_ranks_has_the_shortest_blocks() {
        let of = |ranks, rows, cols| {
            let RankGrid { columns, rows } = RankGrid::of(ranks, Shape::new(rows, cols));
            (columns, rows)
        };
        assert_eq!([of(4, 100, 100), of(2, 100, 100), of(6, 300, 200)], [(2, 2), (1, 2), (2, 3)]);
        assert_eq!([of(4, 1, 100), of(5, 100, 3), of(1, 0, 0)], [(4, 1), (1, 5), (1, 1)]);
    }

    #[test]
    fn panels_of_the_usual_width_are_nearly_equal() {
        assert_eq!([0, 1, 16, 1024, 1025, 32768].map(usual_width), [16, 16, 16, 1024, 528, 1024]);
    }
}
