//! C = A B: every method of "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix
//! Multiplication" (Fatahalian, Sugerman and Hanrahan, 2004) and of "Parallel programming using CUDA"
//! (2010), and what the hardware since then makes natural.
//!
//! ```
//! use quadrille::{Shape, data::Matrix, linalg::matmul::{self, Method}};
//! let context = quadrille::Context::headless()?;
//! let a = Matrix::from_fn(Shape::new(5, 7), |row, col| (row + col) as f32)?;
//! let b = Matrix::from_fn(Shape::new(7, 3), |row, col| (row * col) as f32)?;
//! let c = matmul::multiply(&context, &a, &b, Method::Cp)?;
//! assert_eq!(c.shape(), Shape::new(5, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ability;
mod choice;
mod compute;
mod drawn;
mod element;
mod error;
mod host;
mod method;
mod multiplier;
mod options;
mod text;

pub use choice::OPERATION;
pub use element::Element;
pub use error::Error;
pub use method::{Engine, Method};
pub use multiplier::Multiplier;
pub use options::{Cell, Mapping, OperandReads, Tile, Wish};

use crate::data::Matrix;
use crate::gl::Context;
use crate::shader::Source;

/// A B by a method, or by [`Wish::auto`]. Any shapes whose inner dimensions agree, also 0 and 1.
pub fn multiply<T: Element>(
    context: &Context,
    a: &Matrix<T>,
    b: &Matrix<T>,
    wish: impl Into<Wish>,
) -> Result<Matrix<T>, Error> {
    let mut multiplier = Multiplier::new(context, a.shape(), b.shape(), wish)?;
    multiplier.load(a, b)?;
    multiplier.run()?;
    multiplier.read()
}

/// Every shader of this module in every variant, to be checked as a set.
pub fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = drawn::sources()?;
    sources.extend(compute::sources()?);
    Ok(sources)
}
