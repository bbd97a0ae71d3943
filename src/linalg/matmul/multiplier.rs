//! One multiplication, set up once and run as often as wished.

use crate::Shape;
use crate::data::Matrix;
use crate::error::Kind;
use crate::gl::{self, Context};
use crate::linalg::DeviceMatrix;

use super::choice::choices;
use super::engine::Engine;
use super::host::Serial;
use super::{Element, Error, Method, Options};

/// C = A B for one pair of shapes by one method, ready to run: kernels compiled, room for operands
/// and result on the device.
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
    engine: Box<dyn Engine<T>>,
    method: Method,
    a: Shape,
    b: Shape,
    state: State,
}

/// How far the multiplication has come.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// There are no operands.
    Empty,
    /// There are operands, and no product of them.
    Loaded,
    /// There is their product.
    Done,
}

impl<T: Element> Multiplier<T> {
    /// Sets up C = A B for these shapes. `options` is a [`Method`] or [`Options`].
    pub fn new(
        context: &Context,
        a: Shape,
        b: Shape,
        options: impl Into<Options>,
    ) -> Result<Multiplier<T>, Error> {
        if a.cols != b.rows {
            return Err(Error::Inner { a, b });
        }
        let (first, others) = choices::<T>(options.into(), a, b, context.abilities());
        let refused = match Multiplier::made(context, a, b, first) {
            Err(error) if error.kind() == Kind::Limit => error,
            made => return made,
        };
        // Too large for what is usually best, and the method was left open.
        let mut others = others.into_iter().map(|options| Multiplier::made(context, a, b, options));
        others.find(Result::is_ok).unwrap_or(Err(refused))
    }

    fn made(
        context: &Context,
        a: Shape,
        b: Shape,
        options: Options,
    ) -> Result<Multiplier<T>, Error> {
        let method = options.method.unwrap_or(Method::Serial);
        options.must_suit(method)?;
        method.must_run_on::<T>(context.abilities())?;
        let engine: Box<dyn Engine<T>> = match method {
            // Nothing to draw, and no texture without a texel.
            _ if a.is_empty() || b.is_empty() => Box::new(Serial::new(a, b)?),
            Method::Serial => Box::new(Serial::new(a, b)?),
            _ => T::engine(context, method, &options, a, b)?,
        };
        Ok(Multiplier { context: context.clone(), engine, method, a, b, state: State::Empty })
    }

    /// The method that runs, chosen if it was left open.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The method's options as they are, also those that were left open.
    pub fn options(&self) -> String {
        self.engine.options()
    }

    /// Packs both operands and sends them to the device.
    pub fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<(), Error> {
        must_be("A", self.a, a.shape())?;
        must_be("B", self.b, b.shape())?;
        self.state = State::Empty;
        self.engine.load(a, b)?;
        self.state = State::Loaded;
        Ok(())
    }

    /// Packs both operands, which live in the context of this multiplication, on the device. Only
    /// the method `serial` takes the way through the host.
    pub fn load_from(&mut self, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<(), Error> {
        self.must_be_here("A", self.a, a)?;
        self.must_be_here("B", self.b, b)?;
        self.state = State::Empty;
        self.engine.load_from(a, b)?;
        self.state = State::Loaded;
        Ok(())
    }

    /// Multiplies what was loaded. It may return before the device is done.
    pub fn run(&mut self) -> Result<(), Error> {
        if self.state == State::Empty {
            return Err(Error::NotLoaded);
        }
        self.state = State::Loaded;
        self.engine.run()?;
        self.state = State::Done;
        Ok(())
    }

    /// Brings the product of what was loaded last to the host.
    pub fn read(&self) -> Result<Matrix<T>, Error> {
        self.must_be_done()?;
        self.engine.read()
    }

    /// Replaces a matrix, which lives in the context of this multiplication, by the product of what
    /// was loaded last, on the device. The way through the host is taken by the method `serial`,
    /// and by compute shaders where fragment shaders have no storage buffers, as OpenGL ES allows.
    pub fn write_to(&self, c: &mut DeviceMatrix<T>) -> Result<(), Error> {
        self.must_be_here("C", Shape::new(self.a.rows, self.b.cols), c)?;
        self.must_be_done()?;
        self.engine.write_to(c)
    }

    fn must_be_here(
        &self,
        what: &'static str,
        expected: Shape,
        matrix: &DeviceMatrix<T>,
    ) -> Result<(), Error> {
        if !self.context.ptr_eq(matrix.context()) {
            return Err(gl::Error::Foreign { what: what.to_owned() }.into());
        }
        must_be(what, expected, matrix.shape())
    }

    fn must_be_done(&self) -> Result<(), Error> {
        if self.state == State::Done { Ok(()) } else { Err(Error::NotRun) }
    }

    /// Bytes that the shaders ask for in one run: not what a cache passes on.
    pub fn fetched_bytes(&self) -> u64 {
        self.engine.fetched_bytes()
    }
}

fn must_be(what: &'static str, expected: Shape, got: Shape) -> Result<(), Error> {
    if expected == got { Ok(()) } else { Err(Error::Operand { what, expected, got }) }
}
