//! Programs in assembly: their instructions, parsed, checked, simulated on the host, and translated
//! to GLSL.

pub mod bundled;
pub mod isa;
pub(super) mod profile;
pub mod program;
pub(super) mod simulator;
pub(super) mod translate;
