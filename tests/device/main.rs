//! Tests that run on a device: each makes contexts of its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
// `crates/web/device` compiles them for a browser, where lengths have 32 bits; on other systems it is empty.
#![cfg(any(test, target_family = "wasm"))]
#![cfg_attr(
    target_family = "wasm",
    allow(unused_imports, reason = "tests of longer lengths are left out")
)]

#[cfg(target_family = "wasm")]
#[macro_use]
extern crate quadrille_web_test_macro;

#[path = "../cases/mod.rs"]
mod cases;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/files.rs"]
mod files;

// Contexts that the tests make by EGL.
#[cfg(target_os = "linux")]
mod around;
mod blas1;
// Where these are compiled for a browser.
#[cfg(target_family = "wasm")]
mod browser;
mod checkpoints;
mod choice;
mod cluster_jacobi;
mod cluster_matmul;
mod cluster_multigrid;
mod cluster_solve;
mod cluster_space;
mod compile_errors;
mod compute;
mod context;
mod convert;
mod convolution;
mod device_grid;
mod device_matrix;
mod device_vector;
mod dialects;
mod direct;
mod double_residual;
mod examples;
mod experiment;
mod experiment_compute;
mod experiment_panels;
mod experiment_passes;
mod experiment_state;
mod facts;
mod fft;
mod fft_real;
mod fields;
mod forms;
mod geometry;
mod grid3;
mod histogram;
mod jacobi;
mod jacobi_errors;
mod jacobi_panels;
mod jacobi_solve;
mod kernels;
mod krylov;
mod levels;
mod loops;
#[cfg(target_os = "linux")]
mod lost;
mod matmul;
mod matmul_batch;
mod matmul_blocks;
mod matmul_compute;
mod matmul_device;
mod matmul_errors;
mod matmul_split;
mod missing_channels;
mod multigrid;
mod nine_banded;
mod objects;
mod passes;
mod ping_pong;
mod points;
mod primitive_errors;
mod primitive_passes;
mod random;
mod readback;
mod recycled;
mod reduce;
mod repeated_passes;
mod run_files;
mod sampling;
mod sat;
mod scan;
mod select;
mod solve_csr;
mod solve_on_device;
mod sort;
mod sparse;
mod staging;
mod stress;
mod testing;
mod textures;
mod threads;
mod unfilled_inputs;
mod uniform_blocks;
mod vector_bundled;
mod vector_functions;
mod vector_memory;
mod vector_programs;
mod vector_translation;
mod view;
mod watched_loops;
