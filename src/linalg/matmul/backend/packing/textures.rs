//! Packs matrices into textures of cells, and unpacks them.

use crate::Shape;
use crate::data::Number;
use crate::data::pack::TexelLayout;
use crate::gl::{Texel, Texture};
use crate::linalg::DeviceMatrix;
use crate::shader::{Source, Stage};
use crate::stream::Kernel;

use super::super::number::of_type;
use super::{Lazy, of_cell, of_layout};
use crate::linalg::matmul::Result;

/// Draws matrices into a texture of cells.
pub(crate) struct TexturePacker {
    cells: TexelLayout,
    kernel: Lazy<Kernel>,
}

impl TexturePacker {
    pub(crate) fn new(cells: TexelLayout) -> TexturePacker {
        TexturePacker { cells, kernel: Lazy::new() }
    }

    /// Packs a matrix into a texture, which has the extent of the cells. It does nothing for a
    /// matrix without elements.
    pub(crate) fn draw<T: Number + Texel, P: Texel>(
        &self,
        from: &DeviceMatrix<T>,
        to: &mut Texture<P>,
    ) -> Result<()> {
        let Some(matrix) = from.texture() else { return Ok(()) };
        let compile = || Ok(to.context().kernel(pack::<T>(self.cells)?)?);
        Ok(self.kernel.get(compile)?.pass().input("matrix", matrix).draw(to)?)
    }
}

/// Draws matrices from cells in one texture or interleaved over several.
pub(crate) struct TextureUnpacker {
    cells: TexelLayout,
    kernel: Lazy<Kernel>,
}

/// The names of the textures in the shader.
const PARTS: [&str; 8] =
    ["part_0", "part_1", "part_2", "part_3", "part_4", "part_5", "part_6", "part_7"];

impl TextureUnpacker {
    /// Creates an unpacker of cells that are neither transposed nor padded, since no result is.
    pub(crate) fn new(cells: TexelLayout) -> TextureUnpacker {
        TextureUnpacker { cells, kernel: Lazy::new() }
    }

    pub(crate) fn draw<T: Number + Texel, P: Texel>(
        &self,
        from: &[Texture<P>],
        to: &mut DeviceMatrix<T>,
    ) -> Result<()> {
        let Some(matrix) = to.texture_mut() else { return Ok(()) };
        let compile = || Ok(matrix.context().kernel(unpack::<T>(self.cells)?)?);
        let pass = self.kernel.get(compile)?.pass();
        let pass = PARTS.iter().zip(from).fold(pass, |pass, (name, part)| pass.input(name, part));
        Ok(pass.draw(matrix)?)
    }
}

fn pack<T: Number>(cells: TexelLayout) -> Result<Source> {
    let source = Source::library(Stage::Fragment, "matmul/pack.frag")?;
    Ok(of_layout(of_type::<T>(source), cells))
}

fn unpack<T: Number>(cells: TexelLayout) -> Result<Source> {
    let source = Source::library(Stage::Fragment, "matmul/unpack.frag")?;
    let (down, across) = cells.interleaved;
    let source = source.define("PARTS_DOWN", down).define("PARTS_ACROSS", across);
    Ok(of_cell(of_type::<T>(source), cells.cell))
}

/// The cells of operands, and those of results with how they are interleaved.
const OPERANDS: [(usize, usize); 4] = [(1, 1), (4, 1), (1, 4), (2, 2)];
pub(super) const RESULTS: [[(usize, usize); 2]; 6] = [
    [(1, 1), (1, 1)],
    [(4, 1), (1, 1)],
    [(2, 2), (1, 1)],
    [(2, 2), (2, 2)],
    [(1, 4), (4, 1)],
    [(1, 4), (8, 1)],
];

pub(super) fn sources() -> Result<Vec<Source>> {
    let of = |(down, across)| TexelLayout::new(Shape::new(1, 1), down, across);
    let mut sources = vec![unpack::<i32>(of((1, 1)))?, pack::<f32>(of((2, 2)).cut(2))?];
    for transposed in [false, true] {
        sources.push(pack::<i32>(of((1, 1)).transposed(transposed))?);
        for cell in OPERANDS {
            sources.push(pack::<f32>(of(cell).transposed(transposed))?);
        }
    }
    for [cell, (down, across)] in RESULTS {
        sources.push(unpack::<f32>(of(cell).interleaved_over(down, across))?);
    }
    Ok(sources)
}
