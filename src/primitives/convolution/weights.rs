//! The weights of a convolution, and the borders.

use crate::Shape;
use crate::error::named;
use crate::gl;
use crate::memory::{self, NoMemory};
use crate::stream::{Engine, Result};

/// The most weights of a sum of products: the uniforms that every context has room for.
pub(super) const MOST_WEIGHTS: usize = 225;
/// The most weights for which sums of products are faster by compute shaders: 9 x 9.
const MOST_ON_HARDWARE: usize = 81;

/// Where numbers beyond the border of an array are taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Border {
    /// Zeros: SciPy's `constant`.
    Zero,
    /// The nearest number: SciPy's `nearest`.
    Clamp,
    /// The other side, as if the array repeats.
    Wrap,
    /// The array mirrored, with its last number twice: d c b a | a b c d.
    #[default]
    Reflect,
}

impl Border {
    pub(super) fn define(self) -> &'static str {
        match self {
            Border::Zero => "BORDER_ZERO",
            Border::Clamp => "BORDER_CLAMP",
            Border::Wrap => "BORDER_WRAP",
            Border::Reflect => "BORDER_REFLECT",
        }
    }
}

named!(Border: "border" {
    Zero: "zero",
    Clamp: "clamp",
    Wrap: "wrap",
    Reflect: "reflect",
});

/// How a convolution is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// As a sum of products for each number.
    Direct,
    /// As a product of Fourier transforms.
    Transform,
}

impl Method {
    /// Returns the one that is usually the faster on an engine, for weights of this shape:
    /// docs/primitives.md has the measurements.
    pub fn usual_for(engine: Engine, weights: Shape) -> Method {
        let most = if engine == Engine::Compute { MOST_ON_HARDWARE } else { MOST_WEIGHTS };
        match weights.rows * weights.cols <= most {
            true => Method::Direct,
            false => Method::Transform,
        }
    }
}

/// The weights of a convolution or of a correlation.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    shape: Shape,
    /// As a correlation has them.
    numbers: Vec<f32>,
    /// The row and the column of the weight of the number itself.
    centre: [usize; 2],
}

impl Weights {
    /// Creates the weights of a correlation, row by row: each result is the sum of weights times
    /// the numbers around it, in the same order. The weight in the middle, of an even number the
    /// second of the two there, is that of the number itself.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] if there are not as many weights as the shape has, or none;
    /// [`gl::Error::OutOfMemory`] without memory for a copy of them.
    pub fn correlation(shape: Shape, numbers: &[f32]) -> Result<Weights> {
        let expected = shape.rows.saturating_mul(shape.cols).max(1);
        let what = format!("weights of {} rows and {} columns", shape.rows, shape.cols);
        gl::must_be(expected, numbers.len(), what)?;
        let centre = [shape.rows / 2, shape.cols / 2];
        let numbers = memory::copied(numbers).map_err(gl::Error::from)?;
        Ok(Weights { shape, numbers, centre })
    }

    /// Creates the weights of a convolution: those of the correlation in reverse.
    ///
    /// # Errors
    ///
    /// Those of [`correlation`](Self::correlation).
    pub fn convolution(shape: Shape, numbers: &[f32]) -> Result<Weights> {
        let mut weights = Weights::correlation(shape, numbers)?;
        weights.numbers.reverse();
        weights.centre = [(shape.rows - 1) / 2, (shape.cols - 1) / 2];
        Ok(weights)
    }

    /// Returns the shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    pub(super) fn centre(&self) -> [usize; 2] {
        self.centre
    }

    /// Returns the sum of the magnitudes.
    pub(super) fn sum(&self) -> f64 {
        self.numbers.iter().map(|weight| f64::from(weight.abs())).sum()
    }

    /// Returns these as one column, whichever shape they had.
    pub(super) fn as_column(&self) -> Result<Weights, NoMemory> {
        let centre = [self.centre[0].max(self.centre[1]), 0];
        let shape = Shape::new(self.numbers.len(), 1);
        Ok(Weights { shape, centre, numbers: memory::copied(&self.numbers)? })
    }

    /// Returns these as one row.
    pub(super) fn as_row(&self) -> Result<Weights, NoMemory> {
        let centre = [0, self.centre[0].max(self.centre[1])];
        let shape = Shape::new(1, self.numbers.len());
        Ok(Weights { shape, centre, numbers: memory::copied(&self.numbers)? })
    }
}
