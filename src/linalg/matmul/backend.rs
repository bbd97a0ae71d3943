//! The interface of the implementations: the host, fragment shaders, and compute shaders.

pub(super) mod compute;
pub(super) mod drawn;
mod host;
pub(super) mod implementation;
pub(super) mod number;
pub(super) mod packing;

use std::ops::Range;

use crate::Shape;
use crate::data::{Matrix, Number};
use crate::gl::Texel;
use crate::linalg::DeviceMatrix;

use super::Result;

/// The shapes of the operands of each of `count` products.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    pub count: usize,
    pub a: Shape,
    pub b: Shape,
    /// Whether the product may be added to the one before it, by an implementation that can:
    /// [`Backend::adds`].
    pub adds: bool,
}

impl Operands {
    /// Returns the operands of a single product.
    pub(super) fn of_one(a: Shape, b: Shape) -> Operands {
        Operands { count: 1, a, b, adds: false }
    }

    /// Returns whether there is nothing to draw: no texture is without a texel.
    pub(super) fn is_empty(self) -> bool {
        self.a.is_empty() || self.b.is_empty()
    }
}

/// An implementation on the host, by fragment shaders, or by compute shaders, for one pair of
/// shapes without a dimension of 0. Those of several products take A's below each other and B's
/// beside each other, each filled up with zeros as `stored` says, and give products that lie below
/// each other.
pub trait Backend<T: Number + Texel> {
    /// Packs both operands and uploads them.
    fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
        self.load_a(a)?;
        self.load_b(b)
    }

    /// Packs A alone and uploads it.
    fn load_a(&mut self, a: &Matrix<T>) -> Result<()>;

    /// Packs B alone and uploads it.
    fn load_b(&mut self, b: &Matrix<T>) -> Result<()>;

    /// Takes both operands from matrices on the device, through the host unless a backend overrides
    /// it.
    fn load_from(&mut self, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<()> {
        self.load(&a.read()?, &b.read()?)
    }

    /// Multiplies. It may return before the device has finished.
    fn run(&mut self) -> Result<()>;

    /// Returns whether [`run_on`](Self::run_on) adds.
    fn adds(&self) -> bool {
        false
    }

    /// Multiplies, and adds to the product that is there if it [`adds`](Self::adds) and this is not
    /// the first one.
    fn run_on(&mut self, _is_first: bool) -> Result<()> {
        self.run()
    }

    /// Reads the product.
    fn read(&self) -> Result<Matrix<T>>;

    /// Reads rows of the product, one after the other: through a copy of all of it unless a backend
    /// overrides it.
    fn read_rows(&self, rows: Range<usize>, to: &mut [T]) -> Result<()> {
        let product = self.read()?;
        let width = product.shape().cols;
        to.copy_from_slice(&product.elements()[rows.start * width..rows.end * width]);
        Ok(())
    }

    /// Copies the product to a matrix on the device, through the host unless a backend overrides
    /// it.
    fn write_to(&self, c: &mut DeviceMatrix<T>) -> Result<()> {
        write_by_host(self, c)
    }

    /// Returns the rows of each A, and the columns of each B, in a batch: those of the products,
    /// which may be larger than the request.
    fn stored(&self) -> Shape;

    /// Returns the bytes of operands that the shaders fetch from textures and buffers in one run,
    /// by the plan, including those that caches serve.
    fn fetched_bytes(&self) -> u64;

    /// Returns the options that run, as text for reports.
    fn options(&self) -> String;

    /// Returns the products on the device that make up this one.
    fn partial_products(&self) -> usize {
        1
    }
}

/// Copies a product to the device through the host.
pub(super) fn write_by_host<T: Number + Texel>(
    backend: &(impl Backend<T> + ?Sized),
    c: &mut DeviceMatrix<T>,
) -> Result<()> {
    Ok(c.write(&backend.read()?)?)
}
