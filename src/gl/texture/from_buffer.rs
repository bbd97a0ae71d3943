//! Texels from a buffer, on the device where that is right.
//!
//! ANGLE on Direct3D 11 of wine leaves a row or a column as it was, and reports no error. So a
//! context tries it before the first copy, and copies by way of the host where it fails.

use crate::gl::{Buffer, Context, Element, Error, Result, Texel, Texture, must_be};
use crate::{Extent, Rectangle};

impl<T: Texel + Element> Texture<T> {
    /// Copies the elements of a buffer of the same number, on the device.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of elements, [`Error::Foreign`] for a buffer of another
    /// context, [`Error::ContextLost`].
    pub fn copy_from_buffer(&mut self, buffer: &Buffer<T>) -> Result<()> {
        let extent = self.extent();
        must_be(
            extent.texels(),
            buffer.len(),
            format_args!("copying a buffer to {extent} texels"),
        )?;
        self.copy_rows_from_buffer(self.extent().rectangle(), buffer, 0)
    }

    /// Copies elements of a buffer, from this one on, to whole rows, on the device.
    pub(crate) fn copy_rows_from_buffer(
        &mut self,
        rows: Rectangle,
        buffer: &Buffer<T>,
        start: usize,
    ) -> Result<()> {
        let (texels, got) = (rows.texels(), buffer.len());
        if got < start + texels {
            let what = format!("copying a buffer to {texels} texels");
            return Err(Error::Length { what, expected: start + texels, got });
        }
        if works(&self.context())? {
            return self.copy_directly(rows, buffer, start);
        }
        buffer.id_in(&self.context(), "the buffer to copy")?;
        self.write_rectangle(rows, &buffer.read()?[start..start + texels])
    }

    fn copy_directly(&mut self, rows: Rectangle, buffer: &Buffer<T>, start: usize) -> Result<()> {
        let buffer = buffer.id_in(&self.context(), "the buffer to copy")?;
        let offset = u32::try_from(start * size_of::<T>()).unwrap_or(u32::MAX);
        self.raw.upload(rows, glow::PixelUnpackData::BufferOffset(offset), Some(buffer.0), 0)
    }
}

/// Returns whether texels come from buffers, which is tried once for each context.
pub(super) fn works(context: &Context) -> Result<bool> {
    let known = &context.shared.buffers_reach_textures;
    if let Some(known) = known.get() {
        return Ok(*known);
    }
    let found = try_a_row(context)?;
    Ok(*known.get_or_init(|| found))
}

fn try_a_row(context: &Context) -> Result<bool> {
    let sent = [1_u32, 2, 3];
    let buffer = context.buffer(&sent)?;
    let mut row = context.uninit::<u32>(Extent::new(3, 1))?;
    // What a texture of an earlier use has left must not pass for the row.
    row.fill(0)?;
    row.copy_directly(row.extent().rectangle(), &buffer, 0)?;
    Ok(row.read()? == sent)
}
