//! Files of arrays and matrices.
//!
//! * [`npy`] reads and writes NumPy arrays, of any shape, and matrices; also parts of them, by
//!   several processes;
//! * [`matrix_market`] reads nine-banded matrices and vectors (`.mtx`), or blocks of them, and
//!   writes vectors;
//! * [`vector`] reads and writes a vector as `.npy` or `.mtx`, by the extension of its name;
//! * [`date`] has the date and the time that files and reports are marked with.
//!
//! What is whole is also read from any stream, bytes in memory too, by functions that end in `_from`,
//! which take the name that errors give it; those that end in `_to` write to any stream.
//!
//! Files are written by [`write_whole`]: to a temporary file in the same folder, which then takes
//! the name, so that a failure leaves the old file.

pub(crate) mod checkpoint;
pub(crate) mod error;
pub(crate) mod facts;
pub(crate) mod whole;

pub mod date;
pub mod matrix_market;
pub mod npy;
pub mod vector;

pub use error::{Error, must_end_in};
pub use facts::Difference;
pub use whole::write_whole;

/// The result of the functions of this module.
pub type Result<T> = std::result::Result<T, Error>;
