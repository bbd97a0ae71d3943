//! The variants on the device and the loops on the CPU that are compared.

use std::fmt;

use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::shader::Reads;

use crate::reads_name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Device(Layout, Optimization, Reads),
    /// A single loop on one core, as in the paper.
    CpuLoop,
    /// A loop for each band on one core, as in the paper.
    CpuBands,
}

impl Engine {
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

    pub fn stage(self) -> Option<Optimization> {
        match self {
            Engine::Device(_, stage, _) => Some(stage),
            Engine::CpuLoop | Engine::CpuBands => None,
        }
    }

    pub fn reads(self) -> Option<Reads> {
        match self {
            Engine::Device(.., reads) => Some(reads),
            Engine::CpuLoop | Engine::CpuBands => None,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.layout_name())?;
        match self {
            Engine::Device(_, stage, reads) => write!(f, ", {stage}, {}", reads_name(*reads)),
            Engine::CpuLoop | Engine::CpuBands => Ok(()),
        }
    }
}
