//! A product that is computed panel after panel along its inner dimension.

use std::ops::Range;

use crate::Shape;
use crate::data::Matrix;
use crate::error::Kind;
use crate::gl::{self, Context};
use crate::linalg::DeviceMatrix;

use super::backend::implementation::backend;
use super::backend::{Backend, Operands};
use super::blocks::Sum;
use super::multiplier::must_be;
use super::options::choice::choices;
use super::{Element, Error, Options, Result};

/// A sum of products, C = A_1 B_1 + A_2 B_2 + ..., on a device, where A and B come in panels of one
/// shape each: columns of A, and as many rows of B. C stays on the device until it is read, so that
/// A and B need never be there as a whole.
///
/// Methods of compute shaders that are not split ([`Options::split`]) continue with the sum of the
/// panels before, as one product would: each element adds its products in the order of k, and the
/// bits are those of one product by that method, however it is cut. Other methods compute a product
/// of each panel, and a pass adds it to the sum, in the order of the panels; there the bound is
/// gamma_(t + s) for s panels of t steps.
///
/// ```
/// use quadrille::{Shape, data::Matrix, linalg::DeviceMatrix};
/// use quadrille::linalg::matmul::{Accumulator, Options};
/// let context = quadrille::Context::headless()?;
/// let options = Accumulator::<f32>::options(&context, Shape::new(2, 2), Shape::new(2, 1), Options::new());
/// let mut sum = Accumulator::new(&context, Shape::new(2, 1), Shape::new(1, 1), options)?;
/// for (a, b) in [([1.0_f32, 3.0], 10.0), ([2.0, 4.0], 1.0)] {
///     let a = Matrix::new(Shape::new(2, 1), a.to_vec())?;
///     let b = Matrix::new(Shape::new(1, 1), vec![b])?;
///     sum.add(&DeviceMatrix::from_host(&context, &a)?, &DeviceMatrix::from_host(&context, &b)?)?;
/// }
/// assert_eq!(sum.read()?.elements(), [12.0, 34.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Accumulator<T: Element> {
    context: Context,
    one: Box<dyn Backend<T>>,
    /// Adds products up, where the backend cannot add to C itself.
    sum: Option<Sum<T>>,
    a: Shape,
    b: Shape,
    is_begun: bool,
}

impl<T: Element> Accumulator<T> {
    /// Returns the options that suit a whole product on a device: those that are open are set, but
    /// for the number of parts. Panels that follow them are computed alike, whatever their shapes.
    pub fn options(context: &Context, a: Shape, b: Shape, options: Options) -> Options {
        let chosen = choices::<T>(options, Operands::of_one(a, b), context).0;
        Options { split: options.split, ..chosen }
    }

    /// Makes an accumulator for panels of these shapes, none of whose sides is 0, by a method that
    /// is set ([`options`](Self::options) sets it).
    ///
    /// # Errors
    ///
    /// Those of [`Multiplier::new`](super::Multiplier::new). A product that does not fit is not
    /// cut: [`needs_smaller`](Self::needs_smaller) says whether smaller panels may fit.
    pub fn new(
        context: &Context,
        a: Shape,
        b: Shape,
        options: impl Into<Options>,
    ) -> Result<Accumulator<T>> {
        if a.cols != b.rows {
            return Err(Error::Inner { a, b });
        }
        let operands = Operands { adds: true, ..Operands::of_one(a, b) };
        let one = backend(context, &options.into(), operands)?;
        let c = Shape::new(a.rows, b.cols);
        let sum = if one.adds() { None } else { Some(Sum::new(context, c)?) };
        Ok(Accumulator { context: context.clone(), one, sum, a, b, is_begun: false })
    }

    /// Returns whether smaller panels, or a smaller C, may be within the limit that an error of
    /// [`new`](Self::new) is about.
    pub fn needs_smaller(error: &Error) -> bool {
        error.kind() == Kind::OutOfMemory || error.has_smaller_blocks()
    }

    /// Adds the product of two panels. It may return before the device has finished.
    ///
    /// # Errors
    ///
    /// [`Error::Operand`] if a shape differs from that of the setup, [`gl::Error::Foreign`] if a
    /// context does, and errors of the device.
    pub fn add(&mut self, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<()> {
        for (what, expected, panel) in [("A", self.a, a), ("B", self.b, b)] {
            if !self.context.ptr_eq(panel.context()) {
                return Err(gl::Error::Foreign { what: what.to_owned() }.into());
            }
            must_be(what, expected, panel.shape())?;
        }
        self.one.load_from(a, b)?;
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        self.one.run_on(is_first)?;
        match &mut self.sum {
            Some(sum) => sum.add(&*self.one, is_first),
            None => Ok(()),
        }
    }

    /// Clears the sum: the next panels begin a new one.
    pub fn clear(&mut self) {
        self.is_begun = false;
    }

    /// Returns the sum on the host. Waits for the device.
    ///
    /// # Errors
    ///
    /// [`Error::NotRun`] if nothing was added, and errors of the device.
    pub fn read(&self) -> Result<Matrix<T>> {
        match &self.sum {
            _ if !self.is_begun => Err(Error::NotRun),
            Some(sum) => sum.read(),
            None => self.one.read(),
        }
    }

    /// Copies rows of the sum to the host, one after the other: a slice as long as they are. Waits
    /// for the device.
    ///
    /// # Errors
    ///
    /// [`Error::Rows`] for others than there are, or a slice of another length, and those of
    /// [`read`](Self::read).
    pub fn read_rows(&self, rows: Range<usize>, to: &mut [T]) -> Result<()> {
        let (all, width) = (self.a.rows, self.b.cols);
        if rows.start > rows.end || rows.end > all || rows.len() * width != to.len() {
            return Err(Error::Rows { rows, of: Shape::new(all, width), got: to.len() });
        }
        match &self.sum {
            _ if !self.is_begun => Err(Error::NotRun),
            Some(sum) => sum.read_rows(rows, to),
            None => self.one.read_rows(rows, to),
        }
    }

    /// Returns the options that run, including those that were not set, as text for reports.
    pub fn text(&self) -> String {
        self.one.options()
    }
}
