//! Work of the host on long slices, shared by threads.

use std::num::NonZero;
use std::thread;

use crate::{NoMemory, memory};

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

/// Computes a slice from another of its length, the same for each pair of parts: `work` is given
/// both.
pub(crate) fn each<A: Sync, B: Send>(
    from: &[A],
    to: &mut [B],
    work: impl Fn(&[A], &mut [B]) + Sync,
) {
    let size = share(to.len(), 1);
    if size >= to.len() {
        return work(from, to);
    }
    thread::scope(|scope| {
        for (from, to) in from.chunks(size).zip(to.chunks_mut(size)) {
            let work = &work;
            scope.spawn(move || work(from, to));
        }
    });
}

/// Returns a factor times numbers, each product rounded once to a 32-bit float.
pub(crate) fn rounded(numbers: &[f64], factor: f64) -> Result<Vec<f32>, NoMemory> {
    let mut singles: Vec<f32> = memory::zeroed(numbers.len())?;
    each(numbers, &mut singles, |numbers, singles| {
        let pairs = singles.iter_mut().zip(numbers);
        pairs.for_each(|(single, number)| *single = (factor * number) as f32);
    });
    Ok(singles)
}

/// Adds a factor times 32-bit floats to numbers, in double precision.
pub(crate) fn add(singles: &[f32], factor: f64, numbers: &mut [f64]) {
    each(singles, numbers, |singles, numbers| {
        let pairs = numbers.iter_mut().zip(singles);
        pairs.for_each(|(number, single)| *number += factor * f64::from(*single));
    });
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
            assert!(share(count, 1024).is_multiple_of(1024) && share(count, 1024) * MOST >= count);
        }
    }
}
