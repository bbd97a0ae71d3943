//! Relates a time to the device's limits: the slides' percents of peak, and the prediction time =
//! arithmetic + fetches.

use super::contender::{Contender, Threads};
use super::table::Row;
use crate::bench::device::Limits;
use quadrille::linalg::matmul::Method;
use quadrille::stream::Engine;

/// A row in the terms of "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix
/// Multiplication". Fetches are counted as the shaders ask for them, whatever a cache passes on,
/// and compared with what fragments fetch from a texture that the cache holds: so they are compared
/// for fragments alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Efficiency {
    /// 2 n^3 operations, in 10^9 a second.
    pub gflops: f64,
    /// The rate of the shaders' fetches, in GB/s.
    pub fetched_gb_s: Option<f64>,
    /// Multiply-adds of four numbers for each texel of 16 bytes.
    pub mads_per_fetch: Option<f64>,
    /// Percent of the peak arithmetic of the stage that multiplies, or of the host's cores that do.
    pub peak_percent: Option<f64>,
    /// Percent of the fetch bandwidth of fragments.
    pub bandwidth_percent: Option<f64>,
    /// Milliseconds, if arithmetic at its peak and fetches at theirs took turns.
    pub predicted_ms: Option<f64>,
    /// Registers of four numbers that a fragment needs for its sums and one step's operands.
    pub registers: Option<usize>,
}

impl Efficiency {
    /// The efficiency of a row, where the limits of its device are known.
    pub fn of(row: &Row, limits: Option<&Limits>) -> Efficiency {
        let operations = 2.0 * (row.n as f64).powi(3);
        let engine = row.contender.engine();
        let fragments = limits.filter(|_| engine == Some(Engine::Fragment));
        let peak = match engine {
            Some(Engine::Fragment) => limits.map(|limits| limits.fragment_mad_gflops),
            Some(Engine::Compute) => limits.and_then(|limits| limits.compute_mad_gflops),
            Some(_) => None,
            None => limits.and_then(|limits| limits.host).map(|host| match row.contender {
                Contender::Library(Threads::All) => host.mad_gflops,
                _ => host.core_mad_gflops,
            }),
        };
        let bytes = row.fetched_bytes.map(|bytes| bytes as f64);
        let gflops = row.gflops();
        let fetched_gb_s = bytes.map(|bytes| row.summary.rate(bytes) / 1e9);
        let bandwidth = fragments.map(|limits| limits.fetch_gb_s);
        let milliseconds = |amount: f64, rate: f64| amount / rate.max(1e-9) / 1e6;
        Efficiency {
            gflops,
            fetched_gb_s,
            mads_per_fetch: bytes.map(|bytes| operations / 8.0 / (bytes / 16.0).max(1.0)),
            peak_percent: peak.map(|peak| 100.0 * gflops / peak.max(1e-9)),
            bandwidth_percent: both(fetched_gb_s, bandwidth, |got, limit| {
                100.0 * got / limit.max(1e-9)
            }),
            predicted_ms: both(bytes, fragments, |bytes, limits| {
                milliseconds(operations, limits.fragment_mad_gflops)
                    + milliseconds(bytes, limits.fetch_gb_s)
            }),
            registers: registers(row.contender),
        }
    }
}

fn both<A, B>(a: Option<A>, b: Option<B>, then: impl Fn(A, B) -> f64) -> Option<f64> {
    Some(then(a?, b?))
}

/// Sums of a fragment's block, and the texels of A and B that a step multiplies.
pub fn registers(contender: Contender) -> Option<usize> {
    let Contender::Method(method, _) = contender else { return None };
    let (rows, cols) = method.block()?;
    let operands = match method {
        Method::Element | Method::Sp => 2,
        Method::Cp => 4 + 1,
        _ => (rows + cols) / 4,
    };
    Some((rows * cols).div_ceil(4) + operands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_sums_and_operands() {
        let of = |method: Method| registers(method.into());
        assert_eq!(of(Method::Cp), Some(6));
        assert_eq!(of(Method::Sp), Some(3));
        assert_eq!(of(Method::Block4x4), Some(4 + 2));
        assert_eq!(of(Method::Block16x8), Some(32 + 6));
        assert_eq!(of(Method::ComputeTiled), None);
    }
}
