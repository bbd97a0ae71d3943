//! The limits of the host's processors: what its loops and libraries are compared with, as the
//! slides compare ATLAS with a processor's peak and the bandwidth of its cache.

#[cfg_attr(not(feature = "reports"), path = "host/absent.rs")]
mod peaks;

pub use peaks::limits;

/// The limits of a host. Each is the fastest of several runs, which other programs can only slow
/// down.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct HostLimits {
    /// The multiply-adds of one core in single precision, two operations each, in GFLOPS.
    pub core_mad_gflops: f64,
    /// The multiply-adds of all cores at once.
    pub mad_gflops: f64,
    /// The rate at which one core reads an array that its caches hold, in GB/s.
    pub cache_gb_s: f64,
    /// The rate at which one core reads an array that no cache holds, in GB/s.
    pub memory_gb_s: f64,
}

impl HostLimits {
    /// The larger of two measurements of each limit.
    pub(super) fn beyond(self, other: HostLimits) -> HostLimits {
        HostLimits {
            core_mad_gflops: self.core_mad_gflops.max(other.core_mad_gflops),
            mad_gflops: self.mad_gflops.max(other.mad_gflops),
            cache_gb_s: self.cache_gb_s.max(other.cache_gb_s),
            memory_gb_s: self.memory_gb_s.max(other.memory_gb_s),
        }
    }
}
