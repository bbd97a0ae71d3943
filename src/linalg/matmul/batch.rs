//! Products of a batch: many pairs of matrices of the same shapes at once.
//!
//! The A's of a batch are stored below each other and the B's beside each other, so that a batch is
//! one product of which only the blocks on the diagonal are computed: one dispatch or pass,
//! whatever the method.

use std::ops::Range;

use crate::Shape;
use crate::data::Matrix;
use crate::error::Kind;
use crate::gl::Context;

use super::backend::implementation::backend;
use super::backend::{Backend, Operands};
use super::multiplier::State;
use super::options::choice::choices;
use super::{Element, Error, Method, Options, Result};

/// A batch of products, C\[i\] = A\[i\] B\[i\], for a number of matrices of one pair of shapes, in
/// one dispatch of compute shaders or one draw of fragment shaders, and in several where the device
/// cannot hold the whole batch. Small products, of which each alone would leave a device idle, fill
/// it together.
///
/// ```
/// use quadrille::{Shape, data::Matrix};
/// use quadrille::linalg::matmul::{BatchMultiplier, Options};
/// let context = quadrille::Context::headless()?;
/// let turns = [0.1_f32, 0.2, 0.3].map(|angle: f32| {
///     Matrix::from_slices(&[&[angle.cos(), -angle.sin()], &[angle.sin(), angle.cos()]]).unwrap()
/// });
/// let points = [1.0_f32, 2.0, 3.0].map(|x| Matrix::from_slices(&[&[x], &[0.0]]).unwrap());
/// let (a, b) = (turns[0].shape(), points[0].shape());
/// let mut product = BatchMultiplier::new(&context, 3, a, b, Options::new())?;
/// product.load(&turns, &points)?;
/// product.run()?;
/// let turned = product.read()?;
/// assert!((turned[2].elements()[0] - 3.0 * 0.3_f32.cos()).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchMultiplier<T: Element> {
    method: Method,
    count: usize,
    a: Shape,
    b: Shape,
    parts: Vec<Part<T>>,
    state: State,
}

/// Products that run together.
struct Part<T: Element> {
    products: Range<usize>,
    backend: Box<dyn Backend<T>>,
}

impl<T: Element> BatchMultiplier<T> {
    /// Sets up `count` products of these shapes, any of which may be 0. `options` is a [`Method`]
    /// or [`Options`]; if no method is set, it is chosen as for one product of as many operations
    /// as the batch ([`Multiplier::new`](super::Multiplier::new)).
    ///
    /// # Errors
    ///
    /// Those of [`Multiplier::new`](super::Multiplier::new). A batch that is too large for one
    /// dispatch or draw is no error, only a product that is.
    pub fn new(
        context: &Context,
        count: usize,
        a: Shape,
        b: Shape,
        options: impl Into<Options>,
    ) -> Result<BatchMultiplier<T>> {
        if a.cols != b.rows {
            return Err(Error::Inner { a, b });
        }
        let all = Operands { count, a, b, adds: false };
        let (first, others) = choices::<T>(options.into(), all, context);
        let made = |options: Options| {
            let method = options.method.unwrap_or(Method::Serial);
            let parts = parts(context, &options, all, 0..count)?;
            Ok(BatchMultiplier { method, count, a, b, parts, state: State::Empty })
        };
        let refused = match made(first) {
            Err(error @ Error::Limit { .. }) => error,
            made => return made,
        };
        others.into_iter().map(made).find(Result::is_ok).unwrap_or(Err(refused))
    }

    /// Returns the method that runs.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the dispatches or draws of a run, if none of them is split further.
    pub fn dispatches(&self) -> usize {
        self.parts.len()
    }

    /// Returns the options that run, including those that were not set, as text for reports.
    pub fn options(&self) -> String {
        self.parts.first().map_or_else(String::new, |part| part.backend.options())
    }

    /// Packs all operands and uploads them.
    ///
    /// # Errors
    ///
    /// [`Error::BatchLength`] if there are not as many matrices as set up, [`Error::BatchOperand`]
    /// if a shape differs, and errors of the device.
    pub fn load(&mut self, a: &[Matrix<T>], b: &[Matrix<T>]) -> Result<()> {
        must_all_be("A", self.count, self.a, a)?;
        must_all_be("B", self.count, self.b, b)?;
        self.state.load(|| self.parts.iter_mut().try_for_each(|part| part.load(a, b)))
    }

    /// Multiplies the operands that were loaded. It may return before the device has finished.
    ///
    /// # Errors
    ///
    /// [`Error::NotLoaded`] without operands, and errors of the device.
    pub fn run(&mut self) -> Result<()> {
        self.state.run(|| self.parts.iter_mut().try_for_each(|part| part.backend.run()))
    }

    /// Reads the products in the order of their operands. Waits for the device.
    ///
    /// # Errors
    ///
    /// [`Error::NotRun`] if the operands that were loaded last have not been multiplied, and errors
    /// of the device.
    pub fn read(&self) -> Result<Vec<Matrix<T>>> {
        self.state.must_be_done()?;
        let shape = Shape::new(self.a.rows, self.b.cols);
        let mut products = Vec::new();
        for part in &self.parts {
            part.read(shape, &mut products)?;
        }
        Ok(products)
    }
}

