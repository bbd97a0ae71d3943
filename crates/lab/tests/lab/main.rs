//! Probes and the accuracy card, on a device.
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

mod numeric_card;
mod probes;
mod shaders;
