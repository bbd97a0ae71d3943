//! Files of fields and pictures, their names, and descriptions in TOML.
//!
//! * [`field`] reads and writes fields: `.npy`, `.png` and `.jpg`, as files and as bytes;
//!   [`FileNames`] are those of one file or of a sequence;
//! * [`description`] has what descriptions in TOML have in common: errors with the line and the
//!   key;
//! * `uniform_text` reads values of uniforms, and `digits` writes numbers for people;
//! * [`picture`] writes a heat map of a grid (`.png`); [`ColourMap`] has the colours of pictures
//!   and views.
//!
//! Files of arrays and matrices, and the errors, are those of [`quadrille::io`].

pub(crate) mod cells;
pub(crate) mod digits;
mod numbered;
pub(crate) mod uniform_text;

pub mod description;
pub mod field;
pub mod picture;

pub use numbered::{FileNames, Numbered};
pub use picture::colour_map::ColourMap;
pub use quadrille::io::{Error, Result};
