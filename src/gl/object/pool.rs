//! Mapped buffers, textures and programs that wait for their next use. To make a mapped buffer, the
//! driver pins its pages, which takes as long as several transfers; a new texture of 40 MB costs an
//! NVIDIA H200 a third of a pass over it; a program is compiled.

use std::ptr::NonNull;

use crate::Extent;

use super::kind::Id;
use crate::gl::program::parameter::Interface;
use crate::gl::texture::sampling::Sampling;
use crate::gl::texture::texel::Format;

/// An object that waits in a pool for its next use; it is deleted where the pool has no room.
pub(crate) trait Idle {
    fn bytes(&self) -> usize;

    /// Returns the ids to delete with it.
    fn ids(&self) -> [Option<Id>; 2];
}

/// A mapped buffer that nothing on the host uses.
pub(crate) struct IdleBuffer {
    pub(crate) buffer: glow::Buffer,
    /// The address at which it is mapped.
    pub(crate) address: NonNull<u8>,
    /// Bytes.
    pub(crate) capacity: usize,
    /// The fence before which the device may still use the buffer.
    pub(crate) busy: Option<glow::Fence>,
}

impl Idle for IdleBuffer {
    fn bytes(&self) -> usize {
        self.capacity
    }

    fn ids(&self) -> [Option<Id>; 2] {
        [Some(Id::Buffer(self.buffer)), self.busy.map(Id::Fence)]
    }
}

/// A texture that was dropped.
pub(crate) struct IdleTexture {
    pub(crate) texture: glow::Texture,
    pub(crate) extent: Extent,
    pub(crate) format: Format,
    /// The sampling that is set in GL now.
    pub(crate) applied: Sampling,
    /// The framebuffer whose only target it is.
    pub(crate) framebuffer: Option<glow::Framebuffer>,
}

impl Idle for IdleTexture {
    fn bytes(&self) -> usize {
        self.extent.texels() * self.format.bytes
    }

    fn ids(&self) -> [Option<Id>; 2] {
        [Some(Id::Texture(self.texture)), self.framebuffer.map(Id::Framebuffer)]
    }
}

/// A program that was dropped.
pub(crate) struct IdleProgram {
    pub(crate) program: glow::Program,
    /// All that it was built from.
    pub(crate) text: String,
    pub(crate) interface: Interface,
}

impl Idle for IdleProgram {
    fn bytes(&self) -> usize {
        self.text.len()
    }

    fn ids(&self) -> [Option<Id>; 2] {
        [Some(Id::Program(self.program)), None]
    }
}

/// The idle objects of one kind in a context; the one used last is at the end.
pub(crate) struct Pool<I> {
    idle: Vec<I>,
    most_bytes: usize,
}

impl<I> Default for Pool<I> {
    fn default() -> Self {
        Pool { idle: Vec::new(), most_bytes: MOST_BYTES }
    }
}

impl<I> Pool<I> {
    /// Creates a pool for a device with this much memory, of which it may keep a sixteenth, so that
    /// a solver that replaces another one of a large grid finds its textures; drivers take
    /// milliseconds to delete and to make them.
    pub(crate) fn on(memory: Option<u64>) -> Self {
        let share = memory.map_or(0, |bytes| usize::try_from(bytes / 16).unwrap_or(usize::MAX));
        Pool { most_bytes: share.max(MOST_BYTES), ..Pool::default() }
    }
}

/// The most bytes that idle buffers, and idle textures, take together: two results of 64 MB on
/// their way back, and two on their way out. Of a device whose memory is known they may take more.
pub(super) const MOST_BYTES: usize = 256 << 20;
/// The most of them: each is looked at whenever one is taken.
const MOST: usize = 256;

impl<I: Idle> Pool<I> {
    /// Adds one, and returns those that have not been used for the longest time where all are too
    /// many.
    pub(crate) fn put(&mut self, idle: I) -> Vec<I> {
        self.idle.push(idle);
        let mut bytes: usize = self.idle.iter().map(Idle::bytes).sum();
        let mut over = 0;
        for idle in &self.idle {
            if bytes <= self.most_bytes && self.idle.len() - over <= MOST {
                break;
            }
            bytes -= idle.bytes();
            over += 1;
        }
        self.idle.drain(..over).collect()
    }

    pub(crate) fn into_idle(self) -> Vec<I> {
        self.idle
    }
}

