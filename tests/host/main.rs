//! Tests that need no OpenGL: files, matrices, shader texts, CPU twins.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod data;
#[path = "../common/files.rs"]
mod files;
mod io;
#[path = "../common/levels.rs"]
mod levels;
mod linalg;
#[path = "../common/messages.rs"]
mod messages;
#[path = "../common/planted.rs"]
mod planted;
mod shader;
#[path = "../common/shared_files.rs"]
mod shared_files;
#[path = "../common/twins/mod.rs"]
mod twins;
#[path = "../common/validator.rs"]
mod validator;
mod vector_machine;
mod whole;
