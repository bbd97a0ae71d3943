//! Buffers in the host's memory that stay mapped while the device reads and writes them: a GPU
//! transfers them by itself, at the speed of the bus.

use std::cell::RefCell;
use std::ops::Range;
use std::ptr::NonNull;
use std::time::Duration;

use crate::gl::buffer::mapping::map_for_good;
use crate::gl::context::entries::Call;
use crate::gl::object::owned::Owned;
use crate::gl::object::pool::IdleBuffer;
use crate::gl::sync::Fence;
use crate::gl::{Context, Result};

/// The use that the device makes of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// The device reads them.
    Reads,
    /// The device writes them.
    Writes,
}

/// A mapped buffer, borrowed from the context's pool. Its bytes are those of the last use until
/// they are written.
pub(crate) struct Mapped {
    buffer: Owned<glow::Buffer>,
    address: NonNull<u8>,
    capacity: usize,
    length: usize,
    /// The last command that uses the bytes.
    busy: RefCell<Option<(Fence, Use)>>,
}

impl Mapped {
    /// Creates a buffer of this length: an idle one of the context's pool, or a new one.
    ///
    /// The context has mapped buffers (`Abilities::mapped_buffers`).
    pub(crate) fn take(context: &Context, length: usize) -> Result<Mapped> {
        context.shared.must_live()?;
        let idle = context.shared.buffers.borrow_mut().take(length);
        let (buffer, address, capacity, busy) = match idle {
            Some(IdleBuffer { buffer, address, capacity, busy }) => {
                (Owned::adopt(context, buffer), address, capacity, busy)
            }
            None => {
                let (buffer, address) = map_for_good(context, length)?;
                (buffer, address, length, None)
            }
        };
        buffer.takes(length as u64);
        let busy = busy.map(|fence| (Fence::adopt(context, fence), Use::Writes));
        Ok(Mapped { buffer, address, capacity, length, busy: RefCell::new(busy) })
    }

    pub(crate) fn name(&self) -> glow::Buffer {
        self.buffer.name()
    }

    /// Notes that the commands issued until now use the bytes, and submits them.
    pub(crate) fn used(&self, by: Use) -> Result<()> {
        self.noted(by)?;
        self.buffer.context().flush()
    }

    /// Notes that the commands issued until now use the bytes, without submitting them: that is
    /// left to the one that waits.
    pub(crate) fn noted(&self, by: Use) -> Result<()> {
        let context = self.buffer.context();
        let fence = Fence::new(&context).or_else(|error| {
            context.finish()?; // The bytes are used without a fence that marks the end of the use.
            Err(error)
        })?;
        let mut busy = self.busy.borrow_mut();
        let by = busy.as_ref().map_or(by, |(_, earlier)| by.max(*earlier));
        *busy = Some((fence, by));
        Ok(())
    }

    /// Returns whether the device is done with the bytes, after waiting at most this long. A reset
    /// signals every fence, and is an error.
    pub(crate) fn wait(&self, limit: Duration) -> Result<bool> {
        let mut busy = self.busy.borrow_mut();
        if let Some((fence, _)) = &*busy {
            if !fence.wait(limit)? {
                return Ok(false);
            }
            self.buffer.shared().check_reset()?;
        }
        *busy = None;
        Ok(true)
    }

    /// Waits until the device is done with the bytes.
    pub(crate) fn wait_long(&self) -> Result<()> {
        let _wait = Call::begin();
        while !self.wait(Duration::from_secs(1))? {}
        Ok(())
    }

    /// Returns the bytes, once the device writes them no more.
    pub(crate) fn bytes(&self) -> Result<&[u8]> {
        let writes = |busy: &(Fence, Use)| busy.1 == Use::Writes;
        if self.busy.borrow().as_ref().is_some_and(writes) {
            self.wait_long()?;
        }
        // SAFETY: the range is mapped as long as this lives, and a command that writes it needs
        // `&mut self`.
        Ok(unsafe { std::slice::from_raw_parts(self.address.as_ptr(), self.length) })
    }

    /// Returns the bytes, once the device uses them no more.
    pub(crate) fn bytes_mut(&mut self) -> Result<&mut [u8]> {
        self.wait_long()?;
        // SAFETY: as above; and nothing else uses the bytes while they are borrowed.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.address.as_ptr(), self.length) })
    }

    /// Returns a part of the bytes, while the device may write others.
    ///
    /// # Safety
    /// The device writes this part no more.
    pub(crate) unsafe fn part(&self, range: Range<usize>) -> &[u8] {
        debug_assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: mapped, and within the length.
        unsafe { std::slice::from_raw_parts(self.address.as_ptr().add(range.start), range.len()) }
    }
}

impl Drop for Mapped {
    /// Returns the buffer to the pool, also while the device still uses it: the fence goes with it.
    fn drop(&mut self) {
        let busy = self.busy.take().map(|(fence, _)| fence.give_up());
        let Mapped { address, capacity, .. } = *self;
        let idle = IdleBuffer { buffer: self.buffer.give_up(), address, capacity, busy };
        self.buffer.shared().keep_buffer(idle);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::gl::Objects;

    fn pending(mapped: &Mapped) -> Option<Use> {
        mapped.busy.borrow().as_ref().map(|(_, by)| *by)
    }

    #[test]
    fn bytes_are_lent_after_the_wait_that_they_need() {
        let context = Context::headless().unwrap();
        let mut mapped = Mapped::take(&context, 100).unwrap();
        assert_eq!(mapped.bytes_mut().unwrap().len(), 100);
        mapped.used(Use::Reads).unwrap();
        mapped.bytes().unwrap();
        assert_eq!(pending(&mapped), Some(Use::Reads), "both may read at once");
        mapped.bytes_mut().unwrap();
        assert_eq!(pending(&mapped), None, "the host may not write what the device reads");
        mapped.used(Use::Writes).unwrap();
        mapped.used(Use::Reads).unwrap();
        assert_eq!(pending(&mapped), Some(Use::Writes), "the first use may not be over");
        mapped.bytes().unwrap();
        assert_eq!(pending(&mapped), None, "the host may not read what the device writes");
    }

    #[test]
    fn a_buffer_comes_back_with_its_fence() {
        let context = Context::headless().unwrap();
        let mut mapped = Mapped::take(&context, 100).unwrap();
        mapped.bytes_mut().unwrap().fill(7);
        mapped.used(Use::Reads).unwrap();
        let objects = context.objects().unwrap();
        assert_eq!((objects.buffers, objects.fences, objects.bytes), (1, 1, 100));
        let name = mapped.name();
        drop(mapped);
        assert_eq!(context.objects().unwrap(), Objects::default(), "what is idle does not count");
        let mut again = Mapped::take(&context, 60).unwrap();
        assert_eq!((again.name(), pending(&again)), (name, Some(Use::Writes)));
        assert_eq!(again.bytes_mut().unwrap(), [7; 60]);
        let other = Mapped::take(&context, 60).unwrap();
        assert_ne!(other.name(), name, "one buffer has one user");
        drop((again, other));
        assert_eq!(context.objects().unwrap(), Objects::default());
        context.check().unwrap();
    }
}
