//! Measures the limits of the host.

use std::hint::black_box;
use std::thread::{available_parallelism, scope};
use std::time::{Duration, Instant};

use pulp::{Arch, Simd, WithSimd};
use quadrille::memory;
use quadrille::testing::Comparison;

use super::HostLimits;
use crate::Result;
use crate::error::must_be_right;

/// Numbers of an array in the second cache: 128 KB are more than a first cache holds.
const IN_CACHE: usize = 1 << 15;
/// Numbers of an array beyond all caches: 64 MB, whose sum of ones is exact in single precision.
const IN_MEMORY: usize = 1 << 24;
/// The runs of each, of which the fastest counts.
const RUNS: usize = 7;
/// A run takes at least this long.
const RUN: Duration = Duration::from_millis(3);
/// Steps that are not counted singly, enough for x / 2 + 1 to become 2 exactly.
const STEPS: usize = 64;
/// Vectors that are computed at the same time, to hide the latency of an instruction.
const CHAINS: usize = 12;

/// Measures in some tenths of a second.
pub fn limits() -> Result<Option<HostLimits>> {
    let cores = available_parallelism().map_or(1, usize::from);
    let ones = memory::filled(1.0_f32, IN_MEMORY)?;
    Ok(Some(HostLimits {
        core_mad_gflops: mads(1)?,
        mad_gflops: mads(cores)?,
        cache_gb_s: reads(&ones[..IN_CACHE])?,
        memory_gb_s: reads(&ones)?,
    }))
}

/// GFLOPS of this many threads.
fn mads(threads: usize) -> Result<f64> {
    fastest("multiply-adds of the host", |times| {
        let steps = times * STEPS;
        let run = || Arch::new().dispatch(Mads { steps });
        let results: Vec<Mean> = scope(|scope| {
            let running: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            let own = run();
            running.into_iter().flat_map(|thread| thread.join()).chain([own]).collect()
        });
        let operations = results.iter().map(|result| 2.0 * result.numbers as f64).sum::<f64>();
        (operations * steps as f64, results.iter().all(|result| result.mean == 2.0))
    })
}

/// GB/s of reading an array of ones.
fn reads(ones: &[f32]) -> Result<f64> {
    fastest("reading memory of the host", |times| {
        let right =
            (0..times).all(|_| Arch::new().dispatch(Sum(black_box(ones))) == ones.len() as f32);
        (size_of_val(ones) as f64 * times as f64, right)
    })
}

/// The fastest rate of some runs, in 10^9 a second. `work` does something a number of times and
/// returns how much that was and whether the result is right.
fn fastest(what: &str, work: impl Fn(usize) -> (f64, bool)) -> Result<f64> {
    let (mut times, mut rate, mut runs) = (1, 0.0_f64, 0);
    while runs < RUNS {
        let begun = Instant::now();
        let (amount, right) = work(times);
        let time = begun.elapsed();
        must_be_right(what, if right { Comparison::RIGHT } else { Comparison::WRONG })?;
        if time < RUN {
            times *= 2;
            continue;
        }
        runs += 1;
        rate = rate.max(amount / time.as_secs_f64() / 1e9);
    }
    Ok(rate)
}

/// Repeats x / 2 + 1 for several vectors.
struct Mads {
    steps: usize,
}

/// The mean of some numbers, and how many they are.
struct Mean {
    mean: f32,
    numbers: usize,
}

impl WithSimd for Mads {
    type Output = Mean;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Mean {
        let (half, one) = (simd.splat_f32s(black_box(0.5)), simd.splat_f32s(black_box(1.0)));
        let mut x = [simd.splat_f32s(0.0); CHAINS];
        for _ in 0..self.steps {
            for x in &mut x {
                *x = simd.mul_add_f32s(*x, half, one);
            }
        }
        let sum = x.into_iter().fold(simd.splat_f32s(0.0), |sum, x| simd.add_f32s(sum, x));
        let numbers = CHAINS * size_of::<S::f32s>() / size_of::<f32>();
        Mean { mean: simd.reduce_sum_f32s(sum) / numbers as f32, numbers }
    }
}

/// Sums an array.
struct Sum<'a>(&'a [f32]);

impl WithSimd for Sum<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let (vectors, rest) = S::as_simd_f32s(self.0);
        let mut sums = [simd.splat_f32s(0.0); CHAINS];
        let mut chunks = vectors.chunks_exact(CHAINS);
        for chunk in &mut chunks {
            for (sum, vector) in sums.iter_mut().zip(chunk) {
                *sum = simd.add_f32s(*sum, *vector);
            }
        }
        let sums = sums.iter().chain(chunks.remainder());
        let sum = sums.fold(simd.splat_f32s(0.0), |sum, vector| simd.add_f32s(sum, *vector));
        simd.reduce_sum_f32s(sum) + rest.iter().sum::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_positive_and_their_results_right() {
        let limits = limits().unwrap().unwrap();
        let HostLimits { core_mad_gflops, mad_gflops, cache_gb_s, memory_gb_s } = limits;
        for rate in [core_mad_gflops, mad_gflops, cache_gb_s, memory_gb_s] {
            assert!(rate > 0.0 && rate.is_finite(), "{limits:?}");
        }
        assert_eq!(limits.beyond(limits), limits);
    }

    #[test]
    fn a_wrong_result_has_no_rate() {
        let error = fastest("a sum", |_| (1.0, false)).unwrap_err().to_string();
        assert!(error.contains("a sum: wrong result"), "{error}");
    }

    #[test]
    fn sums_are_those_of_all_numbers() {
        for n in [0, 1, 7, 100, 1000] {
            let numbers: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let expected = (0..n).sum::<i32>() as f32;
            assert_eq!(Arch::new().dispatch(Sum(&numbers)), expected, "{n}");
        }
    }
}
