//! The command, run as its users run it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../../../../tests/cases/mod.rs"]
mod cases;
#[path = "../../../../tests/common/mod.rs"]
mod common;
#[path = "../../../../tests/common/files.rs"]
mod files;

mod bench;
mod card;
mod checkpoints;
mod doctor;
mod errors;
mod gallery;
mod jacobi;
mod launched;
mod matmul;
mod matmul_in_parts;
mod memory;
mod options;
mod outside;
mod paths;
mod random;
#[cfg(feature = "mpi")]
mod ranks;
mod readme;
#[cfg_attr(not(feature = "reports"), path = "reproduce/absent.rs")]
mod reproduce;
mod run;
mod runner;
mod sat;
mod signals;
mod solve;
mod test;
mod tune;
mod view;
mod vp;
#[cfg(feature = "window-tests")]
mod window;
