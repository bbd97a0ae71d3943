//! The tiles of a rank's block of C, where a device or the memory does not hold all of it: plain
//! arithmetic.

use std::ops::Range;

use crate::Shape;
use crate::linalg::matmul::Tile;

/// Tiles, each of which one accumulator computes, and how many of them are computed at once, in a
/// pass over all panels. The same on all ranks; tiles at an edge are filled up with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    /// The largest block of a rank.
    block: Shape,
    pub(super) tile: Shape,
    /// Sides of tiles are multiples of these.
    unit: Shape,
    /// The rows and columns of tiles in a pass.
    pub(super) down: usize,
    pub(super) across: usize,
}

/// The rows of tiles and the columns of tiles of a pass, in the rows and columns of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) rows: Vec<Range<usize>>,
    pub(super) columns: Vec<Range<usize>>,
}

impl Tiling {
    /// Creates a tiling of one tile. The block is not empty.
    pub(super) fn whole(block: Shape, tile: Option<Tile>) -> Tiling {
        let side = |side: u32| side.max(1) as usize;
        let unit = tile.map_or(Shape::new(1, 1), |Tile { width, height }| {
            Shape::new(side(height), side(width))
        });
        let tile = Shape::new(
            block.rows.next_multiple_of(unit.rows),
            block.cols.next_multiple_of(unit.cols),
        );
        Tiling { block, tile, unit, down: 1, across: 1 }
    }

    /// Returns the tiling with half the longest side and twice as many tiles at once, if any side
    /// can be halved.
    pub(super) fn with_smaller_tiles(self) -> Option<Tiling> {
        let half = |side: usize, unit: usize| side.div_ceil(2).next_multiple_of(unit);
        let Shape { rows, cols } = self.tile;
        let halves = Shape::new(half(rows, self.unit.rows), half(cols, self.unit.cols));
        let (can_rows, can_cols) = (halves.rows < rows, halves.cols < cols);
        if can_rows && (rows >= cols || !can_cols) {
            let tile = Shape::new(halves.rows, cols);
            return Some(Tiling {
                tile,
                down: self.count(2 * self.down, self.block.rows, tile.rows),
                ..self
            });
        }
        let tile = Shape::new(rows, halves.cols);
        can_cols.then(|| Tiling {
            tile,
            across: self.count(2 * self.across, self.block.cols, tile.cols),
            ..self
        })
    }

    /// Returns the tiling with about half as many tiles at once, or with one tile of half the size.
    pub(super) fn with_less_at_once(self) -> Option<Tiling> {
        match (self.down, self.across) {
            (1, 1) => {
                self.with_smaller_tiles().map(|smaller| Tiling { down: 1, across: 1, ..smaller })
            }
            (down, across) if down * self.tile.rows >= across * self.tile.cols && down > 1 => {
                Some(Tiling { down: down.div_ceil(2), ..self })
            }
            (_, across) if across > 1 => Some(Tiling { across: across.div_ceil(2), ..self }),
            (down, _) => Some(Tiling { down: down.div_ceil(2), ..self }),
        }
    }

    /// Returns the number of tiles at once, no more than there are.
    fn count(&self, at_once: usize, side: usize, tile: usize) -> usize {
        at_once.min(side.div_ceil(tile))
    }

    /// Returns the passes, in which each element of the block is once.
    pub(super) fn passes(&self) -> Vec<Pass> {
        let groups = |side: usize, tile: usize, at_once: usize| {
            let starts: Vec<usize> = (0..side).step_by(tile).collect();
            let strips =
                |starts: &[usize]| starts.iter().map(|start| *start..start + tile).collect();
            starts.chunks(at_once).map(strips).collect::<Vec<Vec<Range<usize>>>>()
        };
        let rows = groups(self.block.rows, self.tile.rows, self.down);
        let columns = groups(self.block.cols, self.tile.cols, self.across);
        let pass = |rows: &Vec<Range<usize>>, columns: &Vec<Range<usize>>| Pass {
            rows: rows.clone(),
            columns: columns.clone(),
        };
        rows.iter()
            .flat_map(|rows| columns.iter().map(move |columns| pass(rows, columns)))
            .collect()
    }

    /// Returns the numbers in all that a pass holds: in panels, once, and in tiles.
    pub(super) fn numbers(&self, width: usize) -> (u64, u64) {
        let product = |a: usize, b: usize| (a as u64).saturating_mul(b as u64);
        let Tiling { tile, down, across, .. } = *self;
        let sides = product(down, tile.rows).saturating_add(product(across, tile.cols));
        let tiles = product(down * across, tile.rows).saturating_mul(tile.cols as u64);
        (sides.saturating_mul(width as u64), tiles)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// However it is made smaller, each element is in one tile of one pass, and it ends with single
    /// elements.
    #[test]
    fn passes_cover_a_block_once() {
        let tile = Some(Tile { width: 4, height: 2 });
        for (rows, cols, tile) in [(1, 1, None), (37, 5, None), (13, 64, None), (9, 33, tile)] {
            for turns in 0..64 {
                let mut tiling = Tiling::whole(Shape::new(rows, cols), tile);
                for turn in 0..12 {
                    let less = turns >> turn & 1 == 1;
                    let next =
                        if less { tiling.with_less_at_once() } else { tiling.with_smaller_tiles() };
                    tiling = next.unwrap_or(tiling);
                    let mut covered = vec![0; rows * cols];
                    for pass in tiling.passes() {
                        assert!(
                            pass.rows.len() <= tiling.down && pass.columns.len() <= tiling.across
                        );
                        for (row, col) in pass.rows.iter().cloned().flatten().flat_map(|row| {
                            pass.columns.iter().cloned().flatten().map(move |col| (row, col))
                        }) {
                            if row < rows && col < cols {
                                covered[row * cols + col] += 1;
                            }
                        }
                    }
                    assert!(covered.iter().all(|times| *times == 1), "{tiling:?}");
                }
            }
        }
        let mut least = Tiling::whole(Shape::new(1000, 70), None);
        while let Some(less) = least.with_less_at_once() {
            assert!(less.numbers(16) < least.numbers(16), "{less:?}");
            least = less;
        }
        assert_eq!((least.tile, least.down, least.across), (Shape::new(1, 1), 1, 1));
    }

    #[test]
    fn smaller_tiles_are_all_computed_at_once() {
        let tiling = Tiling::whole(Shape::new(100, 300), None).with_smaller_tiles().unwrap();
        assert_eq!(
            (tiling.tile, tiling.across, tiling.passes().len()),
            (Shape::new(100, 150), 2, 1)
        );
        let less = tiling.with_less_at_once().unwrap();
        assert_eq!((less.tile, less.across, less.passes().len()), (Shape::new(100, 150), 1, 2));
    }
}
