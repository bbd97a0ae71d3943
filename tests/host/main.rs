//! Tests that need no OpenGL: files, matrices, shader texts, CPU twins.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../common/files.rs"]
mod files;
#[path = "../common/messages.rs"]
mod messages;
#[path = "../common/planted.rs"]
mod planted;
#[path = "../common/shared_files.rs"]
mod shared_files;
#[path = "../common/validator.rs"]
mod validator;

mod allocations;
mod assembler;
mod assembler_errors;
mod assembler_text;
mod blocks;
mod bytes;
mod carriage_returns;
mod communicator;
mod comparisons;
mod cpu_jacobi;
mod cpu_matmul;
mod dimacs;
mod field;
mod fuzzed;
mod grid3;
mod matrix_market;
mod multigrid;
mod nine_banded;
mod npy;
mod npy_parts;
mod package_shaders;
mod packing;
mod picture;
mod shader_declarations;
mod shader_expand;
mod shader_includes;
mod shader_logs;
mod shader_mapping;
mod shader_validate;
mod solve;
mod solve_cases;
mod solve_nearest;
mod solve_singular;
mod stencils;
