//! Files of arrays, pictures and matrices.
//!
//! * [`field`] reads and writes fields: `.npy`, `.png` and `.jpg`; [`FileNames`] are those of one file or of a sequence;
//! * [`npy`] reads and writes NumPy arrays, of any shape, and matrices; also parts of them, by several processes;
//! * [`matrix_market`] reads nine-banded matrices and vectors (`.mtx`), or blocks of them, and writes vectors;
//! * [`vector`] reads and writes a vector as `.npy` or `.mtx`, by the extension of its name;
//! * [`description`] has what descriptions in TOML have in common: errors with the line and the key;
//! * [`date`] has the date and the time that files and reports are marked with;
//! * [`picture`] writes a heat map of a grid (`.png`); [`ColourMap`] has the colours of pictures and views.
//!
//! Files are written by [`write_whole`]: to a temporary file in the same folder, which then takes the name, so that a failure leaves the
//! old file.

pub(crate) mod checkpoint;
mod error;
pub(crate) mod facts;
mod numbered;
mod whole;

pub mod description;
pub mod field;
pub mod matrix_market;
pub mod npy;
pub mod picture;
pub mod vector;

/// Dates in UTC, for files and reports that people may look into.
pub mod date {
    pub use crate::date::{now, today};
}

pub use error::{Error, must_end_in};
pub use facts::Difference;
pub use numbered::{FileNames, Numbered};
pub use picture::colour_map::ColourMap;
pub use whole::write_whole;

/// The result of the functions of this module.
pub type Result<T> = std::result::Result<T, Error>;
