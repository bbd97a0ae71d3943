//! The window system: lists devices, makes contexts and makes them current.
//!
//! Each platform has a module here that defines `Native`, `Handle`, `Failure` and `list`; nothing
//! else in the library depends on the platform. A module for WebGL2 would be a sibling of [`egl`].

#[cfg(target_os = "linux")]
mod egl;
#[cfg(target_os = "linux")]
use egl as platform;

#[cfg(not(target_os = "linux"))]
mod missing;
#[cfg(not(target_os = "linux"))]
use missing as platform;

#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "nothing makes a context"))]
mod shared;

pub(super) use platform::{Failure, Handle, Native, list};
pub(super) use shared::{Attributes, Listed, switches};
