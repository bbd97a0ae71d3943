//! Histograms: how many numbers are in each bin, or the sums of their weights.
//!
//! **Compute shaders** count in the shared memory of each work group, and add what they counted.
//! **Fragments** sort the bins of the numbers, and search where each begins; sums of weights are made
//! so on both engines: weights are sorted by their bins, and scanned in segments.
//!
//! Counts are exact. A sum is off by at most [`Histogram::error_bound`] times the sum of the
//! magnitudes in its bin.

mod bins;
mod dispatched;
mod drawn;

use crate::gl::{Context, must_fit};
use crate::grid::DeviceVector;
use crate::shader::Source;
use crate::stream::{Engine, Result};

use super::kit::compute_if_any;
use super::number::Number;

use bins::Bins;
pub use bins::MOST_BINS;
use dispatched::AtomicHistogram;
use drawn::SortedHistogram;

/// Counts numbers of vectors of one context.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::Histogram};
/// let context = Context::headless()?;
/// let x = DeviceVector::from_host(&context, &[3_u32, 1, 3, 9])?;
/// let counts = Histogram::<u32>::of_numbers(&context, 4)?.of(&x)?;
/// assert_eq!(counts.read()?, [0, 1, 0, 2]); // 9 is in no bin
///
/// let x = DeviceVector::from_host(&context, &[0.1_f32, 0.5, 0.9, 1.0, -1.0])?;
/// let weights = DeviceVector::from_host(&context, &[1.0, 2.0, 3.0, 4.0, 5.0])?;
/// let halves = Histogram::between(&context, 2, 0.0, 1.0)?;
/// assert_eq!(halves.of(&x)?.read()?, [1, 3]);
/// assert_eq!(halves.weighted(&x, &weights)?.read()?, [1.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Histogram<T: Number = f32> {
    bins: Bins,
    counts: Counts<T>,
    sums: SortedHistogram<T>,
}

enum Counts<T: Number> {
    Sorted,
    Atomic(Box<AtomicHistogram<T>>),
}

impl Histogram<f32> {
    /// Creates the histogram of equal bins from `low` to `high`, by compute shaders where the
    /// context has them, software renderers included. A bin has its lower edge, and the last its upper
    /// too; numbers elsewhere, and NaN, are in none. The edges are low + (high - low) i / bins, rounded to single precision.
    ///
    /// # Errors
    ///
    /// [`data::ArrayError::Bins`](crate::data::ArrayError::Bins) for none or more than [`MOST_BINS`],
    /// [`data::ArrayError::Range`](crate::data::ArrayError::Range) for a range that has no such bins, and limits
    /// of the device.
    pub fn between(context: &Context, bins: usize, low: f32, high: f32) -> Result<Histogram<f32>> {
        Histogram::new(context, None, Bins::between(context, bins, low, high)?)
    }

    /// Creates such a histogram on this engine.
    ///
    /// # Errors
    ///
    /// Those of [`between`](Self::between), and
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks the engine.
    pub fn between_on(
        context: &Context,
        engine: Engine,
        bins: usize,
        low: f32,
        high: f32,
    ) -> Result<Histogram<f32>> {
        Histogram::new(context, Some(engine), Bins::between(context, bins, low, high)?)
    }
}

macro_rules! of_numbers {
    ($($number:ty)*) => { $(
        impl Histogram<$number> {
            /// Creates the histogram in which each bin counts one number, from 0 on, by compute
            /// shaders where the context has them, software renderers included. Other numbers are in
            /// no bin.
            ///
            /// # Errors
            ///
            /// [`data::ArrayError::Bins`](crate::data::ArrayError::Bins) for none or more than [`MOST_BINS`],
            /// and limits of the device.
            pub fn of_numbers(context: &Context, bins: usize) -> Result<Self> {
                Histogram::new(context, None, Bins::of_numbers(bins)?)
            }

            /// Creates such a histogram on this engine.
            ///
            /// # Errors
            ///
            /// Those of [`of_numbers`](Self::of_numbers), and
            /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks the
            /// engine.
            pub fn of_numbers_on(
                context: &Context,
                engine: Engine,
                bins: usize,
            ) -> Result<Self> {
                Histogram::new(context, Some(engine), Bins::of_numbers(bins)?)
            }
        }
    )* };
}

of_numbers!(u32 i32);

impl<T: Number> Histogram<T> {
    fn new(context: &Context, chosen: Option<Engine>, bins: Bins) -> Result<Histogram<T>> {
        let engine = chosen.unwrap_or_else(|| compute_if_any(context));
        engine.must_run_on(context, "a histogram by compute shaders")?;
        let counts = match engine {
            Engine::Fragment => Counts::Sorted,
            Engine::Compute => {
                Counts::Atomic(Box::new(AtomicHistogram::new(context, bins.has_range())?))
            }
        };
        let sums = SortedHistogram::new(context, chosen, &bins)?;
        Ok(Histogram { bins, counts, sums })
    }

    /// Returns how many numbers are in each bin.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for more numbers than 32 bits count, or by
    /// fragments than can be sorted ([`Sort::keys`](super::Sort::keys)), and errors of the device.
    pub fn of(&self, x: &DeviceVector<T>) -> Result<DeviceVector<u32>> {
        let (limit, remedy) = (u32::MAX as usize, "add the histograms of parts");
        must_fit("a histogram", (x.len(), "numbers"), limit, remedy)?;
        match &self.counts {
            Counts::Sorted => self.sums.counts(&self.bins, x),
            Counts::Atomic(histogram) => histogram.run(&self.bins, x),
        }
    }

    /// Returns the sum of the weights of the numbers in each bin.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the lengths differ,
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for more numbers than one texture holds,
    /// and errors of the device.
    pub fn weighted(&self, x: &DeviceVector<T>, weights: &DeviceVector) -> Result<DeviceVector> {
        weights.must_have(x.len(), "a histogram: the weights")?;
        self.sums.weighted(&self.bins, x, weights)
    }

    /// Returns a bound on the error of a sum of weights, of vectors of this length: the sum of the
    /// magnitudes in its bin, times this.
    pub fn error_bound(&self, length: usize) -> f64 {
        self.sums.error_bound(length)
    }

    /// Returns the edges of the bins, one more than there are, if they are those of a range.
    pub fn edges(&self) -> Option<&[f32]> {
        self.bins.edges()
    }
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = drawn::sources()?;
    sources.extend(of_number::<f32>(true)?);
    sources.extend(of_number::<u32>(false)?);
    sources.extend(of_number::<i32>(false)?);
    Ok(sources)
}

fn of_number<T: Number>(range: bool) -> Result<[Source; 2]> {
    Ok([drawn::bins::<T>(range)?, dispatched::source::<T>(range, dispatched::ROOM)?])
}

impl<T: Number> std::fmt::Debug for Histogram<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let engine = match &self.counts {
            Counts::Sorted => Engine::Fragment,
            Counts::Atomic(_) => Engine::Compute,
        };
        write!(f, "Histogram<{}>({} bins, {engine})", T::GLSL, self.bins.count())
    }
}
