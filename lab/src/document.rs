//! The numbers that the papers report.

pub mod jacobi;
pub mod vectors;
