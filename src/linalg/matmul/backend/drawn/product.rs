//! The results of drawn methods, in textures or buffers.

use crate::data::Number;
use crate::gl::{Buffer, Context, Texel, Texture, Unorm8};
use crate::linalg::DeviceMatrix;
use crate::memory;
use crate::stream::{Packed, PingPong};

use super::super::packing::{BufferUnpacker, TextureUnpacker};
use super::plan::Plan;
use crate::linalg::matmul::Result;

/// C in cells, and the kernel that unpacks it on the device.
pub(super) enum Product<R: Texel> {
    /// Sums, to which each pass adds.
    Sums(PingPong<R>, TextureUnpacker),
    /// Render targets, one for each output of the fragment.
    Targets(Packed<R>, TextureUnpacker),
    /// A buffer, and the canvas that is drawn over.
    Buffer(Buffer<[f32; 4]>, Texture<Unorm8>, BufferUnpacker),
}

impl<R: Texel> Product<R> {
    pub(super) fn new(context: &Context, plan: &Plan) -> Result<Product<R>> {
        let cells = plan.c;
        if plan.method.stores() {
            let buffer = context.uninit_buffer(cells.numbers() / 4)?;
            let rows = BufferUnpacker::new(cells.texture_size().0 * cells.lanes());
            return Ok(Product::Buffer(buffer, context.uninit(plan.fragments)?, rows));
        }
        let unpacker = TextureUnpacker::new(cells);
        if cells.textures() > 1 {
            return Ok(Product::Targets(Packed::uninit(context, cells)?, unpacker));
        }
        let make = || context.uninit(cells.extent());
        Ok(Product::Sums(PingPong::new(make()?, make()?)?, unpacker))
    }

    /// Reads the elements back to the host, row by row.
    pub(super) fn read<T: Number>(&self, plan: &Plan) -> Result<Vec<T>> {
        let cells = plan.c;
        Ok(match self {
            Product::Sums(sums, _) => {
                let mut numbers = memory::filled(T::default(), cells.numbers())?;
                sums.newest().read_into(bytemuck::cast_slice_mut(&mut numbers))?;
                cells.unpack(&[numbers])?
            }
            Product::Targets(targets, _) => targets.read::<T>()?,
            Product::Buffer(buffer, ..) => {
                let numbers = buffer.read()?;
                cells.unpack(&[bytemuck::cast_slice::<_, T>(&numbers)])?
            }
        })
    }

    /// Unpacks the elements into a matrix on the device.
    pub(super) fn unpack<T: Number + Texel>(&self, matrix: &mut DeviceMatrix<T>) -> Result<()> {
        match self {
            Product::Sums(sums, unpacker) => {
                unpacker.draw(std::slice::from_ref(sums.newest()), matrix)
            }
            Product::Targets(targets, unpacker) => unpacker.draw(&targets.textures, matrix),
            Product::Buffer(buffer, _, unpacker) => unpacker.draw(buffer, matrix),
        }
    }
}