/// Multiplies pairs of matrices of the host, all A's of one shape and all B's of one, by a method
/// or by the one that [`Options::new`] chooses.
///
/// ```
/// use quadrille::{Shape, data::Matrix, linalg::matmul::{Method, multiply_batch}};
/// let context = quadrille::Context::headless()?;
/// let of = |i: usize| Matrix::from_fn(Shape::new(2, 2), |row, col| (i + row * col) as f32);
/// let a: Vec<Matrix<f32>> = (0..5).map(of).collect::<Result<_, _>>()?;
/// let squares = multiply_batch(&context, &a, &a, Method::Sp)?;
/// assert_eq!(squares[3].elements(), [18.0, 21.0, 21.0, 25.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of [`BatchMultiplier::new`] and [`BatchMultiplier::load`].
pub fn multiply_batch<T: Element>(
    context: &Context,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    options: impl Into<Options>,
) -> Result<Vec<Matrix<T>>> {
    let shape = |matrices: &[Matrix<T>]| matrices.first().map_or(Shape::new(0, 0), Matrix::shape);
    // Without operands there are no shapes that could differ.
    if a.is_empty() || b.is_empty() {
        must_all_be("B", a.len(), shape(a), b)?;
    }
    let mut batch = BatchMultiplier::new(context, a.len(), shape(a), shape(b), options)?;
    batch.load(a, b)?;
    batch.run()?;
    batch.read()
}

fn must_all_be<T: Element>(
    what: &'static str,
    count: usize,
    expected: Shape,
    matrices: &[Matrix<T>],
) -> Result<()> {
    if matrices.len() != count {
        return Err(Error::BatchLength { what, expected: count, got: matrices.len() });
    }
    let wrong = matrices.iter().map(Matrix::shape).enumerate().find(|(_, got)| *got != expected);
    match wrong {
        Some((index, got)) => Err(Error::BatchOperand { what, index, expected, got }),
        None => Ok(()),
    }
}

/// Returns the products in as few parts as the limits of the device allow: halves of halves. The
/// host multiplies one by one.
fn parts<T: Element>(
    context: &Context,
    options: &Options,
    all: Operands,
    products: Range<usize>,
) -> Result<Vec<Part<T>>> {
    let count = products.len();
    let alone = all.is_empty() || options.method.is_none_or(|method| method == Method::Serial);
    let halves = |limit: Option<Error>| {
        if count < 2 {
            return limit.map_or_else(|| Ok(Vec::new()), Err);
        }
        let middle = products.start + count / 2;
        let mut halves = parts(context, options, all, products.start..middle)?;
        halves.extend(parts(context, options, all, middle..products.end)?);
        Ok(halves)
    };
    if count == 0 || alone && count > 1 {
        return halves(None);
    }
    match backend(context, options, Operands { count, ..all }) {
        Ok(backend) => Ok(vec![Part { products: products.clone(), backend }]),
        Err(error) if error.kind() == Kind::Limit => halves(Some(error)),
        Err(error) => Err(error),
    }
}

impl<T: Element> Part<T> {
    fn load(&mut self, a: &[Matrix<T>], b: &[Matrix<T>]) -> Result<()> {
        let (a, b) = (&a[self.products.clone()], &b[self.products.clone()]);
        if let ([a], [b]) = (a, b) {
            return self.backend.load(a, b);
        }
        let Shape { rows, cols } = self.backend.stored();
        self.backend.load(&below_each_other(a, rows)?, &beside_each_other(b, cols)?)
    }

    /// Adds its products to the list.
    fn read(&self, shape: Shape, products: &mut Vec<Matrix<T>>) -> Result<()> {
        let all = self.backend.read()?;
        if self.products.len() == 1 {
            products.push(all);
            return Ok(());
        }
        let rows = self.backend.stored().rows;
        for product in 0..self.products.len() {
            let mut one = Matrix::zeros(shape)?;
            let elements = one.elements_mut().chunks_exact_mut(shape.cols.max(1));
            for (row, elements) in elements.enumerate() {
                elements.copy_from_slice(&all.row(product * rows + row)[..shape.cols]);
            }
            products.push(one);
        }
        Ok(())
    }
}

/// Returns all rows of the first, filled up with zeros to `rows`, then those of the second, and so
/// on.
fn below_each_other<T: Element>(matrices: &[Matrix<T>], rows: usize) -> Result<Matrix<T>> {
    let cols = matrices.first().map_or(0, |first| first.shape().cols);
    let mut all = Matrix::zeros(Shape::new(rows * matrices.len(), cols))?;
    let places = all.elements_mut().chunks_exact_mut(rows * cols);
    for (place, matrix) in places.zip(matrices) {
        place[..matrix.elements().len()].copy_from_slice(matrix.elements());
    }
    Ok(all)
}

/// Puts matrices side by side: each row holds that of the first matrix, filled up with zeros to
/// `cols` numbers, then that of the second, and so on.
fn beside_each_other<T: Element>(matrices: &[Matrix<T>], cols: usize) -> Result<Matrix<T>> {
    let rows = matrices.first().map_or(0, |first| first.shape().rows);
    let mut all = Matrix::zeros(Shape::new(rows, cols * matrices.len()))?;
    let places = all.elements_mut().chunks_exact_mut(cols * matrices.len());
    for (row, place) in places.enumerate() {
        for (place, matrix) in place.chunks_exact_mut(cols).zip(matrices) {
            let numbers = matrix.row(row);
            place[..numbers.len()].copy_from_slice(numbers);
        }
    }
    Ok(all)
}
