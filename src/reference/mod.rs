//! CPU twins: each kernel once more as plain loops, to compare with.

mod comparison;
pub mod jacobi;
pub mod matmul;
mod ulps;
pub mod vectors;

pub use comparison::{Comparison, compare};
pub use ulps::ulps;
