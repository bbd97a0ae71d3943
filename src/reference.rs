//! CPU twins: each kernel once more as plain loops, to compare with.

pub mod blas1;
pub mod colour;
mod comparison;
pub mod convolution;
#[cfg(feature = "solve")]
pub mod direct;
pub mod fft;
pub mod jacobi;
pub mod levels;
pub mod matmul;
pub mod nine_banded;
pub mod scan;
pub mod signs;
#[cfg(feature = "solve")]
pub mod sparse;
mod ulps;

pub use comparison::{Comparison, Wrong, compare, first_wrong, is_near, largest};
pub use ulps::{farthest, ulps};
