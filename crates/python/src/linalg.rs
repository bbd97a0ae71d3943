//! Linear systems, products of matrices, and the matrices of both.

mod coefficient;
mod diagonals;
pub(crate) mod matmul;
pub(crate) mod matrix;
mod solution;
pub(crate) mod solve;
pub(crate) mod sparse;
