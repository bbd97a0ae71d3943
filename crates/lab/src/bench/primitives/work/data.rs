//! What every task is, and its numbers.

use quadrille::data::SplitMix64;
use quadrille::memory;

use crate::Result;
use crate::bench::benchmark::Benchmark;

/// A task with its data.
pub(super) type Made = Result<Box<dyn Benchmark>>;

/// Floats from 0 to 1.
pub(super) fn floats(n: usize) -> Result<Vec<f32>> {
    let mut random = SplitMix64::new(n as u64);
    let numbers = std::iter::repeat_with(|| 0.5 + 0.5 * random.symmetric());
    Ok(memory::collected(n, numbers)?)
}

/// Whole numbers of so many bits.
pub(super) fn whole_numbers(n: usize, bits: u32) -> Result<Vec<u32>> {
    let mut random = SplitMix64::new(n as u64);
    let numbers = std::iter::repeat_with(|| (random.next() >> (64 - bits)) as u32);
    Ok(memory::collected(n, numbers)?)
}
