//! Vector operations, matrices, products and solvers.

mod blas1;
mod device_matrix;
mod direct;
mod double_residual;
mod forms;
mod grid3;
mod jacobi;
mod jacobi_errors;
mod jacobi_panels;
mod jacobi_solve;
mod krylov;
mod matmul;
mod matmul_batch;
mod matmul_blocks;
mod matmul_compute;
mod matmul_device;
mod matmul_errors;
mod matmul_split;
mod multigrid;
mod nine_banded;
mod solve_csr;
mod solve_on_device;
mod sparse;
