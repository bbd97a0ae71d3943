//! Contexts, textures, buffers and what a caller's own context takes.

// Contexts that the tests make by EGL.
#[cfg(target_os = "linux")]
mod around;
mod choice;
mod context;
mod fields;
mod levels;
#[cfg(target_os = "linux")]
mod lost;
mod missing_channels;
mod objects;
mod readback;
mod sampling;
mod staging;
mod textures;
mod threads;
