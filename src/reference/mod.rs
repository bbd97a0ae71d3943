//! CPU twins: each kernel once more as plain loops, to compare with.

pub mod colour;
mod comparison;
pub mod jacobi;
pub mod matmul;
pub mod sat;
mod ulps;
pub mod vectors;
pub mod walk;

pub use comparison::{Comparison, compare};
pub use ulps::ulps;
