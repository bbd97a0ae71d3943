//! CPU twins: kernels once more as plain loops, with which checks and benchmarks compare. Those that tests alone compare with are in
//! `tests/common/twins`.

pub mod blas1;
mod comparison;
pub mod jacobi;
pub mod matmul;
pub mod signs;
#[cfg(feature = "solve")]
pub mod sparse;
mod ulps;

pub use comparison::{Comparison, Wrong, compare, first_wrong, is_near, largest};
pub use ulps::{farthest, ulps};