impl Pool<IdleBuffer> {
    /// Returns the smallest buffer of at least this length. One of more than twice the length is
    /// left to a larger transfer.
    pub(crate) fn take(&mut self, bytes: usize) -> Option<IdleBuffer> {
        let fits = |idle: &IdleBuffer| (bytes..=bytes.saturating_mul(2)).contains(&idle.capacity);
        let fitting = self.idle.iter().enumerate().filter(|(_, idle)| fits(idle));
        let (index, _) = fitting.min_by_key(|(_, idle)| idle.capacity)?;
        Some(self.idle.remove(index))
    }
}

impl Pool<IdleTexture> {
    /// Returns a texture of this extent and format: the one that was used last.
    pub(crate) fn take(&mut self, extent: Extent, format: Format) -> Option<IdleTexture> {
        let fits = |idle: &IdleTexture| idle.extent == extent && idle.format == format;
        let index = self.idle.iter().rposition(fits)?;
        Some(self.idle.remove(index))
    }
}

impl Pool<IdleProgram> {
    /// Returns a program that was built from this.
    pub(crate) fn take(&mut self, text: &str) -> Option<IdleProgram> {
        let index = self.idle.iter().rposition(|idle| idle.text == text)?;
        Some(self.idle.remove(index))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::gl::Texel;
    use std::num::NonZeroU32;

    fn idle(number: u32, capacity: usize) -> IdleBuffer {
        let buffer = glow::NativeBuffer(NonZeroU32::new(number).unwrap());
        IdleBuffer { buffer, address: NonNull::dangling(), capacity, busy: None }
    }

    fn number(idle: Option<IdleBuffer>) -> Option<u32> {
        idle.map(|idle| idle.buffer.0.get())
    }

    fn texture(number: u32, extent: Extent, format: Format) -> IdleTexture {
        let texture = glow::NativeTexture(NonZeroU32::new(number).unwrap());
        IdleTexture { texture, extent, format, applied: Sampling::default(), framebuffer: None }
    }

    #[test]
    fn the_smallest_buffer_that_fits_is_taken_once() {
        let mut pool = Pool::default();
        for (number, capacity) in [(1, 100), (2, 60), (3, 70), (4, 10)] {
            assert!(pool.put(idle(number, capacity)).is_empty());
        }
        assert_eq!(number(pool.take(101)), None);
        assert_eq!(number(pool.take(55)), Some(2));
        assert_eq!(number(pool.take(55)), Some(3));
        assert_eq!(number(pool.take(49)), None, "too large by more than twice");
        assert_eq!(number(pool.take(55)), Some(1));
    }

    #[test]
    fn a_texture_is_taken_for_its_own_extent_and_format_alone() {
        let (wide, high) = (Extent::new(4, 2), Extent::new(2, 4));
        let mut pool = Pool::default();
        for (number, extent) in [(1, wide), (2, wide), (3, high)] {
            assert!(pool.put(texture(number, extent, f32::FORMAT)).is_empty());
        }
        let mut take = |extent, format| pool.take(extent, format).map(|idle| idle.texture.0.get());
        assert_eq!((take(wide, i32::FORMAT), take(Extent::new(8, 1), f32::FORMAT)), (None, None));
        assert_eq!([(); 3].map(|()| take(wide, f32::FORMAT)), [Some(2), Some(1), None]);
        assert_eq!(take(high, f32::FORMAT), Some(3));
        assert_ne!(<[f32; 3]>::FORMAT, <[f32; 4]>::FORMAT, "the fourth channel reads as 1");
    }

    #[test]
    fn the_oldest_goes_where_all_are_too_many() {
        let mut pool = Pool::default();
        assert!(pool.put(idle(1, MOST_BYTES / 2)).is_empty());
        assert!(pool.put(idle(2, MOST_BYTES / 2)).is_empty());
        let gone = pool.put(idle(3, 1));
        assert_eq!(gone.iter().map(|idle| idle.buffer.0.get()).collect::<Vec<_>>(), [1]);
        assert_eq!(pool.put(idle(4, MOST_BYTES + 1)).len(), 3, "and itself, if it is too large");
        assert!((1..=MOST as u32).all(|number| pool.put(idle(number, 0)).is_empty()));
        let gone = pool.put(idle(1000, 0));
        assert_eq!(gone.iter().map(|idle| idle.buffer.0.get()).collect::<Vec<_>>(), [1]);
        assert_eq!(pool.into_idle().len(), MOST);
    }
}
