//! Several ranks of one process.

mod checkpoints;
mod jacobi;
mod matmul;
mod multigrid;
mod solve;
mod space;
