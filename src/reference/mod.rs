//! CPU twins: each kernel once more as plain loops, to compare with.

mod comparison;
pub mod jacobi;
pub mod matmul;
pub mod vectors;

pub use comparison::{Comparison, compare};
