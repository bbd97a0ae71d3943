//! Products of dense matrices, C = A B, of `f32`, `i32` or `i16`, by one of twelve [`Method`]s:
//! those of Fatahalian, Sugerman and Hanrahan 2004, *Understanding the Efficiency of GPU Algorithms
//! for Matrix-Matrix Multiplication*, those of *Parallel programming using CUDA* (2010), and larger
//! blocks and tiles for newer hardware.
//!
//! [`multiply`] is one call; a [`Multiplier`] is set up once and run often; [`multiply_on_device`]
//! keeps the matrices on the device. [`multiply_batch`] and [`BatchMultiplier`] multiply many pairs
//! of equal shapes at once. [`Options::new`] chooses the method. [`Checked`] compares a product with
//! double precision.
//!
//! **Error.** All methods add the products of an element in the order of k, in 32-bit floats, so an
//! element is off by at most gamma_k `* sum |a_ik b_kj|` with gamma_k = k u / (1 - k u) and u =
//! 2^-24 (Higham, *Accuracy and Stability of Numerical Algorithms*, section 3.5). Integers wrap.
//! Where k is split ([`Options::split`]) the sums of s parts of at most t steps each are added in
//! the order of k: the bound is gamma_(t + s - 1), which is smaller, and repeated runs on a device
//! give the same bits.
//!
//! **Size.** Matrices that textures, buffers or the memory of a device do not hold are multiplied
//! in blocks: the operands and C stay on the host, and parts of them go to the device and back.
//! Where the inner dimension is cut too, partial products are added on the device in the order of
//! k, with the bound of a split product.
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

mod accumulator;
mod backend;
mod batch;
mod blocks;
mod check;
mod element;
mod error;
mod multiplier;
mod options;

use backend::{compute, drawn, packing};

pub use accumulator::Accumulator;
pub use batch::{BatchMultiplier, multiply_batch};
pub use check::{Checked, Observe};
pub use element::Element;
pub use error::{Dimension, Error, Remedy, Request, Requirement, Result};
pub use multiplier::Multiplier;
pub use options::choice::OPERATION;
pub use options::method::Method;
pub use options::{Cell, Cover, Mapping, OperandReads, Options, Tile};

use crate::data::Matrix;
use crate::gl::Context;
use crate::linalg::DeviceMatrix;
use crate::shader::Source;

/// Multiplies matrices of the host, by a method or by the one that [`Options::new`] chooses. `a` is
/// m x k and `b` is k x n; any of them may be 0.
///
/// # Errors
///
/// Those of [`Multiplier::new`], and errors of the device.
pub fn multiply<T: Element>(
    context: &Context,
    a: &Matrix<T>,
    b: &Matrix<T>,
    options: impl Into<Options>,
) -> Result<Matrix<T>> {
    let mut multiplier = Multiplier::new(context, a.shape(), b.shape(), options)?;
    multiplier.load(a, b)?;
    multiplier.run()?;
    multiplier.read()
}

/// Multiplies matrices on the device into a new one there, so that a chain of products needs no
/// transfers.
///
/// ```
/// use quadrille::{Shape, data::Matrix, linalg::DeviceMatrix};
/// use quadrille::linalg::matmul::{Method, multiply_on_device};
/// let context = quadrille::Context::headless()?;
/// let turn = Matrix::from_slices(&[&[0.0, -1.0_f32], &[1.0, 0.0]])?;
/// let turn = DeviceMatrix::from_host(&context, &turn)?;
/// let twice = multiply_on_device(&turn, &turn, Method::Cp)?;
/// let thrice = multiply_on_device(&twice, &turn, Method::Cp)?;
/// assert_eq!(thrice.read()?.elements(), [0.0, 1.0, -1.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of [`Multiplier::new`], [`gl::Error::Foreign`](crate::gl::Error::Foreign) if the contexts
/// differ, and errors of the device.
pub fn multiply_on_device<T: Element>(
    a: &DeviceMatrix<T>,
    b: &DeviceMatrix<T>,
    options: impl Into<Options>,
) -> Result<DeviceMatrix<T>> {
    let mut multiplier = Multiplier::new(a.context(), a.shape(), b.shape(), options)?;
    multiplier.load_from(a, b)?;
    multiplier.run()?;
    multiplier.to_device()
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = drawn::sources()?;
    sources.extend(compute::sources()?);
    sources.extend(packing::sources()?);
    sources.extend(blocks::sources()?);
    Ok(sources)
}
