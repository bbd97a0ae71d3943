//! Storage buffers whose type of element is chosen at run time.

use bytemuck::Pod;

use quadrille::Extent;
use quadrille::data::ValuesRef;
use quadrille::gl::{self, Buffer, Class, Context, Element};
use quadrille::internal::data::Layout;
use quadrille::stream::Dispatch;

use crate::error::{Error, InputError, Result};
use crate::execute::any_texture::Exact;
use crate::execute::flip;

use quadrille::memory;

/// An array in a storage buffer: its numbers one behind the other, as NumPy has them and `float
/// x[]` reads them. A `vec2 x[]` and a `vec4 x[]` of std430 have no gaps either.
#[derive(Debug)]
pub(crate) struct Block {
    extent: Extent,
    buffer: TypedBuffer,
}

#[derive(Debug)]
enum TypedBuffer {
    F32(Buffer<f32>),
    I32(Buffer<i32>),
    U32(Buffer<u32>),
}

/// Does the same with the buffer, whatever its class.
macro_rules! of_any_class {
    ($numbers:expr, $buffer:ident => $result:expr) => {
        match $numbers {
            TypedBuffer::F32($buffer) => $result,
            TypedBuffer::I32($buffer) => $result,
            TypedBuffer::U32($buffer) => $result,
        }
    };
}

impl Block {
    /// Creates an uninitialized buffer.
    pub(crate) fn empty(
        context: &Context,
        class: Class,
        channels: usize,
        extent: Extent,
    ) -> Result<Block, gl::Error> {
        let count = extent.texels().saturating_mul(channels);
        must_fit(context, count)?;
        let buffer = match class {
            Class::Float => TypedBuffer::F32(context.uninit_buffer(count)?),
            Class::Int => TypedBuffer::I32(context.uninit_buffer(count)?),
            Class::Uint => TypedBuffer::U32(context.uninit_buffer(count)?),
        };
        Ok(Block { extent, buffer })
    }

    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn class(&self) -> Class {
        match self.buffer {
            TypedBuffer::F32(_) => Class::Float,
            TypedBuffer::I32(_) => Class::Int,
            TypedBuffer::U32(_) => Class::Uint,
        }
    }

    /// Replaces all numbers, each converted exactly; with `flip` the last row becomes the first of
    /// the buffer.
    pub(crate) fn write(
        &mut self,
        input: &str,
        layout: Layout,
        values: ValuesRef<'_>,
        flip: bool,
    ) -> Result<()> {
        let from = Exact { input, layout, values, class: self.class() };
        let row = layout.extent.width as usize * layout.channels;
        let row = flip.then_some(row);
        match &mut self.buffer {
            TypedBuffer::F32(buffer) => write(buffer, &from.floats().map_err(in_block)?, row),
            TypedBuffer::I32(buffer) => write(buffer, &from.ints().map_err(in_block)?, row),
            TypedBuffer::U32(buffer) => write(buffer, &from.uints().map_err(in_block)?, row),
        }
    }

    /// Reads all numbers into a slice of their class and number.
    pub(crate) fn read_into<T: Pod>(&self, into: &mut [T]) -> Result<()> {
        Ok(
            of_any_class!(&self.buffer, buffer => buffer.read_at(0, bytemuck::cast_slice_mut(into)))?,
        )
    }

    /// Replaces the bits of all numbers.
    pub(crate) fn set_words(&mut self, words: &[u32]) -> Result<(), gl::Error> {
        of_any_class!(&mut self.buffer, buffer => buffer.write(bytemuck::cast_slice(words)))
    }

    /// Copies all numbers of another block of the same class and length.
    pub(crate) fn copy_from(&mut self, other: &Block) -> Result<(), gl::Error> {
        match (&mut self.buffer, &other.buffer) {
            (TypedBuffer::F32(to), TypedBuffer::F32(from)) => to.copy_from(from),
            (TypedBuffer::I32(to), TypedBuffer::I32(from)) => to.copy_from(from),
            (TypedBuffer::U32(to), TypedBuffer::U32(from)) => to.copy_from(from),
            _ => Ok(()),
        }
    }

    /// Sets all numbers to 0.
    pub(crate) fn clear(&mut self) -> Result<()> {
        Ok(of_any_class!(&mut self.buffer, buffer => buffer.write(&memory::zeroed(buffer.len())?))?)
    }

    pub(crate) fn bind<'a>(&'a self, dispatch: Dispatch<'a>, name: &str) -> Dispatch<'a> {
        of_any_class!(&self.buffer, buffer => dispatch.buffer(name, buffer))
    }

    pub(crate) fn bind_mut<'a>(&'a mut self, dispatch: Dispatch<'a>, name: &str) -> Dispatch<'a> {
        of_any_class!(&mut self.buffer, buffer => dispatch.buffer_mut(name, buffer))
    }
}

/// Says of what a sampler could not hold that it is a block.
fn in_block(error: Error) -> Error {
    match error {
        Error::Input(InputError::Inexact { input, has, class, number, at }) => {
            InputError::InexactInBlock { input, has, class, number, at }.into()
        }
        other => other,
    }
}

/// Replaces all numbers; rows of a length that is given are reversed.
fn write<T: Element>(buffer: &mut Buffer<T>, numbers: &[T], row: Option<usize>) -> Result<()> {
    let Some(row) = row else { return Ok(buffer.write(numbers)?) };
    let mut reversed = memory::collected(numbers.len(), numbers.iter().copied())?;
    flip::reverse(&mut reversed, row);
    Ok(buffer.write(&reversed)?)
}

/// Refuses more than a block can address.
fn must_fit(context: &Context, count: usize) -> Result<(), gl::Error> {
    let Some(limits) = context.abilities().compute else { return Ok(()) };
    let (bytes, limit) = (count.saturating_mul(4) as u64, u64::from(limits.max_block_bytes));
    if bytes <= limit {
        return Ok(());
    }
    Err(gl::Error::TooLarge {
        what: String::new(),
        request: format!("{bytes} bytes in a storage block"),
        limit,
        remedy: "split the array".into(),
    })
}
