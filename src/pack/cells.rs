//! How a matrix lies in texels: cells of a few elements, in one texture or dealt to several.

use crate::memory::{self, NoMemory};
use crate::{Extent, Shape};

/// A layout of a matrix.
///
/// A texel holds a cell of `down` x `across` elements, row by row. The cells of a row of cells lie
/// along x, or along y where the matrix lies transposed; `padding` texels end each row of the
/// texture. A matrix that several targets of one pass made is dealt: its cells go in turns to
/// `dealt.0` x `dealt.1` textures. What is not covered by the matrix holds zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cells {
    /// The shape of the matrix.
    pub(crate) shape: Shape,
    /// A shape at least as large that there is room for.
    pub(crate) room: Shape,
    /// Rows and columns of elements in a texel.
    pub(crate) cell: (usize, usize),
    /// Whether x runs along the rows' index.
    pub(crate) transposed: bool,
    /// Texels at the end of each row of the texture.
    pub(crate) padding: usize,
    /// Textures down and across, one cell each in turns.
    pub(crate) dealt: (usize, usize),
}

impl Cells {
    /// Cells of `down` x `across` elements, not transposed, without padding, in one texture.
    pub(crate) fn new(shape: Shape, down: usize, across: usize) -> Cells {
        let cell = (down.max(1), across.max(1));
        Cells { shape, room: shape, cell, transposed: false, padding: 0, dealt: (1, 1) }
    }

    /// The same, with room for whole blocks of `rows` x `cols` elements.
    pub(crate) fn in_whole(self, rows: usize, cols: usize) -> Cells {
        let whole = |length: usize, block: usize| {
            length.div_ceil(block.max(1)).saturating_mul(block.max(1))
        };
        let room = Shape::new(whole(self.room.rows, rows), whole(self.room.cols, cols));
        Cells { room, ..self }
    }

    /// The same, transposed or not.
    pub(crate) fn transposed(self, transposed: bool) -> Cells {
        Cells { transposed, ..self }
    }

    /// The same, with texels at the end of each row.
    pub(crate) fn padded(self, padding: usize) -> Cells {
        Cells { padding, ..self }
    }

    /// The same, dealt to `down` x `across` textures.
    pub(crate) fn dealt(self, down: usize, across: usize) -> Cells {
        Cells { dealt: (down.max(1), across.max(1)), ..self }
    }

    /// Numbers in a texel.
    pub(crate) fn lanes(self) -> usize {
        self.cell.0 * self.cell.1
    }

    /// Textures.
    pub(crate) fn textures(self) -> usize {
        self.dealt.0 * self.dealt.1
    }

    /// Texels along x and y of each texture, before any limit of a device is thought of.
    pub(crate) fn wide_and_high(self) -> (usize, usize) {
        let down = self.room.rows.div_ceil(self.cell.0 * self.dealt.0);
        let across = self.room.cols.div_ceil(self.cell.1 * self.dealt.1);
        let (wide, high) = if self.transposed { (down, across) } else { (across, down) };
        (wide.saturating_add(self.padding), high)
    }

    /// The same, as a texture has it; saturated, since it is asked for before anyone knows whether
    /// it fits.
    pub(crate) fn extent(self) -> Extent {
        let (wide, high) = self.wide_and_high();
        let side = |texels: usize| u32::try_from(texels).unwrap_or(u32::MAX);
        Extent::new(side(wide), side(high))
    }

    /// Numbers in a texture, with what pads it; saturated, for the same reason.
    pub(crate) fn numbers(self) -> usize {
        let (wide, high) = self.wide_and_high();
        wide.saturating_mul(high).saturating_mul(self.lanes())
    }

    /// What a row and what a column add to an element's place: to the index of its texture, and to
    /// its number in that.
    fn of_row(self, row: usize) -> (usize, usize) {
        let step = if self.transposed { 1 } else { self.wide_and_high().0 };
        let (down, lane) = (row / self.cell.0, row % self.cell.0 * self.cell.1);
        let texel = down / self.dealt.0 * step;
        (down % self.dealt.0 * self.dealt.1, texel * self.lanes() + lane)
    }

