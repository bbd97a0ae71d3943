//! Mapped buffers that wait for their next use: to make one, the driver pins its pages, which takes as long as several
//! transfers.

use std::ptr::NonNull;

use super::objects::Id;

/// A mapped buffer that nothing on the host uses.
pub(super) struct Idle {
    pub(super) buffer: glow::Buffer,
    /// Where it is mapped.
    pub(super) address: NonNull<u8>,
    /// Bytes.
    pub(super) capacity: usize,
    /// Until the device reaches it, it may still use the buffer.
    pub(super) busy: Option<glow::Fence>,
}

impl Idle {
    /// What is to be deleted with it.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        std::iter::once(Id::Buffer(self.buffer)).chain(self.busy.map(Id::Fence))
    }
}

/// The idle buffers of a context, the one that was used last at the end.
#[derive(Default)]
pub(super) struct Pool {
    idle: Vec<Idle>,
}

/// The most bytes that idle buffers take together: two results of 64 MB on their way back, and two on their way out.
const MOST: usize = 256 << 20;

impl Pool {
    /// The smallest buffer of at least this length. One of more than twice the length is left to a larger transfer.
    pub(super) fn take(&mut self, bytes: usize) -> Option<Idle> {
        let fits = |idle: &Idle| (bytes..=bytes.saturating_mul(2)).contains(&idle.capacity);
        let fitting = self.idle.iter().enumerate().filter(|(_, idle)| fits(idle));
        let (index, _) = fitting.min_by_key(|(_, idle)| idle.capacity)?;
        Some(self.idle.remove(index))
    }

    /// Adds a buffer, and returns those that have not been used for the longest time where all are too many.
    pub(super) fn put(&mut self, idle: Idle) -> Vec<Idle> {
        self.idle.push(idle);
        let mut bytes: usize = self.idle.iter().map(|idle| idle.capacity).sum();
        let mut over = 0;
        for idle in &self.idle {
            if bytes <= MOST {
                break;
            }
            bytes -= idle.capacity;
            over += 1;
        }
        self.idle.drain(..over).collect()
    }

    pub(super) fn into_idle(self) -> Vec<Idle> {
        self.idle
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    fn idle(number: u32, capacity: usize) -> Idle {
        let buffer = glow::NativeBuffer(NonZeroU32::new(number).unwrap());
        Idle { buffer, address: NonNull::dangling(), capacity, busy: None }
    }

    fn number(idle: Option<Idle>) -> Option<u32> {
        idle.map(|idle| idle.buffer.0.get())
    }

    #[test]
    fn the_smallest_that_fits_is_taken_once() {
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
    fn the_oldest_goes_where_all_are_too_many() {
        let mut pool = Pool::default();
        assert!(pool.put(idle(1, MOST / 2)).is_empty());
        assert!(pool.put(idle(2, MOST / 2)).is_empty());
        let gone = pool.put(idle(3, 1));
        assert_eq!(gone.iter().map(|idle| idle.buffer.0.get()).collect::<Vec<_>>(), [1]);
        assert_eq!(pool.put(idle(4, MOST + 1)).len(), 3, "and itself, if it is too large alone");
        assert!(pool.into_idle().is_empty());
    }
}
