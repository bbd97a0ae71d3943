//! The storage of a matrix in texels: cells of a few elements, in one texture or interleaved over
//! several.

use crate::memory::{self, NoMemory};
use crate::{Extent, Shape};

/// The layout of a matrix in textures.
///
/// A texel holds a cell of rows x columns elements, row by row. The cells of one row of cells are
/// consecutive along x, or along y if the matrix is transposed; `padding` texels end each row of
/// the texture. With `strips`, a texture that would be wider is cut into strips of this width in texels,
/// one below the other. A matrix that several targets of one pass wrote is interleaved: its cells
/// alternate over `interleaved.0` x `interleaved.1` textures. Texels outside the matrix hold zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TexelLayout {
    /// The shape of the matrix.
    pub(crate) shape: Shape,
    /// The shape for which storage is allocated, at least as large.
    pub(crate) padded_shape: Shape,
    /// Rows and columns of elements in a texel.
    pub(crate) cell: (usize, usize),
    /// Whether x runs along the row index.
    pub(crate) transposed: bool,
    /// Texels at the end of each row of the texture.
    pub(crate) padding: usize,
    /// The width of a strip in texels; 0 if the texture is whole.
    pub(crate) strips: usize,
    /// The numbers of textures over which rows and columns of cells alternate.
    pub(crate) interleaved: (usize, usize),
}

impl TexelLayout {
    /// Cells of `rows` x `cols` elements, not transposed, without padding, in one texture.
    pub(crate) fn new(shape: Shape, rows: usize, cols: usize) -> TexelLayout {
        TexelLayout {
            shape,
            padded_shape: shape,
            cell: (rows.max(1), cols.max(1)),
            transposed: false,
            padding: 0,
            strips: 0,
            interleaved: (1, 1),
        }
    }

    /// Rounds the storage up to whole blocks of `rows` x `cols` elements.
    pub(crate) fn rounded_up_to(self, rows: usize, cols: usize) -> TexelLayout {
        let round_up = |length: usize, block: usize| {
            length.div_ceil(block.max(1)).saturating_mul(block.max(1))
        };
        let Shape { rows: height, cols: width } = self.padded_shape;
        let padded_shape = Shape::new(round_up(height, rows), round_up(width, cols));
        TexelLayout { padded_shape, ..self }
    }

    /// Transposes the storage, or not.
    pub(crate) fn transposed(self, transposed: bool) -> TexelLayout {
        TexelLayout { transposed, ..self }
    }

    /// Adds `padding` texels at the end of each row.
    pub(crate) fn padded(self, padding: usize) -> TexelLayout {
        TexelLayout { padding, ..self }
    }

    /// Cuts the texture into strips of this width, unless it is 0.
    pub(crate) fn cut(self, strips: usize) -> TexelLayout {
        TexelLayout { strips, ..self }
    }

    /// Interleaves the storage over `rows` x `cols` textures.
    pub(crate) fn interleaved_over(self, rows: usize, cols: usize) -> TexelLayout {
        TexelLayout { interleaved: (rows.max(1), cols.max(1)), ..self }
    }

    /// Returns the number of elements in a texel.
    pub(crate) fn lanes(self) -> usize {
        self.cell.0 * self.cell.1
    }

    /// Returns the number of textures.
    pub(crate) fn textures(self) -> usize {
        self.interleaved.0 * self.interleaved.1
    }

    /// Returns the width and height of each texture in texels, whether or not a device allows them.
    pub(crate) fn texture_size(self) -> (usize, usize) {
        let (width, height) = self.whole();
        match self.strips {
            0 => (width.saturating_add(self.padding), height),
            strip => {
                let width_of_strip = strip.saturating_add(self.padding);
                (width_of_strip, height.saturating_mul(width.div_ceil(strip)))
            }
        }
    }

    /// Returns the height of a strip in texels.
    pub(crate) fn strip_height(self) -> usize {
        self.whole().1
    }

