//! Studies, their verdicts and the report, on a device.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../../../../tests/common/mod.rs"]
mod common;
#[path = "../../../../tests/common/files.rs"]
mod files;
#[path = "../../../../tests/common/validator.rs"]
mod validator;

mod render;
mod reproduce;
mod reproduce_matmul;
mod reproduce_vectors;
mod shaders;
