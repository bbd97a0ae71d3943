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

// Where these are compiled for a browser.
#[cfg(target_family = "wasm")]
mod browser;
mod cluster;
mod gl;
mod grid;
mod linalg;
mod primitives;
mod run;
mod stream;
mod vector_machine;
mod whole;
