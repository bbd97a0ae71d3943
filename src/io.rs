//! Files to numbers and back.
//!
//! * [`matrix_market`]: nine-banded matrices and vectors as `.mtx` text;
//! * [`npy`]: arrays as NumPy's `.npy`;
//! * [`vector`]: either of them, by the name's extension;
//! * [`field`]: grids as `.npy`, `.png` or `.jpg`;
//! * [`dimacs`]: formulas as DIMACS `.cnf` text;
//! * [`picture`]: a heat map of a grid as `.png`.
//!
//! What is written is written whole: into a temporary file in the same folder, then renamed.

mod error;
mod temporary;
mod whole;

pub mod dimacs;
pub mod field;
pub mod matrix_market;
pub mod npy;
pub mod picture;
pub mod vector;

pub use error::Error;
#[doc(hidden)]
pub use error::must_end_in;
#[doc(hidden)]
pub use whole::write_whole;

/// What the functions of this room return.
pub type Result<T> = std::result::Result<T, Error>;
