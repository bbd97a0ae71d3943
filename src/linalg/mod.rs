//! What users come for: solvers and products.

pub mod blas1;
pub mod jacobi;
pub mod matmul;
