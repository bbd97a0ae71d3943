//! The figures that the papers report, to stand beside those of today.

pub mod jacobi;
pub mod vectors;
