//! The numbers that the papers report.

pub mod cuda;
pub mod jacobi;
pub mod vectors;
