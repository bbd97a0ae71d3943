//! Dense matrices on the device, their products, the Jacobi solver for nine-banded systems, and
//! vector operations.
//!
//! [`matmul`] multiplies by the method that suits the device, [`DeviceMatrix`] keeps matrices on
//! the device between products, [`nine_banded`] applies the matrices of stencils to grids and [`sparse`] any sparse ones,
//! [`jacobi`] solves stencil systems, and [`blas1`] has the BLAS of level 1 on vectors and grids.
//! [`krylov`] has the loops of Krylov methods, and [`solve`] the solver that chooses among them.

pub mod blas1;
mod device_matrix;
pub(crate) mod direct;
#[doc(hidden)]
pub mod double_system;
#[cfg(feature = "grid3")]
pub mod grid3;
#[allow(clippy::missing_errors_doc, reason = "of `internal` alone")]
pub(crate) mod host;
pub mod jacobi;
pub mod krylov;
pub mod matmul;
pub mod multigrid;
pub mod nine_banded;
pub mod solve;
pub mod sparse;

pub use device_matrix::DeviceMatrix;
