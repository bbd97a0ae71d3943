//! The shape of a grid of numbers, and how its rows are packed into texels: plain arithmetic, no
//! GL.

use std::ops::Range;

use crate::data::Block;
use crate::memory::{self, NoMemory};
use crate::{Extent, Rectangle};

/// The numbers in a texel: consecutive ones of one row.
pub(crate) const LANES: usize = 4;

/// The shape of a grid of numbers: rows of one width, of which the last may be shorter. The
/// unknowns of a [`NineBanded`](crate::data::NineBanded) matrix form such a grid, with rows of `m`.
///
/// On the device a texel holds four consecutive numbers of a row, and each row begins a new texel:
/// number x of a row is in lane x % 4 of texel x / 4.
///
/// ```
/// use quadrille::{Extent, grid::GridShape};
/// let shape = GridShape::in_rows(23, 5);
/// assert_eq!((shape.len(), shape.width(), shape.height()), (23, 5, 5));
/// assert_eq!(shape.texels(), Extent::new(2, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridShape {
    numbers: usize,
    width: usize,
    /// The numbers in a texel.
    lanes: usize,
    /// The rows of a stack: of more rows there are several stacks, side by side.
    stack: usize,
    /// The rows that a product reaches on each side: those of a slice of a grid of three dimensions, else 1.
    reach: usize,
}

impl GridShape {
    /// Creates a rectangle of numbers.
    pub fn new(width: usize, height: usize) -> GridShape {
        GridShape::in_rows(width.saturating_mul(height), width)
    }

    /// Creates a grid of this many numbers in rows of `width`, at least 1.
    pub fn in_rows(numbers: usize, width: usize) -> GridShape {
        GridShape { numbers, width: width.max(1), lanes: LANES, stack: usize::MAX, reach: 1 }
    }

    /// Returns the grid with another number of lanes in a texel, at least 1.
    pub(crate) fn with_lanes(self, lanes: usize) -> GridShape {
        GridShape { lanes: lanes.max(1), ..self }
    }

    /// Returns the rows that a product reaches on each side.
    pub(crate) fn reach(self) -> usize {
        self.reach
    }

    /// Returns the number of elements.
    pub fn len(self) -> usize {
        self.numbers
    }

    /// Returns whether it has none.
    pub fn is_empty(self) -> bool {
        self.numbers == 0
    }

    /// Returns the numbers in a row.
    pub fn width(self) -> usize {
        self.width
    }

    /// Returns the number of rows; the last may be shorter.
    pub fn height(self) -> usize {
        self.numbers.div_ceil(self.width)
    }

    /// Returns the extent of the whole grid in texels; it saturates.
    pub fn texels(self) -> Extent {
        let side = |texels: usize| u32::try_from(texels).unwrap_or(u32::MAX);
        let stacks = self.height().div_ceil(self.stack).max(1);
        Extent::new(
            side(self.row_texels().saturating_mul(stacks)),
            side(self.height().min(self.stack)),
        )
    }

    fn row_texels(self) -> usize {
        self.width.div_ceil(self.lanes)
    }

    /// Returns the lane of a whole row's last number in its last texel.
    pub fn last_lane(self) -> usize {
        (self.width - 1) % self.lanes
    }

    /// Returns the numbers of a row that are in these texels of it.
    pub(crate) fn numbers_of(self, row: usize, texels: Range<u32>) -> Range<usize> {
        let start = row.saturating_mul(self.width).min(self.numbers);
        let end = start.saturating_add(self.width).min(self.numbers);
        let at = |texel: u32| (start + self.lanes * texel as usize).min(end);
        at(texels.start)..at(texels.end)
    }

    /// Returns the texels that have the numbers of a block, which begins where a texel does.
    pub(crate) fn texels_of(self, block: &Block) -> Rectangle {
        let texel = |column: usize| column.div_ceil(self.lanes) as u32;
        let (x, y) = (texel(block.columns.start), block.rows.start as u32);
        let width = texel(block.columns.end) - x;
        Rectangle::new(x, y, width, block.rows.len() as u32)
    }

    /// Returns the numbers in a texel: consecutive ones of one row.
    pub(crate) fn lanes(self) -> usize {
        self.lanes
    }

    /// Returns the texels of a rectangle of the grid, with this in the padding.
    pub(crate) fn pack(
        self,
        numbers: &[f32],
        place: Rectangle,
        padding: f32,
    ) -> Result<Vec<f32>, NoMemory> {
        let mut texels = memory::filled(padding, self.lanes * place.texels())?;
        let stride = self.lanes * place.width as usize;
        for (row, slots) in (place.y..).zip(texels.chunks_mut(stride)) {
            for (first, inside) in self.parts_of(row, place) {
                slots[first..first + inside.len()].copy_from_slice(&numbers[inside]);
            }
        }
        Ok(texels)
    }

