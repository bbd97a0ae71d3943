//! Tuned choices: which method was measured to be the fastest on this device and driver, read from the user's file.
//!
//! The file is `tuned.json` in the folder that `QUADRILLE_CACHE` names, else in `$XDG_CACHE_HOME/quadrille`, else in
//! `$HOME/.cache/quadrille`. A missing or unreadable file is not an error: there are no tuned choices then, and
//! [`note`] says why. Without the feature `files` there are none.

#[cfg(feature = "files")]
mod file;
mod folder;

#[cfg(feature = "files")]
pub use file::{Record, Tuned, save};
pub use folder::path;

use crate::gl::Abilities;
use crate::shader::Api;

/// The fastest method that was found for an operation at a size.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// The size of the measurement, as the operation counts it.
    pub size: usize,
    /// The method and its options, in the operation's text form.
    pub choice: String,
    /// The rate, in 10^9 operations a second.
    pub gflops: f64,
}

/// The device and driver of a measurement, which holds for no other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
pub struct Device {
    /// The renderer's name.
    pub renderer: String,
    /// The driver's version text.
    pub driver: String,
    /// `gl` or `gles`, and the version: a context with masked abilities counts as another device.
    pub api: String,
}

impl Device {
    /// The device of a context with these abilities.
    pub fn of(abilities: &Abilities) -> Device {
        let api = match abilities.api {
            Api::Gl => "gl",
            Api::Gles => "gles",
        };
        let (major, minor) = abilities.version;
        Device {
            renderer: abilities.renderer.clone(),
            driver: abilities.version_text.clone(),
            api: format!("{api} {major}.{minor}"),
        }
    }
}

/// The entry of the nearest size that was tuned for an operation on exactly this device and driver.
///
/// The file is read once; the module's page says where it is.
#[cfg(feature = "files")]
pub fn tuned(abilities: &Abilities, operation: &str, size: usize) -> Option<Entry> {
    file::at(&path()?).find(&Device::of(abilities), operation, size)
}

/// Why an existing file of tuned choices was not read, for a caller to show.
#[cfg(feature = "files")]
pub fn note() -> Option<String> {
    file::at(&path()?).note().map(str::to_owned)
}

/// None: without the feature `files` no file is read.
#[cfg(not(feature = "files"))]
pub fn tuned(_abilities: &Abilities, _operation: &str, _size: usize) -> Option<Entry> {
    None
}

/// None: without the feature `files` no file is read.
#[cfg(not(feature = "files"))]
pub fn note() -> Option<String> {
    None
}
