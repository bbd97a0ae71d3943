//! The division of a product into blocks: plain arithmetic.

use std::ops::Range;

use crate::Shape;
use crate::linalg::matmul::Tile;

/// The sides of a product: rows of C, the inner dimension, columns of C.
type Sides = [usize; 3];

/// The sides of a product, and those of the blocks that it is computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    whole: Sides,
    block: Sides,
    /// Sides that are cut are multiples of these: of a tile that is named.
    unit: Sides,
}

impl Cut {
    /// Creates a division into one block. No side is 0.
    pub(super) fn whole(a: Shape, b: Shape, tile: Option<Tile>) -> Cut {
        let whole = [a.rows, a.cols, b.cols];
        let unit = tile.map_or([1; 3], |Tile { width, height }| {
            let (width, height) = (width.max(1) as usize, height.max(1) as usize);
            [height, width * height, width]
        });
        Cut { whole, block: whole, unit }
    }

    /// Returns the cut with half of the longest side, if any side can be halved.
    pub(super) fn halved(self) -> Option<Cut> {
        let half = |side: usize| self.block[side].div_ceil(2).next_multiple_of(self.unit[side]);
        let longest =
            (0..3).filter(|side| half(*side) < self.block[*side]).max_by_key(|s| self.block[*s])?;
        let mut cut = self;
        cut.block[longest] = half(longest);
        Some(cut)
    }

    /// Returns the shape of a panel of A.
    pub(super) fn of_a(&self) -> Shape {
        Shape::new(self.block[0], self.block[1])
    }

    /// Returns the shape of a panel of B.
    pub(super) fn of_b(&self) -> Shape {
        Shape::new(self.block[1], self.block[2])
    }

    /// Returns the blocks of C: rows and columns.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + use<> {
        let cut = *self;
        cut.along(0).flat_map(move |rows| cut.along(2).map(move |cols| (rows.clone(), cols)))
    }

    /// Returns the slabs of the inner dimension, in their order.
    pub(super) fn slabs(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.along(1)
    }

    fn along(&self, side: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let (whole, block) = (self.whole[side], self.block[side]);
        (0..whole).step_by(block).map(move |start| start..(start + block).min(whole))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_slabs_cover_a_product_once_however_often_it_is_halved() {
        let tiles = [None, Some(Tile { width: 4, height: 2 })];
        for (tile, [m, k, n]) in tiles.into_iter().flat_map(|tile| {
            [[1, 1, 1], [7, 1, 9], [8, 64, 12], [13, 17, 5], [33, 2, 65]].map(|s| (tile, s))
        }) {
            let mut cut = Cut::whole(Shape::new(m, k), Shape::new(k, n), tile);
            let mut times = 0;
            while let Some(smaller) = cut.halved() {
                (cut, times) = (smaller, times + 1);
                let mut covered = vec![0; m * n];
                for (rows, cols) in cut.blocks() {
                    assert!(rows.len() <= cut.of_a().rows && cols.len() <= cut.of_b().cols);
                    rows.for_each(|row| cols.clone().for_each(|col| covered[row * n + col] += 1));
                }
                assert!(covered.iter().all(|count| *count == 1), "{cut:?}");
                assert!(cut.slabs().flatten().eq(0..k), "{cut:?}");
                // A side that is whole is refused elsewhere if the tile does not divide it.
                let is_right = |side: usize| {
                    cut.block[side] == cut.whole[side]
                        || cut.block[side].is_multiple_of(cut.unit[side])
                };
                assert!((0..3).all(is_right), "{cut:?}");
            }
            assert!(times < 3 * 7 && (tile.is_some() || cut.block == [1; 3]), "{cut:?}");
        }
    }

    #[test]
    fn the_longest_side_is_halved() {
        let cut = Cut::whole(Shape::new(100, 7), Shape::new(7, 60), None);
        let halved = cut.halved().unwrap().halved().unwrap();
        assert_eq!(halved.block, [50, 7, 30]);
        let tile = Tile { width: 8, height: 8 };
        let cut = Cut::whole(Shape::new(8, 64), Shape::new(64, 24), Some(tile));
        assert_eq!(cut.halved().unwrap().block, [8, 64, 16]);
    }
}
