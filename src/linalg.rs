//! Dense matrices on the device, their products, the Jacobi solver for nine-banded systems, and
//! vector operations; with the feature `solve` sparse matrices and solvers for any system.
//!
//! [`matmul`] multiplies by the method that suits the device, [`DeviceMatrix`] keeps matrices on
//! the device between products, [`nine_banded`] applies the matrices of stencils to grids,
//! [`jacobi`] solves stencil systems, and [`blas1`] has the BLAS of level 1 on vectors and grids.
//! `sparse` applies any sparse matrix, `krylov` has the loops of Krylov methods, `multigrid` and `grid3` their
//! preconditioners, and `solve` is the solver that chooses among them.

pub mod blas1;
mod device_matrix;
#[cfg(feature = "solve")]
pub(crate) mod direct;
#[cfg(feature = "solve")]
#[doc(hidden)]
pub mod double_system;
#[cfg(feature = "solve")]
pub mod grid3;
#[allow(clippy::missing_errors_doc, reason = "of `internal` alone")]
pub(crate) mod host;
pub mod jacobi;
#[cfg(feature = "solve")]
pub mod krylov;
pub mod matmul;
#[cfg(feature = "solve")]
pub mod multigrid;
pub mod nine_banded;
#[cfg(feature = "solve")]
pub mod solve;
#[cfg(feature = "solve")]
pub mod sparse;

pub use device_matrix::DeviceMatrix;
