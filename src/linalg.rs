//! Dense matrices on the device, their products, the Jacobi solver for nine-banded systems, and vector
//! operations.
//!
//! [`matmul`] multiplies by the method that suits the device, [`DeviceMatrix`] keeps matrices on the device
//! between products, [`jacobi`] solves stencil systems, and [`blas1`] has the BLAS of level 1 on vectors.

pub mod blas1;
mod device_matrix;
pub mod jacobi;
pub mod matmul;

pub use device_matrix::DeviceMatrix;
