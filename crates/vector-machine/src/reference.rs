//! CPU twins: each kernel once more as plain loops, to compare with.

pub mod vectors;
pub mod walk;
