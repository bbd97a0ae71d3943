//! Primitives of the library as passes.

use quadrille::gl::Class;
use quadrille::internal::named;
use quadrille::primitives::{Border, Operation, Weights};

/// A primitive of [`quadrille::primitives`] in the place of a pass's shader. It reads the array
/// that its input `x` is, and writes its output `y`, both textures.
///
/// Each channel of the array is a vector by itself, but for Fourier transforms, whose complex
/// numbers are cells of two channels. An array must fit in one texture.
///
/// ```
/// use quadrille::{Context, data::Field, gl::Class, primitives::Operation};
/// use quadrille_run::{Along, Experiment, PassSetup, Primitive, Setup};
/// let context = Context::headless()?;
/// let sums = Primitive::Scan {
///     class: Class::Float,
///     operation: Operation::Sum,
///     exclusive: false,
///     along: Along::All,
/// };
/// let setup = Setup::new().input("x", Field::line(vec![3.0_f32, 1.0, 4.0])?);
/// let mut experiment = Experiment::from_passes(&context, [PassSetup::new("sums", sums)], setup)?;
/// experiment.step()?;
/// assert_eq!(experiment.read("sums.y")?, Field::line(vec![3.0_f32, 4.0, 8.0])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Primitive {
    /// Sums, products, minima or maxima of all numbers up to each.
    Scan {
        /// The class of the numbers.
        class: Class,
        /// What joins them.
        operation: Operation,
        /// Whether a number is left out of its own result.
        exclusive: bool,
        /// What is scanned.
        along: Along,
    },
    /// The numbers in their order: of floats -0 before 0, and NaN last.
    Sort {
        /// The class of the numbers.
        class: Class,
        /// Whether the greatest comes first.
        descending: bool,
        /// Whether the result is where the numbers were, from 0 on, in their row or column.
        places: bool,
        /// What is sorted.
        along: Along,
    },
    /// How many numbers are in each bin: a line of unsigned numbers.
    Histogram {
        /// The number of bins.
        bins: usize,
        /// The lower and the upper end of the bins of floats; without it each counts one unsigned
        /// number, from 0 on.
        range: Option<[f32; 2]>,
    },
    /// The Fourier transform of complex numbers, cells of two channels, or of real ones.
    Fft {
        /// Whether it is the inverse transform, which divides by the length.
        inverse: bool,
        /// What is transformed.
        along: Along,
    },
    /// Sums of the numbers around each, times weights.
    Convolution {
        /// The weights, as a correlation or a convolution has them.
        weights: Weights,
        /// What stands beyond the border.
        border: Border,
    },
}

/// What a primitive goes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Along {
    /// The whole array: row after row, or along both axes in a Fourier transform.
    #[default]
    All,
    /// Each row by itself.
    Rows,
    /// Each column by itself.
    Columns,
}

named!(Along: "what to go along" { All: "all", Rows: "rows", Columns: "columns" });

impl Primitive {
    /// The name of what it reads.
    pub(crate) const INPUT: &str = "x";
    /// The name of what it writes.
    pub(crate) const OUTPUT: &str = "y";

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        match self {
            Primitive::Scan { .. } => "scan",
            Primitive::Sort { .. } => "sort",
            Primitive::Histogram { .. } => "histogram",
            Primitive::Fft { .. } => "fft",
            Primitive::Convolution { .. } => "convolution",
        }
    }

    /// Returns the class of the numbers that it takes.
    pub(crate) fn takes(&self) -> Class {
        match self {
            Primitive::Scan { class, .. } | Primitive::Sort { class, .. } => *class,
            Primitive::Histogram { range: None, .. } => Class::Uint,
            _ => Class::Float,
        }
    }

    /// Returns the class of the numbers that it gives.
    pub(crate) fn gives(&self) -> Class {
        match self {
            Primitive::Sort { places: true, .. } | Primitive::Histogram { .. } => Class::Uint,
            _ => self.takes(),
        }
    }

    /// Returns the GLSL type of a cell.
    pub(crate) fn kind(class: Class, channels: usize) -> String {
        let (number, vector) = match class {
            Class::Float => ("float", "vec"),
            Class::Int => ("int", "ivec"),
            Class::Uint => ("uint", "uvec"),
        };
        if channels == 1 { number.to_owned() } else { format!("{vector}{channels}") }
    }

    /// Returns whether it takes the array column by column.
    pub(crate) fn goes_down(&self) -> bool {
        match self {
            Primitive::Scan { along, .. } | Primitive::Sort { along, .. } => {
                *along == Along::Columns
            }
            _ => false,
        }
    }
}
