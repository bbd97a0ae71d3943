//! Which method here: what was measured on this very device, read from the user's file of tuned
//! choices.
//!
//! The file is `tuned.json` in the folder that `QUADRILLE_CACHE` names, else in
//! `$XDG_CACHE_HOME/quadrille`, else in `$HOME/.cache/quadrille`. No file, and a file that cannot be
//! read, are no choices: nothing fails because of it, and [`note`] says what was wrong. Without the
//! feature `files` there are none.

#[cfg(feature = "files")]
mod file;
mod folder;

#[cfg(feature = "files")]
pub use file::{Record, Tuned, save};
pub use folder::path;

use crate::gl::Abilities;
use crate::shader::Api;

/// The best that was found for an operation at a size.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// The size at which it was found, as the operation counts it.
    pub size: usize,
    /// The method and its options, as the operation writes them.
    pub choice: String,
    /// How fast it was, in 10^9 operations a second.
    pub gflops: f64,
}

/// What must be the same for a measurement to hold: hardware and driver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
pub struct Device {
    /// The renderer's name.
    pub renderer: String,
    /// The driver's whole version text.
    pub driver: String,
    /// `gl` or `gles`, and the version: a mask makes another device of a context.
    pub api: String,
}

impl Device {
    /// Of a context.
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
/// The file is read once; see the module's text for where it lies.
#[cfg(feature = "files")]
pub fn tuned(abilities: &Abilities, operation: &str, size: usize) -> Option<Entry> {
    file::at(&path()?).find(&Device::of(abilities), operation, size)
}

/// Why the file of tuned choices that is there was not read, for a caller to show.
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
