//! Solvers and products on the host.

mod cpu_jacobi;
mod cpu_matmul;
mod grid3;
mod multigrid;
mod solve;
mod solve_cases;
mod solve_nearest;
mod solve_session;
mod solve_singular;
