//! The processor's name.

use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// Returns the name that the processor gives itself.
pub fn name() -> String {
    let kinds = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(kinds);
    let name = system.cpus().first().map(|cpu| cpu.brand().trim()).filter(|name| !name.is_empty());
    name.unwrap_or("unknown").to_owned()
}
