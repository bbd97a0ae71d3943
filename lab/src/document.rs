//! The figures that the documents report, to stand beside those of today.

pub mod jacobi;
pub mod vectors;
