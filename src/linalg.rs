//! What users come for: solvers and products.

pub mod blas1;
mod device_matrix;
pub mod jacobi;
pub mod matmul;

pub use device_matrix::DeviceMatrix;
