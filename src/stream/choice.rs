//! Tuned choices: which method was measured to be the fastest on this device and driver. `quadrille
//! tune` measures and stores them in a file; a context uses them once they are loaded
//! (`Context::load_tuned`, with the feature `files`, or [`Context::use_tuned`]), and until then the
//! defaults for the kind of device.
//!
//! ```no_run
//! # #[cfg(feature = "files")] {
//! let context = quadrille::Context::headless()?;
//! match context.load_tuned() {
//!     Ok(choices) => println!("{choices} choices for this device"),
//!     Err(error) => println!("nothing that was tuned is used: {error}"), // and the defaults are
//! }
//! # }
//! # Ok::<(), quadrille::gl::Error>(())
//! ```
//!
//! # The choices
//!
//! | operation | size | choice | used by |
//! |---|---|---|---|
//! | `matmul` | rows of square matrices | a method and its options, as `quadrille matmul --list` names them | [`Multiplier`](crate::linalg::matmul::Multiplier) where no method is set |
//! | `jacobi` | unknowns | layout, stage, reads; of the stage `compute` its work group, `tile` and `panels`: `packed compute fetch 16x16 tile panels` | [`Variant::resolve`](crate::linalg::jacobi::Variant::resolve), for what is not set and agrees with what is |
//! | `blas1` | numbers | engine, and the work group of `compute`: `compute 16x16` | [`Blas1::new`](crate::linalg::blas1::Blas1::new) |
//! | `reduce` | numbers | `fragment`, the texels that a stage folds, and reads: `fragment 8x16 sample`; or `compute`, its work group and, if not 4, the texels that an invocation loads at a time: `compute 32x32 loads=8` | [`Reducer::new`](super::reduce::Reducer::new) |
//! | `fft` | complex numbers of the array | `fragment` or `compute`, a texel at a time; or the invocations of work groups, and the numbers in their memory: `compute 256 4096` | `Fft` of the feature `primitives` |
//! | `vector` | numbers | engine, and the work group of `compute`: `compute 16x8` | `Machine::new` of [quadrille-vp](https://docs.rs/quadrille-vp) |
//!
//! The entry of the nearest size is taken, and that of the largest where the size is not known yet.
//! Every method of an operation gives the same result within the operation's bound, so a choice
//! changes only the time.
//!
//! # The file
//!
//! It is `tuned.json` in the folder that `QUADRILLE_CACHE` names, else in
//! `$XDG_CACHE_HOME/quadrille`, else in `$HOME/.cache/quadrille`: an object of `format`, which is
//! 1, and `records`. A record has `renderer`, `driver` and `api`, which name the device, its
//! driver's version and the API with its version; `operation`, `size`, `choice` and `gflops` as
//! above; `quadrille`, the version that measured, and `date`. A record counts only where all three
//! names of the device are those of the context. Records of operations that this version does not
//! know stay in the file and are ignored, and so is a choice that it cannot read.

#[cfg(feature = "files")]
mod file;
mod folder;

#[cfg(feature = "files")]
pub use file::{Record, Tuned, save};
pub use folder::path;

#[cfg(doc)]
use crate::gl::Context;
pub use crate::gl::Entry;

use crate::gl::Abilities;
use crate::shader::Api;

/// The device and driver of a measurement, which holds for no other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Device {
    /// The renderer's name.
    pub renderer: String,
    /// The driver's version text.
    pub driver: String,
    /// The API, `gl` or `gles`, and the version: a context with masked abilities counts as another
    /// device.
    pub api: String,
}

impl Device {
    /// Returns the device of a context with these abilities.
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
