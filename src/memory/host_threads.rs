//! Work of the host on long slices, shared by threads.

use std::num::NonZero;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{NoMemory, zeroed};

/// The numbers from which on threads are worth their start.
const LONG: usize = 1 << 16;
/// More threads than this wait for memory.
const MOST: usize = 16;

/// Returns the chunk length per thread for `count` numbers, a multiple of `block`.
pub(crate) fn share(count: usize, block: usize) -> usize {
    let threads = match count < LONG {
        true => 1,
        false => thread::available_parallelism().map_or(1, NonZero::get).min(MOST),
    };
    count.div_ceil(block).div_ceil(threads).max(1) * block
}

/// Runs a function on parts of work, each on a thread of its own. This one takes part, and takes all where the system has no
/// memory for another.
pub(crate) fn shared<P: Send>(parts: impl Iterator<Item = P> + Send, run: impl Fn(P) + Sync) {
    let others = parts.size_hint().0.saturating_sub(1);
    let parts = Mutex::new(parts);
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(part) = next() {
            run(part);
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Computes a slice from another of its length, the same for each pair of parts: `work` is given
/// both.
pub(crate) fn each<A: Sync, B: Send>(
    from: &[A],
    to: &mut [B],
    work: impl Fn(&[A], &mut [B]) + Sync,
) {
    let size = share(to.len(), 1);
    shared(from.chunks(size).zip(to.chunks_mut(size)), |(from, to)| work(from, to));
}

/// Fills a slice in parts of whole blocks, each by a thread: `work` is given the place of the first of a
/// part, and the part.
pub(crate) fn fill<B: Send>(to: &mut [B], block: usize, work: impl Fn(usize, &mut [B]) + Sync) {
    let size = share(to.len(), block);
    shared(to.chunks_mut(size).enumerate(), |(at, to)| work(at * size, to));
}

/// Runs a function on ranges of whole blocks that make up `0..count`, each by a thread; returns what it
/// returns, in order.
pub(crate) fn in_ranges<R: Send>(
    count: usize,
    block: usize,
    work: impl Fn(Range<usize>) -> R + Sync,
) -> Vec<R> {
    let size = share(count, block);
    let ranges = (0..count).step_by(size).map(|first| first..(first + size).min(count));
    let mut results: Vec<Option<R>> = ranges.clone().map(|_| None).collect();
    shared(ranges.zip(&mut results), |(range, result)| *result = Some(work(range)));
    results.into_iter().flatten().collect()
}

/// Copies numbers to new memory, whose pages the threads touch first.
pub(crate) fn copied(numbers: &[f64]) -> Result<Vec<f64>, NoMemory> {
    let mut new = zeroed(numbers.len())?;
    copy(numbers, &mut new);
    Ok(new)
}

/// Copies numbers to a slice of their length.
pub(crate) fn copy(numbers: &[f64], to: &mut [f64]) {
    each(numbers, to, |from, to| to.copy_from_slice(from));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_computed_once_on_any_number_of_threads() {
        for count in [0, 1, 1000, LONG - 1, LONG, LONG + 1, 3 * LONG + 17] {
            let from: Vec<usize> = (0..count).collect();
            let mut to = vec![0; count];
            each(&from, &mut to, |from, to| {
                to.iter_mut().zip(from).for_each(|(to, from)| *to += from + 1);
            });
            assert!(to.iter().enumerate().all(|(at, number)| *number == at + 1), "{count}");
            let ranges = in_ranges(count, 7, |range| range);
            assert!(ranges.windows(2).all(|two| two[0].end == two[1].start));
            assert_eq!(ranges.iter().map(ExactSizeIterator::len).sum::<usize>(), count);
            let mut filled = vec![0; count];
            fill(&mut filled, 7, |first, part| {
                part.iter_mut().zip(first..).for_each(|(to, at)| *to += at + 1);
            });
            assert_eq!(filled, to);
            assert!(share(count, 1024).is_multiple_of(1024) && share(count, 1024) * MOST >= count);
        }
    }
}
