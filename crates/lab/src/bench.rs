//! The benches: each times ways of doing the same work, and checks their results.

pub(crate) mod benchmark;
pub mod cluster;
pub mod device;
pub mod functions;
pub mod host;
pub mod jacobi;
pub mod matmul;
pub mod primitives;
pub mod runner;
pub mod sat;
pub mod solve;
pub mod sparse;
pub mod stream;
pub mod vector;
