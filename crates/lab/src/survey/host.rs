//! The computer that devices are in, without what names its owner.

use serde::Serialize;
use sysinfo::System;

use super::cpu;

/// The version of quadrille and the computer that it runs on.
#[derive(Clone, Debug, Serialize)]
pub struct Host {
    pub quadrille: &'static str,
    pub system: String,
    pub kernel: String,
    pub architecture: String,
    pub cpu: String,
    /// Threads that this process may run at once.
    pub threads: usize,
}

impl Host {
    pub fn here() -> Host {
        Host {
            quadrille: env!("CARGO_PKG_VERSION"),
            system: System::long_os_version().unwrap_or_else(|| "unknown".into()),
            kernel: kernel(),
            architecture: System::cpu_arch(),
            cpu: cpu::name(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The version number of the kernel alone: what follows names who built it.
pub fn kernel() -> String {
    let version = System::kernel_version().unwrap_or_else(|| "unknown".into());
    version.split('-').next().unwrap_or_default().to_owned()
}
