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
mod engine;
mod error;
mod host;
mod method;
mod multiplier;
mod number;
mod options;
mod packing;
mod text;

pub use choice::OPERATION;
pub use element::Element;
pub use error::Error;
pub use method::{Engine, Method};
pub use multiplier::Multiplier;
pub use options::{Cell, Cover, Mapping, OperandReads, Options, Tile};

use crate::Shape;
use crate::data::Matrix;
use crate::gl::Context;
use crate::linalg::DeviceMatrix;
use crate::shader::Source;

/// A B by a method, or by [`Options::auto`]. Any shapes whose inner dimensions agree, also 0 and 1.
pub fn multiply<T: Element>(
    context: &Context,
    a: &Matrix<T>,
    b: &Matrix<T>,
    options: impl Into<Options>,
) -> Result<Matrix<T>, Error> {
    let mut multiplier = Multiplier::new(context, a.shape(), b.shape(), options)?;
    multiplier.load(a, b)?;
    multiplier.run()?;
    multiplier.read()
}

/// A B of matrices on the device, which stays there: a chain of products costs no transfer.
///
/// ```
/// use quadrille::{Shape, data::Matrix, linalg::DeviceMatrix};
/// use quadrille::linalg::matmul::{Method, multiply_on_device};
/// let context = quadrille::Context::headless()?;
/// let turn = Matrix::from_slices(&[&[0.0, -1.0_f32], &[1.0, 0.0]])?;
/// let turn = DeviceMatrix::from_host(&context, &turn)?;
/// let twice = multiply_on_device(&turn, &turn, Method::Cp)?;
/// let thrice = multiply_on_device(&twice, &turn, Method::Cp)?;
/// assert_eq!(thrice.to_host()?.elements(), [0.0, 1.0, -1.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn multiply_on_device<T: Element>(
    a: &DeviceMatrix<T>,
    b: &DeviceMatrix<T>,
    options: impl Into<Options>,
) -> Result<DeviceMatrix<T>, Error> {
    let mut multiplier = Multiplier::new(a.context(), a.shape(), b.shape(), options)?;
    multiplier.load_from(a, b)?;
    multiplier.run()?;
    let mut c = DeviceMatrix::unset(a.context(), Shape::new(a.shape().rows, b.shape().cols))?;
    multiplier.write_to(&mut c)?;
    Ok(c)
}

/// Every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = drawn::sources()?;
    sources.extend(compute::sources()?);
    sources.extend(packing::sources()?);
    Ok(sources)
}
