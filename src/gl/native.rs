//! The window system: lists devices, makes contexts and makes them current.
//!
//! Each platform has a module here that defines `Native`, `Handle`, `Failure` and `list`; nothing
//! else in the library depends on the platform.

#[cfg(any(target_os = "linux", windows))]
mod candidates;

#[cfg(target_os = "linux")]
mod egl;
#[cfg(target_os = "linux")]
use egl as platform;

#[cfg(windows)]
mod wgl;
#[cfg(windows)]
use wgl as platform;

#[cfg(target_family = "wasm")]
mod web;
#[cfg(target_family = "wasm")]
use web as platform;

#[cfg(not(any(target_os = "linux", windows, target_family = "wasm")))]
mod missing;
#[cfg(not(any(target_os = "linux", windows, target_family = "wasm")))]
use missing as platform;

mod packages;
#[cfg_attr(
    not(any(target_os = "linux", windows)),
    allow(dead_code, reason = "nothing makes a context current")
)]
mod shared;

pub use packages::mesa;
pub(super) use platform::{Failure, Handle, Native, list};
pub(super) use shared::{Attributes, Listed, switches};
