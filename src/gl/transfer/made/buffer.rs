//! Buffers whose elements threads of the host make where the device fetches them, of which systems in double precision are.

use std::collections::VecDeque;

use super::{PART, is_mapped, keep_until_fetched};
use crate::gl::buffer::copy_within;
use crate::gl::transfer::mapped::Mapped;
use crate::gl::{Buffer, Element, Error};
use crate::memory::{self, host_threads::fill};

impl<T: Element + Send> Buffer<T> {
    /// Replaces all elements by what a function makes: it is given the number of the first of some elements, and
    /// these, of which it writes every one. Threads call it for different ones.
    ///
    /// # Errors
    /// Those of [`write`](Buffer::write).
    pub(crate) fn write_by(&mut self, make: impl Fn(usize, &mut [T]) + Sync) -> Result<(), Error> {
        self.write_made(is_mapped(&self.context()), make)
    }

    fn write_made(
        &mut self,
        mapped: bool,
        make: impl Fn(usize, &mut [T]) + Sync,
    ) -> Result<(), Error> {
        let (context, part) = (self.context(), PART / size_of::<T>());
        let mut under_way = VecDeque::new();
        for first in (0..self.len()).step_by(part) {
            let count = part.min(self.len() - first);
            let work = |at: usize, elements: &mut [T]| make(first + at, elements);
            if !mapped {
                let mut elements: Vec<T> = memory::zeroed(count)?;
                fill(&mut elements, 1, work);
                self.write_at(first, &elements)?;
                continue;
            }
            let bytes = count * size_of::<T>();
            let mut stage = Mapped::take(&context, bytes)?;
            fill(bytemuck::cast_slice_mut(stage.bytes_mut()?), 1, work);
            let (from, to) = (stage.name(), self.owned().name());
            let sent = copy_within(&context, [from, to], [0, first * size_of::<T>()], bytes);
            keep_until_fetched(stage, sent, &mut under_way)?;
        }
        context.shared.check_reset()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::gl::Context;

    /// One part and several, on both ways: every element is in its place.
    #[test]
    fn what_is_made_is_there() {
        let context = Context::headless().unwrap();
        for mapped in [false, true] {
            for length in [0, 1, 1000, (PART / 8) * 2 + 17] {
                let mut buffer = context.uninit_buffer::<f64>(length).unwrap();
                let make = |first: usize, elements: &mut [f64]| {
                    elements.iter_mut().zip(first..).for_each(|(to, at)| *to = at as f64 + 0.25);
                };
                buffer.write_made(mapped, make).unwrap();
                let expected: Vec<_> = (0..length).map(|at| at as f64 + 0.25).collect();
                assert!(buffer.read().unwrap() == expected, "{length} {mapped}");
            }
        }
    }
}
