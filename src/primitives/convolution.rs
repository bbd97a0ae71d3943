//! Convolutions and correlations of one- and two-dimensional arrays, with borders.
//!
//! **Few weights** are uniforms of a shader, whose loops have constant bounds: each number is summed
//! from its neighbours. **Many weights** are a product of Fourier transforms. Which is faster was
//! measured: [`Method::usual_for`].
//!
//! **Error.** See [`Convolution::error_bound`].

mod direct;
mod transform;
mod weights;

use std::cell::RefCell;

use crate::Shape;
use crate::gl::{self, Context, must_be};
use crate::grid::DeviceVector;
use crate::shader::Source;
use crate::stream::kept::made_once;
use crate::stream::{Engine, Result};

use super::fft::setup;

use direct::Direct;
use transform::Transform;
pub use weights::{Border, Method, Weights};

/// Sums the neighbours of each number of an array, times weights.
///
/// ```
/// use quadrille::{Context, Shape, grid::DeviceVector};
/// use quadrille::primitives::{Border, Convolution, Weights};
/// let context = Context::headless()?;
/// let blur = Weights::convolution(Shape::new(1, 3), &[0.25, 0.5, 0.25])?;
/// let blur = Convolution::new(&context, Shape::new(1, 4), &blur, Border::Clamp)?;
/// let x = DeviceVector::from_host(&context, &[0.0_f32, 4.0, 0.0, 8.0])?;
/// let mut y = DeviceVector::uninit(&context, 4)?;
/// blur.run(&x, &mut y)?;
/// assert_eq!(y.read()?, [1.0, 2.0, 3.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Convolution {
    context: Context,
    shape: Shape,
    stages: Vec<Stage>,
    between: RefCell<Option<DeviceVector>>,
}

enum Stage {
    Direct(Direct),
    Transform(Box<Transform>),
}

impl Convolution {
    /// Creates the convolution or correlation of arrays of this shape, on the engine and by the
    /// method that are usually the fastest.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`] for an array that a texture does not hold, and errors of the device.
    pub fn new(
        context: &Context,
        shape: Shape,
        weights: &Weights,
        border: Border,
    ) -> Result<Convolution> {
        let engine = Engine::default_for(context);
        let method = Method::usual_for(engine, weights.shape());
        Convolution::on(context, engine, method, shape, &[weights], border)
    }

    /// Creates one by weights that are products of a column and of a row: two passes with as many
    /// weights as both have, rather than as their product has.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn separable(
        context: &Context,
        shape: Shape,
        column: &Weights,
        row: &Weights,
        border: Border,
    ) -> Result<Convolution> {
        let engine = Engine::default_for(context);
        let column = column.as_column().map_err(gl::Error::from)?;
        let row = row.as_row().map_err(gl::Error::from)?;
        let method = Method::usual_for(engine, column.shape());
        let other = Method::usual_for(engine, row.shape());
        let method = if method == other { method } else { Method::Transform };
        Convolution::on(context, engine, method, shape, &[&column, &row], border)
    }

    /// Creates one on this engine by this method, by several weights one after the other.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`] for more weights than the direct method takes,
    /// [`gl::Error::Unsupported`] if the context lacks the engine, and those of [`new`](Self::new).
    pub fn on(
        context: &Context,
        engine: Engine,
        method: Method,
        shape: Shape,
        weights: &[&Weights],
        border: Border,
    ) -> Result<Convolution> {
        engine.must_run_on(context, "a convolution by compute shaders")?;
        let limit = DeviceVector::<f32>::room_of_panel(context);
        let numbers = shape.rows.saturating_mul(shape.cols);
        let remedy = "convolve parts that overlap by the weights";
        gl::must_fit("a convolution", (numbers, "numbers"), limit, remedy)?;
        let stage = |weights: &&Weights| -> Result<Stage> {
            Ok(match method {
                Method::Direct => {
                    Stage::Direct(Direct::new(context, engine, shape, weights, border)?)
                }
                Method::Transform => Stage::Transform(Box::new(Transform::new(
                    context, engine, shape, weights, border,
                )?)),
            })
        };
        let stages = match numbers {
            0 => Vec::new(),
            _ => weights.iter().map(stage).collect::<Result<_, _>>()?,
        };
        Ok(Convolution { context: context.clone(), shape, stages, between: RefCell::default() })
    }

    /// Writes the sums.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] if x or the result has not as many numbers as the shape,
    /// [`gl::Error::Foreign`] for a vector of another context, and errors of the device.
    pub fn run(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        let expected = self.shape.rows * self.shape.cols;
        must_be(expected, x.len(), "a convolution: the numbers")?;
        must_be(expected, out.len(), "a convolution: the results")?;
        match &self.stages[..] {
            [] => Ok(()),
            [only] => only.run(x, out),
            [first, rest @ ..] => {
                let mut between = self.between.borrow_mut();
                let uninit = || DeviceVector::uninit(&self.context, expected);
                let between = made_once(&mut between, uninit)?;
                first.run(x, between)?;
                for stage in rest {
                    stage.run(between, out)?;
                    if !std::ptr::eq(stage, &raw const rest[rest.len() - 1]) {
                        between.copy_from(out)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Returns a bound on the error of each result: this times the largest magnitude of the numbers.
    pub fn error_bound(&self) -> f64 {
        // What a stage loses grows by the weights of the later ones.
        let (mut bound, mut size) = (0.0, 1.0);
        for stage in &self.stages {
            let (own, sum) = stage.bound();
            bound = bound * (sum + own) + size * own;
            size *= sum + own;
        }
        bound
    }
}

impl Stage {
    fn run(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        match self {
            Stage::Direct(way) => way.run(x, out),
            Stage::Transform(way) => way.run(x, out),
        }
    }

    /// Returns the error of a result and the sum of the weights' magnitudes, each as a multiple of
    /// the largest number.
    fn bound(&self) -> (f64, f64) {
        match self {
            Stage::Direct(way) => way.bound(),
            Stage::Transform(way) => way.bound(),
        }
    }
}

impl std::fmt::Debug for Convolution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Convolution({} x {}, {} passes)",
            self.shape.rows,
            self.shape.cols,
            self.stages.len()
        )
    }
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for engine in Engine::ALL {
        for variant in [direct::variants(engine), transform::variants()].concat() {
            sources.push(variant.source(setup(engine))?);
        }
    }
    Ok(sources)
}