    /// Returns the texels along x and y without padding, before they are cut into strips.
    fn whole(self) -> (usize, usize) {
        let rows = self.padded_shape.rows.div_ceil(self.cell.0 * self.interleaved.0);
        let cols = self.padded_shape.cols.div_ceil(self.cell.1 * self.interleaved.1);
        if self.transposed { (rows, cols) } else { (cols, rows) }
    }

    /// Returns the number of texels before this one of a texture's first row, or of its first
    /// column.
    fn texels_before(self, at: usize, along_x: bool) -> usize {
        let width = self.texture_size().0;
        match (along_x, self.strips) {
            (true, 0) => at,
            (true, strip) => at / strip * (self.strip_height() * width) + at % strip,
            (false, _) => at * width,
        }
    }

    /// Returns the size of each texture as an [`Extent`]; it saturates, because callers ask before
    /// they check limits.
    pub(crate) fn extent(self) -> Extent {
        let (width, height) = self.texture_size();
        let side = |texels: usize| u32::try_from(texels).unwrap_or(u32::MAX);
        Extent::new(side(width), side(height))
    }

    /// Returns the number of elements that each texture stores, with padding; it saturates too.
    pub(crate) fn numbers(self) -> usize {
        let (width, height) = self.texture_size();
        width.saturating_mul(height).saturating_mul(self.lanes())
    }

    /// Returns the part of an element's position that its row determines: of the index of the
    /// texture, and of the index inside that texture.
    fn of_row(self, row: usize) -> (usize, usize) {
        let (cell, lane) = (row / self.cell.0, row % self.cell.0 * self.cell.1);
        let texel = self.texels_before(cell / self.interleaved.0, self.transposed);
        (cell % self.interleaved.0 * self.interleaved.1, texel * self.lanes() + lane)
    }

    /// Returns the part of an element's position that its column determines.
    fn of_column(self, col: usize) -> (usize, usize) {
        let (cell, lane) = (col / self.cell.1, col % self.cell.1);
        let texel = self.texels_before(cell / self.interleaved.1, !self.transposed);
        (cell % self.interleaved.1, texel * self.lanes() + lane)
    }

    /// Visits the elements row by row: the element's index, its texture, and its index in that
    /// texture.
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

    /// Packs a matrix given row by row, one vector for each texture. The caller has checked the
    /// number of elements.
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

    /// Unpacks the matrix, row by row.
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
        let cells = TexelLayout::new(Shape::new(5, 2), 4, 1).padded(1);
        let packed = cells.pack(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).unwrap();
        let first = [1, 3, 5, 7, 2, 4, 6, 8, 0, 0, 0, 0];
        let second = [9, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(packed, [[first, second].concat()]);
        assert_eq!(cells.extent(), Extent::new(3, 2));
    }

    #[test]
    fn square_cells_hold_rows_in_order_and_can_be_transposed() {
        let cells = TexelLayout::new(Shape::new(2, 4), 2, 2).transposed(true);
        let packed = cells.pack(&[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        assert_eq!(packed, [[1, 2, 5, 6, 3, 4, 7, 8]]);
        assert_eq!(cells.extent(), Extent::new(1, 2));
    }

    #[test]
    fn strips_are_below_each_other() {
        let cells = TexelLayout::new(Shape::new(2, 5), 1, 1).cut(2);
        let packed = cells.pack(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).unwrap();
        assert_eq!(packed, [[1, 2, 6, 7, 3, 4, 8, 9, 5, 0, 10, 0]]);
        assert_eq!(cells.extent(), Extent::new(2, 6));
    }

    #[test]
    fn rows_alternate_between_textures() {
        let cells = TexelLayout::new(Shape::new(3, 4), 1, 4).interleaved_over(2, 1);
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
            for (rows_of_cell, cols_of_cell) in [(1, 1), (4, 1), (1, 4), (2, 2)] {
                for transposed in [false, true] {
                    for interleaved in [(1, 1), (4, 1), (8, 1), (2, 2)] {
                        let cells = TexelLayout::new(shape, rows_of_cell, cols_of_cell)
                            .transposed(transposed);
                        let cells = cells.padded(3).interleaved_over(interleaved.0, interleaved.1);
                        for cells in [cells, cells.cut(2)] {
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
}
