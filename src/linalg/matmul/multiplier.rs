//! A product that is set up once and run often.

use crate::Shape;
use crate::data::Matrix;
use crate::error::Kind;
use crate::gl::{self, Context};
use crate::linalg::DeviceMatrix;

use super::backend::implementation::backend;
use super::backend::{Backend, Operands};
use super::blocks::Blocks;
use super::options::choice::choices;
use super::{Element, Error, Method, Options, Result};

/// A product C = A B for one pair of shapes by one method: kernels are compiled and memory is
/// allocated, so that it can run for any number of operands.
///
/// ```
/// use quadrille::{Shape, data::Matrix};
/// use quadrille::linalg::matmul::{Method, Multiplier};
/// let context = quadrille::Context::headless()?;
/// let a = Matrix::new(Shape::new(2, 3), vec![1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let b = Matrix::new(Shape::new(3, 1), vec![1.0, 0.0, -1.0])?;
/// let mut product = Multiplier::new(&context, a.shape(), b.shape(), Method::Element)?;
/// product.load(&a, &b)?;
/// product.run()?;
/// assert_eq!(product.read()?.elements(), [-2.0, -2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Multiplier<T: Element> {
    context: Context,
    backend: Box<dyn Backend<T>>,
    method: Method,
    a: Shape,
    b: Shape,
    state: State,
}

/// The state of the operands and the product.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum State {
    /// There are no operands.
    Empty,
    /// There are operands, but not yet their product.
    Loaded,
    /// There are operands and their product.
    Done,
}

impl State {
    /// Loads operands; after a failure there are none.
    pub(super) fn load(&mut self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        *self = State::Empty;
        work()?;
        *self = State::Loaded;
        Ok(())
    }

    /// Multiplies what was loaded; after a failure there is no product.
    pub(super) fn run(&mut self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        if *self == State::Empty {
            return Err(Error::NotLoaded);
        }
        *self = State::Loaded;
        work()?;
        *self = State::Done;
        Ok(())
    }

    pub(super) fn must_be_done(self) -> Result<()> {
        if self == State::Done { Ok(()) } else { Err(Error::NotRun) }
    }
}

impl<T: Element> Multiplier<T> {
    /// Sets up C = A B for these shapes. `options` is a [`Method`] or [`Options`].
    ///
    /// If no method is set, it is the one that was tuned for this device at about this size
    /// ([`choice`](crate::stream::choice)), else the one that is usually the fastest on such a
    /// device. If that method cannot hold matrices of this size, the next fastest that can is
    /// taken. [`method`](Self::method) returns the method that runs. A method that is set is never
    /// replaced.
    ///
    /// Where no method that may be taken holds the whole, the first one multiplies blocks: this
    /// multiplier then has the operands and C on the host, and [`run`](Self::run) uploads parts of
    /// the operands and waits for each block of C.
    ///
    /// # Errors
    ///
    /// [`Error::Inner`] if A has not as many columns as B has rows; [`Error::Option`] and its like
    /// if options do not suit the method or contradict each other; [`Error::Tile`] if the tile does
    /// not divide C; [`Error::Type`] if the method does not multiply `T`; [`Error::Unsupported`] if
    /// the device cannot run the method; [`Error::Limit`] if a work group exceeds its limits; out
    /// of memory, with the bytes of the whole, if the host cannot hold the matrices or the device a
    /// block; and errors of the device.
    pub fn new(
        context: &Context,
        a: Shape,
        b: Shape,
        options: impl Into<Options>,
    ) -> Result<Multiplier<T>> {
        if a.cols != b.rows {
            return Err(Error::Inner { a, b });
        }
        let operands = Operands::of_one(a, b);
        let (first, others) = choices::<T>(options.into(), operands, context);
        let refused = match Multiplier::made(context, a, b, first) {
            Err(error) if error.kind() == Kind::Limit || error.has_smaller_blocks() => error,
            made => return made,
        };
        // Too large for the fastest method: another holds the whole, the fastest multiplies blocks,
        // or the host is left.
        let (host, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|options| options.method == Some(Method::Serial));
        let made = |options: &Options| Multiplier::made(context, a, b, *options);
        if let Some(whole) = others.iter().map(made).find(Result::is_ok) {
            return whole;
        }
        match Blocks::new(context, &first, operands, refused) {
            Ok(blocks) => Ok(Multiplier::of(context, a, b, first, Box::new(blocks))),
            Err(refused) => host.iter().map(made).find(Result::is_ok).unwrap_or(Err(refused)),
        }
    }

