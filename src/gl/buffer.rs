//! Buffers typed by element: storage for compute shaders.

#[cfg(feature = "primitives")]
pub(crate) mod later;
pub(super) mod mapping;

use std::collections::VecDeque;
use std::marker::PhantomData;

use bytemuck::Pod;
use glow::HasContext;

use super::object::owned::Owned;
use super::object::poison;
use super::transfer::copies::{copy, copy_to_new};
use super::transfer::mapped::{Mapped, Use};
use super::{Context, Error, Result, Unorm8, must_be};
use crate::memory;
use mapping::{copy_out, to_i32};

/// An element of a buffer, in the layout std430.
pub trait Element: Pod + PartialEq + std::fmt::Debug {
    /// The name of the type in GLSL.
    const GLSL: &'static str;
}

macro_rules! elements {
    ($($type:ty => $glsl:literal),*) => { $(
        impl Element for $type { const GLSL: &'static str = $glsl; }
    )* };
}

elements!(f32 => "float", f64 => "double", [f32; 2] => "vec2", [f32; 4] => "vec4", i32 => "int", u32 => "uint");
elements!([i32; 4] => "ivec4", [u32; 4] => "uvec4");
// Four bytes, the first one lowest.
elements!([Unorm8; 4] => "uint");

/// An array of `T` on the device.
pub struct Buffer<T: Element> {
    owned: Owned<glow::Buffer>,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Element> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} of {})", self.length, T::GLSL)
    }
}

/// The target for filling and reading buffers: every context has it.
const TARGET: u32 = glow::ARRAY_BUFFER;

impl Context {
    /// Makes a buffer of these elements.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::ContextLost`].
    pub fn buffer<T: Element>(&self, elements: &[T]) -> Result<Buffer<T>> {
        let mut buffer = self.uninit_buffer(elements.len())?;
        buffer.write(elements)?;
        Ok(buffer)
    }

    /// Makes a buffer whose elements are uninitialized.
    ///
    /// # Errors
    /// As [`buffer`](Context::buffer).
    pub fn uninit_buffer<T: Element>(&self, length: usize) -> Result<Buffer<T>> {
        // An empty buffer cannot be bound, so the shortest has one element.
        let bytes = length.max(1).saturating_mul(size_of::<T>());
        let what = || format!("a buffer of {length} elements");
        let owned = self.with_room(|| allocate(self, bytes, glow::DYNAMIC_COPY, what))?;
        if let Some(poison) = poison::bytes(self, bytes)? {
            fill(&owned, 0, &poison)?;
        }
        Ok(Buffer { owned, length, element: PhantomData })
    }
}

/// Makes a buffer of these bytes.
pub(super) fn allocate(
    context: &Context,
    bytes: usize,
    usage: u32,
    what: impl Fn() -> String,
) -> Result<Owned<glow::Buffer>> {
    let length = to_i32(bytes)?;
    // SAFETY: `make` enters the context.
    let owned = Owned::make(context, |gl| unsafe { gl.create_buffer() })?;
    let gl = context.shared.enter()?;
    // SAFETY: entered; the buffer is alive.
    unsafe {
        gl.bind_buffer(TARGET, Some(owned.name()));
        gl.buffer_data_size(TARGET, length, usage);
        gl.bind_buffer(TARGET, None);
    }
    context.shared.check_allocation(&what(), bytes as u64)?;
    owned.takes(bytes as u64);
    Ok(owned)
}

/// Copies bytes to a buffer for an upload to a texture: the driver may fetch them itself. The usage
/// is that of other buffers: with STREAM_DRAW an NVIDIA H200 was slower than without a buffer.
pub(super) fn stage(context: &Context, bytes: &[u8]) -> Result<Owned<glow::Buffer>> {
    let what = || "a buffer on the way to a texture".into();
    let owned = allocate(context, bytes.len().max(1), glow::DYNAMIC_COPY, what)?;
    fill(&owned, 0, bytes)?;
    Ok(owned)
}

