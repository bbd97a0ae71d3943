//! One multiplication, set up once and run as often as wished.

use crate::Shape;
use crate::data::Matrix;
use crate::gl::Context;

use super::host::Serial;
use super::{Element, Error, Method, Wish};

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

/// What does the work: an engine of the host, of fragments, or of compute shaders. It is made for
/// one pair of shapes, none of whose dimensions is 0.
pub trait Engine<T: Element> {
    /// Packs both operands and sends them to the device.
    fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<(), Error>;

    /// Multiplies what was loaded. It may return before the device is done.
    fn run(&mut self) -> Result<(), Error>;

    /// Brings the result to the host.
    fn read(&self) -> Result<Matrix<T>, Error>;

    /// Bytes that the shaders ask of textures and buffers for the operands in one run, from the
    /// shapes and the plan: what caches and shared memory pass on is not counted.
    fn fetched_bytes(&self) -> u64;

    /// Its options as reports show them, also those that were left open.
    fn options(&self) -> String;
}

impl<T: Element> Multiplier<T> {
    /// Sets up C = A B for these shapes. `wish` is a [`Method`] or a [`Wish`].
    pub fn new(
        context: &Context,
        a: Shape,
        b: Shape,
        wish: impl Into<Wish>,
    ) -> Result<Multiplier<T>, Error> {
        if a.cols != b.rows {
            return Err(Error::Inner { a, b });
        }
        let wish = wish.into();
        let method = wish.method.unwrap_or(Method::Serial);
        wish.must_suit(method)?;
        method.must_run_on::<T>(context.abilities())?;
        let engine: Box<dyn Engine<T>> = match method {
            // Nothing to draw, and no texture without a texel.
            _ if a.is_empty() || b.is_empty() => Box::new(Serial::new(a, b)?),
            Method::Serial => Box::new(Serial::new(a, b)?),
            _ => T::engine(context, method, &wish, a, b)?,
        };
        Ok(Multiplier { engine, method, a, b, state: State::Empty })
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
        self.must_take(a.shape(), b.shape())?;
        self.state = State::Empty;
        self.engine.load(a, b)?;
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

    fn must_take(&self, a: Shape, b: Shape) -> Result<(), Error> {
        for (what, expected, got) in [("A", self.a, a), ("B", self.b, b)] {
            if expected != got {
                return Err(Error::Operand { what, expected, got });
            }
        }
        Ok(())
    }

    fn must_be_done(&self) -> Result<(), Error> {
        if self.state == State::Done { Ok(()) } else { Err(Error::NotRun) }
    }

    /// Bytes that the shaders ask for in one run: not what a cache passes on.
    pub fn fetched_bytes(&self) -> u64 {
        self.engine.fetched_bytes()
    }
}
