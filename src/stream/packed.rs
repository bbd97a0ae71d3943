//! A matrix on the device.

use bytemuck::Pod;

use crate::data::pack::TexelLayout;
use crate::error::a_matrix;
use crate::gl::{Context, Texel, Texture, must_be};
use crate::memory;

use super::{Error, Result};

/// A matrix in textures of texels `P`, and its layout.
pub(crate) struct Packed<P: Texel> {
    /// The textures that the layout interleaves; one, unless a pass with several targets made them.
    pub(crate) textures: Vec<Texture<P>>,
    cells: TexelLayout,
}

impl<P: Texel> Packed<P> {
    /// Creates an uninitialized matrix in this layout, whose cells have as many lanes as a texel.
    pub(crate) fn uninit(context: &Context, cells: TexelLayout) -> Result<Packed<P>> {
        let (expected, name) = (P::FORMAT.channels, P::FORMAT.name);
        must_be(expected, cells.lanes(), format_args!("a texel of {name}"))?;
        let make = |_| Ok(context.uninit(cells.extent())?);
        let textures = (0..cells.textures()).map(make).collect::<Result<Vec<_>>>()?;
        Ok(Packed { textures, cells })
    }

    /// Replaces all elements, given row by row. `T` is the number that texels are made of.
    pub(crate) fn write<T: Pod + Default>(&mut self, elements: &[T]) -> Result<()> {
        const { must_be_part::<T, P>() };
        let (expected, got) = (self.cells.shape.len().unwrap_or(usize::MAX), elements.len());
        must_be(expected, got, format_args!("filling {}", a_matrix(self.cells.shape)))?;
        for (texture, numbers) in self.textures.iter_mut().zip(self.cells.pack(elements)?) {
            texture.write(bytemuck::cast_slice(&numbers))?;
        }
        Ok(())
    }

    /// Sets every number to this value, padding included.
    pub(crate) fn fill(&mut self, value: P) -> Result<()> {
        for texture in &mut self.textures {
            texture.fill(value)?;
        }
        Ok(())
    }

    /// Copies the texels of a matrix of the same shape and layout, on the device.
    pub(crate) fn copy_from(&mut self, other: &Packed<P>) -> Result<()> {
        if self.cells != other.cells {
            return Err(Error::Shapes { expected: self.cells.shape, got: other.cells.shape });
        }
        for (to, from) in self.textures.iter_mut().zip(&other.textures) {
            to.copy_from(from)?;
        }
        Ok(())
    }

    /// Reads all elements, row by row.
    pub(crate) fn read<T: Pod + Default>(&self) -> Result<Vec<T>> {
        const { must_be_part::<T, P>() };
        let numbers = |texture: &Texture<P>| {
            let mut numbers = memory::zeroed(self.cells.numbers())?;
            texture.read_into(bytemuck::cast_slice_mut(&mut numbers))?;
            Ok(numbers)
        };
        let textures = self.textures.iter().map(numbers).collect::<Result<Vec<_>>>()?;
        Ok(self.cells.unpack(&textures)?)
    }

    /// Returns the only texture, or the first of the interleaved ones: a layout has at least one.
    pub(crate) fn texture(&self) -> &Texture<P> {
        &self.textures[0]
    }
}

/// Checks at compile time that texels `P` consist of numbers of the size of `T`, so that slices of
/// one can be taken for slices of the other.
const fn must_be_part<T, P: Texel>() {
    assert!(size_of::<T>() * P::FORMAT.channels == size_of::<P>());
    assert!(align_of::<T>() >= align_of::<P>());
}