    fn of_column(self, col: usize) -> (usize, usize) {
        let step = if self.transposed { self.wide_and_high().0 } else { 1 };
        let (across, lane) = (col / self.cell.1, col % self.cell.1);
        let texel = across / self.dealt.1 * step;
        (across % self.dealt.1, texel * self.lanes() + lane)
    }

    /// Goes over a matrix row by row, with the texture of each element and its number in that.
    fn each(self, mut visit: impl FnMut(usize, usize, usize)) -> Result<(), NoMemory> {
        let cols = self.shape.cols;
        let columns = memory::collected(cols, (0..cols).map(|col| self.of_column(col)))?;
        for row in 0..self.shape.rows {
            let (texture, number) = self.of_row(row);
            for (col, (more, further)) in columns.iter().enumerate() {
                visit(row * cols + col, texture + more, number + further);
            }
        }
        Ok(())
    }

    /// Lays a matrix, given row by row, out: the numbers of each texture in turn. Who calls has
    /// checked that these are the matrix's elements.
    pub(crate) fn pack<T: Copy + Default>(self, elements: &[T]) -> Result<Vec<Vec<T>>, NoMemory> {
        let texture = |_| memory::filled(T::default(), self.numbers());
        let mut textures = (0..self.textures()).map(texture).collect::<Result<Vec<_>, _>>()?;
        self.each(|element, texture, number| {
            if let Some(element) = elements.get(element) {
                textures[texture][number] = *element;
            }
        })?;
        Ok(textures)
    }

    /// Takes the matrix out again, row by row.
    pub(crate) fn unpack<T: Copy + Default, N: AsRef<[T]>>(
        self,
        textures: &[N],
    ) -> Result<Vec<T>, NoMemory> {
        let mut elements = memory::filled(T::default(), self.shape.len().unwrap_or_default())?;
        self.each(|element, texture, number| {
            let numbers = textures.get(texture).map_or(&[][..], AsRef::as_ref);
            if let (Some(slot), Some(number)) = (elements.get_mut(element), numbers.get(number)) {
                *slot = *number;
            }
        })?;
        Ok(elements)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_four_shares_a_texel() {
        let cells = Cells::new(Shape::new(5, 2), 4, 1).padded(1);
        let packed = cells.pack(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).unwrap();
        let first = [1, 3, 5, 7, 2, 4, 6, 8, 0, 0, 0, 0];
        let second = [9, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(packed, [[first, second].concat()]);
        assert_eq!(cells.extent(), Extent::new(3, 2));
    }

    #[test]
    fn squares_lie_row_by_row_and_transposed() {
        let cells = Cells::new(Shape::new(2, 4), 2, 2).transposed(true);
        let packed = cells.pack(&[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        assert_eq!(packed, [[1, 2, 5, 6, 3, 4, 7, 8]]);
        assert_eq!(cells.extent(), Extent::new(1, 2));
    }

    #[test]
    fn rows_are_dealt_in_turns() {
        let cells = Cells::new(Shape::new(3, 4), 1, 4).dealt(2, 1);
        let numbers: Vec<i32> = (1..=12).collect();
        assert_eq!(
            cells.pack(&numbers).unwrap(),
            [vec![1, 2, 3, 4, 9, 10, 11, 12], vec![5, 6, 7, 8, 0, 0, 0, 0]]
        );
    }

    #[test]
    fn packing_comes_back_in_every_layout() {
        for (rows, cols) in [(1, 1), (3, 5), (4, 4), (17, 9), (8, 31)] {
            let shape = Shape::new(rows, cols);
            let numbers: Vec<i32> = (1..=shape.len().unwrap() as i32).collect();
            for (down, across) in [(1, 1), (4, 1), (1, 4), (2, 2)] {
                for transposed in [false, true] {
                    for dealt in [(1, 1), (4, 1), (8, 1), (2, 2)] {
                        let cells = Cells::new(shape, down, across).transposed(transposed);
                        let cells = cells.padded(3).dealt(dealt.0, dealt.1);
                        assert_eq!(
                            cells.unpack(&cells.pack(&numbers).unwrap()).unwrap(),
                            numbers,
                            "{cells:?}"
                        );
                    }
                }
            }
        }
    }
}
