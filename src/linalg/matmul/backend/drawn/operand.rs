//! The operands of drawn methods, in textures or buffers.

use crate::data::pack::TexelLayout;
use crate::data::{Matrix, Number};
use crate::gl::{Buffer, Context, Texel};
use crate::linalg::DeviceMatrix;
use crate::stream::{Packed, Pass};

use super::super::packing::{BufferPacker, TexturePacker};
use crate::linalg::matmul::{OperandReads, Result};

/// An operand in cells, and the kernel that packs a matrix on the device into them.
pub(super) enum Operand<P: Texel> {
    Texture(Packed<P>, TexturePacker),
    Buffer(Buffer<[f32; 4]>, TexelLayout, BufferPacker),
}

impl<P: Texel> Operand<P> {
    pub(super) fn new(
        context: &Context,
        reads: OperandReads,
        cells: TexelLayout,
    ) -> Result<Operand<P>> {
        Ok(match reads {
            OperandReads::Texture(_) => {
                Operand::Texture(Packed::uninit(context, cells)?, TexturePacker::new(cells))
            }
            OperandReads::Buffer => {
                let buffer = context.uninit_buffer(cells.numbers() / 4)?;
                Operand::Buffer(buffer, cells, BufferPacker::new(cells))
            }
        })
    }

    /// Uploads a matrix of the host.
    pub(super) fn write<T: Number>(&mut self, matrix: &Matrix<T>) -> Result<()> {
        match self {
            Operand::Texture(packed, _) => packed.write(matrix.elements())?,
            Operand::Buffer(buffer, cells, _) => {
                for numbers in cells.pack(matrix.elements())? {
                    buffer.write(bytemuck::cast_slice(&numbers))?;
                }
            }
        }
        Ok(())
    }

    /// Packs a matrix that is on the device.
    pub(super) fn pack<T: Number + Texel>(&mut self, matrix: &DeviceMatrix<T>) -> Result<()> {
        match self {
            Operand::Texture(packed, packer) => {
                packed.textures.iter_mut().try_for_each(|texture| packer.draw(matrix, texture))
            }
            Operand::Buffer(buffer, _, packer) => packer.fill(matrix, buffer),
        }
    }

    /// Binds it to a pass.
    pub(super) fn bind<'a>(
        &'a self,
        pass: Pass<'a>,
        input: &str,
        block: &str,
        width: &str,
    ) -> Pass<'a> {
        match self {
            Operand::Texture(packed, _) => pass.input(input, packed.texture()),
            Operand::Buffer(buffer, cells, _) => {
                pass.buffer(block, buffer).uniform(width, cells.texture_size().0 as i32)
            }
        }
    }
}