    fn made(context: &Context, a: Shape, b: Shape, options: Options) -> Result<Multiplier<T>> {
        let backend = backend(context, &options, Operands::of_one(a, b))?;
        Ok(Multiplier::of(context, a, b, options, backend))
    }

    fn of(
        context: &Context,
        a: Shape,
        b: Shape,
        options: Options,
        backend: Box<dyn Backend<T>>,
    ) -> Multiplier<T> {
        let (context, method) = (context.clone(), options.method.unwrap_or(Method::Serial));
        Multiplier { context, backend, method, a, b, state: State::Empty }
    }

    /// Returns the method that runs.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the products on the device that make up this one: 1, or more where the device does
    /// not hold all of it.
    pub fn partial_products(&self) -> usize {
        self.backend.partial_products()
    }

    /// Returns the options that run, including those that were not set, as text for reports.
    pub fn options(&self) -> String {
        self.backend.options()
    }

    /// Packs both operands and uploads them.
    ///
    /// # Errors
    ///
    /// [`Error::Operand`] if a shape differs from that of the setup, and errors of the device.
    pub fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
        must_be("A", self.a, a.shape())?;
        must_be("B", self.b, b.shape())?;
        self.state.load(|| self.backend.load(a, b))
    }

    /// Packs both operands, which live in the context of this multiplier, on the device. Only
    /// [`Method::Serial`] reads them back to the host.
    ///
    /// # Errors
    ///
    /// [`Error::Operand`] if a shape differs from that of the setup, [`gl::Error::Foreign`] if a
    /// context does, and errors of the device.
    pub fn load_from(&mut self, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<()> {
        self.must_be_here("A", self.a, a)?;
        self.must_be_here("B", self.b, b)?;
        self.state.load(|| self.backend.load_from(a, b))
    }

    /// Multiplies the operands that were loaded. It may return before the device has finished.
    ///
    /// # Errors
    ///
    /// [`Error::NotLoaded`] without operands, and errors of the device.
    pub fn run(&mut self) -> Result<()> {
        self.state.run(|| self.backend.run())
    }

    /// Reads the product. Waits for the device.
    ///
    /// # Errors
    ///
    /// [`Error::NotRun`] if the operands that were loaded last have not been multiplied, and errors
    /// of the device.
    pub fn read(&self) -> Result<Matrix<T>> {
        self.state.must_be_done()?;
        self.backend.read()
    }

    /// Replaces the elements of a matrix in the context of this multiplier by the product, on the
    /// device. The product passes through the host for [`Method::Serial`], and for compute methods
    /// on a context whose fragment shaders have no storage buffers, as OpenGL ES allows.
    ///
    /// # Errors
    ///
    /// [`Error::Operand`] if the shape is not that of C, [`gl::Error::Foreign`] if the context
    /// differs, [`Error::NotRun`] without a product, and errors of the device.
    pub fn write_to(&self, c: &mut DeviceMatrix<T>) -> Result<()> {
        self.must_be_here("C", Shape::new(self.a.rows, self.b.cols), c)?;
        self.state.must_be_done()?;
        self.backend.write_to(c)
    }

    /// Returns the product as a matrix of its own on the device, as [`write_to`](Self::write_to)
    /// does.
    ///
    /// # Errors
    ///
    /// As [`write_to`](Self::write_to), and of a matrix that the device does not hold.
    pub fn to_device(&self) -> Result<DeviceMatrix<T>> {
        let mut c = DeviceMatrix::unset(&self.context, Shape::new(self.a.rows, self.b.cols))?;
        self.write_to(&mut c)?;
        Ok(c)
    }

    fn must_be_here(
        &self,
        what: &'static str,
        expected: Shape,
        matrix: &DeviceMatrix<T>,
    ) -> Result<()> {
        if !self.context.ptr_eq(matrix.context()) {
            return Err(gl::Error::Foreign { what: what.to_owned() }.into());
        }
        must_be(what, expected, matrix.shape())
    }

    /// Returns the bytes that the shaders fetch in one run, including those that caches serve.
    pub fn fetched_bytes(&self) -> u64 {
        self.backend.fetched_bytes()
    }
}

pub(super) fn must_be(what: &'static str, expected: Shape, got: Shape) -> Result<()> {
    if expected == got { Ok(()) } else { Err(Error::Operand { what, expected, got }) }
}
