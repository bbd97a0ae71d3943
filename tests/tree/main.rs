//! Checks of the tree as text, which need none of its libraries.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../common/files.rs"]
mod files;

mod dependencies;
mod errors;
#[cfg(unix)]
mod in_processes;
mod layers;
mod pages;
mod papers;
mod public_api;
mod python_name;
mod readmes;
mod release;