/// Copies bytes into a buffer that has room for them from this position on.
pub(super) fn fill(owned: &Owned<glow::Buffer>, start: usize, bytes: &[u8]) -> Result<()> {
    let (context, start) = (owned.context(), to_i32(start)?);
    let gl = context.shared.enter()?;
    // SAFETY: entered; the buffer has room for the slice.
    unsafe {
        gl.bind_buffer(TARGET, Some(owned.name()));
        gl.buffer_sub_data_u8_slice(TARGET, start, bytes);
        gl.bind_buffer(TARGET, None);
    }
    context.shared.check(|| "filling a buffer".into())
}

/// Copies bytes from one buffer to another that has room for them, each from its own place on. Both
/// live in the context.
pub(super) fn copy_within(
    context: &Context,
    [from, to]: [glow::Buffer; 2],
    [start, target]: [usize; 2],
    length: usize,
) -> Result<()> {
    let (start, target, length) = (to_i32(start)?, to_i32(target)?, to_i32(length)?);
    let gl = context.shared.enter()?;
    // SAFETY: entered; both buffers are alive and hold the range.
    unsafe {
        gl.bind_buffer(glow::COPY_READ_BUFFER, Some(from));
        gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(to));
        let (read, write) = (glow::COPY_READ_BUFFER, glow::COPY_WRITE_BUFFER);
        gl.copy_buffer_sub_data(read, write, start, target, length);
        gl.bind_buffer(glow::COPY_READ_BUFFER, None);
        gl.bind_buffer(glow::COPY_WRITE_BUFFER, None);
    }
    context.shared.check(|| "copying a buffer".into())
}

/// Copies what the device wrote to a stage, once it has.
fn empty(arrived: Option<(Mapped, &mut [u8])>) -> Result<()> {
    if let Some((stage, part)) = arrived {
        copy_to_new(stage.bytes()?, part);
    }
    Ok(())
}

/// The bytes transferred at a time.
const STAGE: usize = 16 << 20;
/// The stages that the device fills while the host empties one.
const AHEAD: usize = 2;
/// The bytes from which on threads of the host and the device copy at the same time; fewer the
/// driver takes at once.
const LONG: usize = 1 << 20;

