//! Packs matrices into storage buffers, and unpacks them.

use crate::Shape;
use crate::data::Number;
use crate::data::pack::TexelLayout;
use crate::gl::{self, Buffer, Context, Texel};
use crate::linalg::DeviceMatrix;
use crate::shader::{Source, Stage};
use crate::stream::Kernel;
use crate::stream::launch::Program;

use super::super::number::of_type;
use super::{Lazy, of_layout};
use crate::linalg::matmul::Result;

/// The side of a work group: 64 invocations, which every device has.
const GROUP: u32 = 8;

/// Fills buffers with the cells of matrices, as a texture would hold them.
pub(crate) struct BufferPacker {
    cells: TexelLayout,
    program: Lazy<Program>,
}

impl BufferPacker {
    pub(crate) fn new(cells: TexelLayout) -> BufferPacker {
        BufferPacker { cells, program: Lazy::new() }
    }

    /// Packs a matrix into a buffer, which has room for the numbers of the cells. It does nothing
    /// for a matrix without elements.
    pub(crate) fn fill<T: Number + Texel, W: gl::Element>(
        &self,
        from: &DeviceMatrix<T>,
        to: &mut Buffer<W>,
    ) -> Result<()> {
        let Some(matrix) = from.texture() else { return Ok(()) };
        let compile = || Ok(Program::compute(&to.context(), pack::<T>(self.cells)?)?);
        let program = self.program.get(compile)?;
        let extent = self.cells.extent();
        let size = [extent.width as i32, extent.height as i32];
        let launch = program.launch().input("matrix", matrix).uniform("size", size);
        let groups = [extent.width.div_ceil(GROUP), extent.height.div_ceil(GROUP), 1];
        Ok(launch.buffer_mut("Cells", to).run(groups)?)
    }
}

/// Draws matrices from buffers where they lie row by row.
pub(crate) struct BufferUnpacker {
    /// The distance between the beginnings of two rows, in numbers.
    stride: usize,
    kernel: Lazy<Kernel>,
}

impl BufferUnpacker {
    pub(crate) fn new(stride: usize) -> BufferUnpacker {
        BufferUnpacker { stride, kernel: Lazy::new() }
    }

    /// Returns whether fragments can read buffers there: OpenGL ES promises that to compute shaders
    /// alone.
    pub(crate) fn runs_on(context: &Context) -> bool {
        context.abilities().compute.is_some_and(|limits| limits.max_fragment_buffers > 0)
    }

    pub(crate) fn draw<T: Number + Texel, W: gl::Element>(
        &self,
        from: &Buffer<W>,
        to: &mut DeviceMatrix<T>,
    ) -> Result<()> {
        let Some(matrix) = to.texture_mut() else { return Ok(()) };
        let kernel = self.kernel.get(|| Ok(matrix.context().kernel(unpack::<T>()?)?))?;
        let pass = kernel.pass().buffer("Rows", from).uniform("stride", self.stride as i32);
        Ok(pass.draw(matrix)?)
    }
}

fn pack<T: Number>(cells: TexelLayout) -> Result<Source> {
    let source = Source::library(Stage::Compute, "matmul/pack.comp")?.define("GROUP", GROUP);
    Ok(of_layout(of_type::<T>(source), cells))
}

fn unpack<T: Number>() -> Result<Source> {
    let source = Source::library(Stage::Fragment, "matmul/unpack_rows.frag")?;
    Ok(of_type::<T>(source).storage())
}

pub(super) fn sources() -> Result<Vec<Source>> {
    let of = |(down, across)| TexelLayout::new(Shape::new(1, 1), down, across);
    let mut sources = vec![unpack::<f32>()?, unpack::<i32>()?];
    sources.push(pack::<f32>(of((4, 1)).cut(2))?);
    for transposed in [false, true] {
        sources.push(pack::<i32>(of((1, 1)).transposed(transposed))?);
        // One element for compute shaders; blocks have A in columns and B in rows of four.
        for cell in [(1, 1), (4, 1), (1, 4)] {
            sources.push(pack::<f32>(of(cell).transposed(transposed))?);
        }
    }
    Ok(sources)
}