    /// Takes the numbers of a rectangle of the grid from its texels.
    pub(crate) fn unpack(self, texels: &[f32], place: Rectangle, numbers: &mut [f32]) {
        let stride = self.lanes * place.width as usize;
        for (row, slots) in (place.y..).zip(texels.chunks(stride)) {
            for (first, inside) in self.parts_of(row, place) {
                let count = inside.len();
                numbers[inside].copy_from_slice(&slots[first..first + count]);
            }
        }
    }

    /// Returns the numbers in a row of texels of a rectangle, stack by stack, each with its first place in that row.
    fn parts_of(self, row: u32, place: Rectangle) -> impl Iterator<Item = (usize, Range<usize>)> {
        let (wide, from, to) = (self.row_texels() as u32, place.x, place.x + place.width);
        (from / wide..to.div_ceil(wide)).map(move |stack| {
            let (start, end) = ((stack * wide).max(from), ((stack + 1) * wide).min(to));
            let row = (stack as usize).saturating_mul(self.stack).saturating_add(row as usize);
            let inside = self.numbers_of(row, start - stack * wide..end - stack * wide);
            (self.lanes * (start - from) as usize, inside)
        })
    }
}

#[cfg(feature = "solve")]
impl GridShape {
    /// Returns the grid in stacks of this many rows, at least 1, so that it is not too high for a texture.
    pub(crate) fn in_stacks(self, rows: usize) -> GridShape {
        GridShape { stack: rows.max(1), ..self }
    }

    /// Returns the grid as slices of this many rows, at least 1, each of which a product couples to the next.
    pub(crate) fn in_slices(self, rows: usize) -> GridShape {
        GridShape { reach: rows.max(1), ..self }
    }

    /// Returns the rows of a stack: all, where there is one.
    pub(crate) fn stack_rows(self) -> usize {
        self.stack.min(self.height())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn rows_are_padded_to_whole_texels() {
        let shape = GridShape::in_rows(7, 5);
        let numbers: Vec<f32> = (1..=7).map(|i| i as f32).collect();
        let whole = shape.texels().rectangle();
        let packed = shape.pack(&numbers, whole, 0.0).unwrap();
        let expected =
            [1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 6.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(packed, expected);
        let part = shape.pack(&numbers, Rectangle::new(1, 0, 1, 2), -1.0).unwrap();
        assert_eq!(part, [5.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
    }

    #[test]
    fn stacks_are_side_by_side() {
        let shape = GridShape { stack: 2, ..GridShape::new(5, 3) };
        assert_eq!(shape.texels(), Extent::new(4, 2));
        let numbers: Vec<f32> = (1..=15).map(|i| i as f32).collect();
        let packed = shape.pack(&numbers, shape.texels().rectangle(), 0.0).unwrap();
        assert_eq!(
            packed[..16],
            [1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 11.0, 12.0, 13.0, 14.0, 15.0, 0.0, 0.0, 0.0]
        );
        assert_eq!(
            packed[16..],
            [6.0, 7.0, 8.0, 9.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        );
        for width in 1..9 {
            for stack in 1..5 {
                let shape = GridShape { stack, ..GridShape::new(width, 7) };
                let numbers: Vec<f32> = (0..7 * width).map(|i| i as f32).collect();
                let Extent { width: wide, height } = shape.texels();
                let mut back = vec![0.0; numbers.len()];
                for part in [
                    Rectangle::new(0, 0, wide / 2, height),
                    Rectangle::new(wide / 2, 0, wide - wide / 2, height),
                ] {
                    if part.texels() > 0 {
                        shape.unpack(&shape.pack(&numbers, part, 0.0).unwrap(), part, &mut back);
                    }
                }
                assert_eq!(back, numbers);
            }
        }
    }

    /// Unpacks in two parts, cut along either side.
    #[test]
    fn every_number_comes_back_from_its_place_and_the_rest_is_padding() {
        for (width, lanes, n) in (1..10)
            .flat_map(|width| [1, 2, 4].map(|lanes| (width, lanes)))
            .flat_map(|(width, lanes)| (1..30).map(move |n| (width, lanes, n)))
        {
            let shape = GridShape::in_rows(n, width).with_lanes(lanes);
            let numbers: Vec<f32> = (0..n).map(|i| i as f32 + 1.0).collect();
            let Extent { width: wide, height: high } = shape.texels();
            for (column, row) in [(wide, high), (wide / 2, high), (wide, high / 2)] {
                let mut back = vec![0.0; n];
                let mut padding = 0;
                for part in [
                    Rectangle::new(0, 0, column, row),
                    Rectangle::new(column, 0, wide - column, high),
                    Rectangle::new(0, row, wide, high - row),
                ] {
                    if part.texels() > 0 {
                        let packed = shape.pack(&numbers, part, -7.0).unwrap();
                        padding += packed.iter().filter(|number| **number == -7.0).count();
                        shape.unpack(&packed, part, &mut back);
                    }
                }
                assert_eq!((back, padding), (numbers.clone(), lanes * shape.texels().texels() - n));
            }
            assert_eq!(shape.last_lane(), (width + lanes - 1) % lanes);
        }
    }
}