impl<T: Element> Buffer<T> {
    /// Returns the context it lives in.
    pub fn context(&self) -> Context {
        self.owned.context()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether it has none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Replaces all elements.
    ///
    /// ```
    /// let context = quadrille::Context::headless()?;
    /// let mut buffer = context.uninit_buffer::<f32>(2)?;
    /// buffer.write(&[1.0, 2.0])?;
    /// assert_eq!(buffer.read()?, [1.0, 2.0]);
    /// # Ok::<(), quadrille::gl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if there are not as many elements, [`Error::OutOfMemory`],
    /// [`Error::ContextLost`].
    pub fn write(&mut self, elements: &[T]) -> Result<()> {
        must_be(self.length, elements.len(), "filling a buffer")?;
        self.write_at(0, elements)
    }

    /// Replaces the elements from this one on, of which there are enough.
    pub(crate) fn write_at(&mut self, start: usize, elements: &[T]) -> Result<()> {
        let (expected, got) = (self.length, start + elements.len());
        if got > expected {
            return Err(Error::Length { what: "filling a buffer".into(), expected, got });
        }
        if elements.is_empty() {
            return Ok(());
        }
        let (at, bytes) = (start * size_of::<T>(), bytemuck::cast_slice(elements));
        let abilities = self.owned.shared().abilities();
        if bytes.len() >= LONG && abilities.mapped_buffers && !abilities.software {
            return self.write_by_mapped(at, bytes);
        }
        fill(&self.owned, at, bytes)
    }

    /// Threads of the host fill one stage while the device copies from others.
    fn write_by_mapped(&mut self, start: usize, bytes: &[u8]) -> Result<()> {
        let context = self.owned.context();
        for (index, part) in bytes.chunks(STAGE).enumerate() {
            let mut stage = Mapped::take(&context, part.len())?;
            copy(part, stage.bytes_mut()?);
            let (from, to) = (stage.name(), self.owned.name());
            copy_within(&context, [from, to], [0, start + index * STAGE], part.len())?;
            stage.used(Use::Reads)?;
        }
        context.shared.check_reset()
    }

    /// Copies all elements of another buffer of the same context and length.
    #[doc(hidden)]
    pub fn copy_from(&mut self, other: &Buffer<T>) -> Result<()> {
        must_be(self.length, other.length, "copying a buffer")?;
        let context = self.owned.context();
        other.owned().must_live_in(&context, "the buffer to copy")?;
        match self.length * size_of::<T>() {
            0 => Ok(()),
            bytes => other.copy_to(self.owned.name(), 0, bytes),
        }
    }

    /// Reads all elements. Waits for the dispatches that write them.
    ///
    /// They are copied to another buffer first: some drivers move a buffer that the host has read
    /// to the host's memory forever, where shaders reach it at a fraction of the speed.
    ///
    /// # Errors
    /// [`Error::HostMemory`], [`Error::OutOfMemory`], [`Error::ContextLost`].
    pub fn read(&self) -> Result<Vec<T>> {
        let mut elements = memory::zeroed(self.length)?;
        self.read_at(0, &mut elements)?;
        Ok(elements)
    }

    /// Reads elements from this one on, of which there are enough.
    #[doc(hidden)]
    pub fn read_at(&self, start: usize, elements: &mut [T]) -> Result<()> {
        let (expected, got) = (self.length, start + elements.len());
        if got > expected {
            return Err(Error::Length { what: "reading a buffer".into(), expected, got });
        }
        let (at, bytes) = (start * size_of::<T>(), bytemuck::cast_slice_mut(elements));
        match self.owned.shared().abilities().mapped_buffers {
            _ if bytes.is_empty() => Ok(()),
            true => self.read_by_mapped(at, bytes),
            false => self.read_by_buffer(at, bytes),
        }
    }

    /// The device copies to stages while threads of the host empty others.
    fn read_by_mapped(&self, at: usize, bytes: &mut [u8]) -> Result<()> {
        let context = self.owned.context();
        let start = |index: usize, length: usize| -> Result<Mapped> {
            let stage = Mapped::take(&context, length)?;
            let copied = self.copy_to(stage.name(), at + index * STAGE, length);
            stage.used(Use::Writes).and(copied)?;
            Ok(stage)
        };
        let mut under_way = VecDeque::new();
        for (index, part) in bytes.chunks_mut(STAGE).enumerate() {
            under_way.push_back((start(index, part.len())?, part));
            if under_way.len() > AHEAD {
                empty(under_way.pop_front())?;
            }
        }
        while let Some(oldest) = under_way.pop_front() {
            empty(Some(oldest))?;
        }
        context.shared.check_reset()
    }

    fn read_by_buffer(&self, at: usize, bytes: &mut [u8]) -> Result<()> {
        let context = self.owned.context();
        let length = bytes.len().min(STAGE);
        let what = || format!("a buffer to read {length} bytes by");
        let stage = allocate(&context, length, glow::STREAM_READ, what)?;
        for (index, part) in bytes.chunks_mut(STAGE).enumerate() {
            self.copy_to(stage.name(), at + index * STAGE, part.len())?;
            copy_out(&context, stage.name(), TARGET, part)?;
        }
        Ok(())
    }

    /// Copies bytes from this place on to the beginning of a buffer that has room for them.
    fn copy_to(&self, stage: glow::Buffer, from: usize, length: usize) -> Result<()> {
        copy_within(&self.owned.context(), [self.owned.name(), stage], [from, 0], length)
    }

    pub(super) fn owned(&self) -> &Owned<glow::Buffer> {
        &self.owned
    }
}

/// A buffer of any element, as passes and dispatches bind it.
pub(crate) struct BufferId(pub(super) glow::Buffer);

impl<T: Element> Buffer<T> {
    /// Returns the id of the buffer, if it lives in this context.
    pub(crate) fn id_in(&self, context: &Context, what: &str) -> Result<BufferId> {
        self.owned().must_live_in(context, what)?;
        Ok(BufferId(self.owned().name()))
    }
}
