//! The variants on the device and the loops on the CPU that are compared.

use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::shader::Reads;

/// The implementation that iterates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A variant on the device.
    Device(Layout, Optimization, Reads),
    /// A single loop on one core, as in the paper.
    CpuLoop,
    /// A loop for each band on one core, as in the paper.
    CpuBands,
}

impl Engine {
    /// Systems at once.
    pub fn systems(self) -> usize {
        match self {
            Engine::Device(layout, ..) => layout.systems(),
            Engine::CpuLoop | Engine::CpuBands => 1,
        }
    }

    /// The layout's name; those of the CPU loops begin with `cpu-`.
    pub fn layout_name(self) -> String {
        match self {
            Engine::Device(layout, ..) => layout.to_string(),
            Engine::CpuLoop => "cpu-loop".into(),
            Engine::CpuBands => "cpu-bands".into(),
        }
    }
}
