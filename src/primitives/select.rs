//! Selection: the numbers of a vector for which a predicate holds, in their order; or all, those
//! first (Horn, "Stream Reduction Operations for GPGPU Applications", 2005).
//!
//! What is kept is counted in parts of the vector, and the counts scanned: how many that are kept
//! stand before each part. Compute shaders then write each number to its place. Fragments cannot,
//! and each place of the result searches for its part, and in it for its number.

mod dispatched;

use crate::gl::{Context, must_be, must_fit};
use crate::grid::DeviceVector;
use crate::shader::Source;
use crate::stream::{Engine, Result};

use super::kit::parts::{self, Class, Parted, Parts, Starts};
use super::number::Number;

use dispatched::ScatterSelect;

/// Selects numbers of vectors of one context by a predicate, on one engine.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::Select};
/// let context = Context::headless()?;
/// let x = DeviceVector::from_host(&context, &[3_i32, -1, 4, -1, -5, 9])?;
/// let positive = Select::by(&context, "x > 0")?;
/// assert_eq!(positive.of(&x)?.read()?, [3, 4, 9]);
/// let (parted, count) = positive.partition(&x)?;
/// assert_eq!((parted.read()?, count), (vec![3, 4, 9, -1, -1, -5], 3));
///
/// let masked = Select::masked(&context)?;
/// let mask = DeviceVector::from_host(&context, &[0_u32, 1, 0, 1, 1, 0])?;
/// assert_eq!(masked.of_masked(&x, &mask)?.read()?, [-1, -1, -5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Select<T: Number = f32> {
    context: Context,
    algorithm: Algorithm<T>,
    takes_mask: bool,
}

enum Algorithm<T: Number> {
    Gather(Box<Parts<T>>),
    Scatter(Box<ScatterSelect<T>>),
}

impl<T: Number> Select<T> {
    /// Compiles a predicate, an expression in GLSL of a number `x`, for the engine that is usually
    /// the fastest ([`Engine::default_for`]).
    ///
    /// # Errors
    ///
    /// [`Error::Compile`](crate::stream::Error::Compile) with the line and column of the predicate, and limits of the device.
    pub fn by(context: &Context, predicate: &str) -> Result<Select<T>> {
        Select::on(context, Engine::default_for(context), predicate)
    }

    /// Compiles a predicate for this engine.
    ///
    /// # Errors
    ///
    /// Those of [`by`](Self::by), and [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if
    /// the context lacks the engine.
    pub fn on(context: &Context, engine: Engine, predicate: &str) -> Result<Select<T>> {
        Select::new(context, engine, predicate, false)
    }

    /// Keeps the numbers whose mask is not 0.
    ///
    /// # Errors
    ///
    /// Limits of the device.
    pub fn masked(context: &Context) -> Result<Select<T>> {
        Select::masked_on(context, Engine::default_for(context))
    }

    /// Keeps the numbers whose mask is not 0, on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn masked_on(context: &Context, engine: Engine) -> Result<Select<T>> {
        Select::new(context, engine, "mask != 0u", true)
    }

    fn new(
        context: &Context,
        engine: Engine,
        predicate: &str,
        takes_mask: bool,
    ) -> Result<Select<T>> {
        engine.must_run_on(context, "a selection by compute shaders")?;
        let class = Class::Predicate { text: predicate.to_owned(), masked: takes_mask };
        let algorithm = match engine {
            Engine::Fragment => Algorithm::Gather(Box::new(Parts::new(context, class)?)),
            Engine::Compute => Algorithm::Scatter(Box::new(ScatterSelect::new(context, class)?)),
        };
        Ok(Select { context: context.clone(), algorithm, takes_mask })
    }

    /// Returns the numbers for which the predicate holds, in their order.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for more numbers than 32 bits count,
    /// [`gl::Error::Length`](crate::gl::Error::Length) for a selection by a mask without one, and
    /// errors of the device.
    pub fn of(&self, x: &DeviceVector<T>) -> Result<DeviceVector<T>> {
        Ok(self.parted(x, None, false)?.0)
    }

    /// Returns the numbers whose mask is not 0, in their order.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Self::of); the lengths are equal.
    pub fn of_masked(
        &self,
        x: &DeviceVector<T>,
        mask: &DeviceVector<u32>,
    ) -> Result<DeviceVector<T>> {
        Ok(self.parted(x, Some(mask), false)?.0)
    }

    /// Returns all numbers, those for which the predicate holds before the others, each part in its
    /// order; and how many the first part has.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Self::of).
    pub fn partition(&self, x: &DeviceVector<T>) -> Result<(DeviceVector<T>, usize)> {
        self.parted(x, None, true)
    }

    /// Returns what is kept, with `all` before the rest, and how many are kept.
    fn parted(
        &self,
        x: &DeviceVector<T>,
        mask: Option<&DeviceVector<u32>>,
        all: bool,
    ) -> Result<(DeviceVector<T>, usize)> {
        self.must_suit(x.len(), mask.map(DeviceVector::len))?;
        match &self.algorithm {
            Algorithm::Gather(parts) => {
                let from = Parted { numbers: x, mask, values: None, digit: 0 };
                let mut starts = Starts::uninit(&self.context, x.len(), if all { 2 } else { 1 })?;
                parts.count(from, &mut starts)?;
                let kept = if x.is_empty() { 0 } else { starts.of_class_0()? as usize };
                let length = if all { x.len() } else { kept };
                let mut result = DeviceVector::uninit(&self.context, length)?;
                parts.gather(from, &starts, &mut result, None)?;
                Ok((result, kept))
            }
            Algorithm::Scatter(scatter) => scatter.run(x, mask, all),
        }
    }

    fn must_suit(&self, length: usize, mask: Option<usize>) -> Result<()> {
        // So that places and counts have room in 32 bits, and counts in one texture.
        let room = DeviceVector::<u32>::room_of_panel(&self.context);
        let limit = parts::most(room).min(u32::MAX as usize);
        let remedy = "select from parts of the vector";
        must_fit("a selection", (length, "numbers"), limit, remedy)?;
        let expected = if self.takes_mask { length } else { 0 };
        Ok(must_be(expected, mask.unwrap_or(0), "a selection: the mask")?)
    }
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    Ok([of_number::<f32>()?, of_number::<i32>()?, of_number::<u32>()?].concat())
}

fn of_number<T: Number>() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for masked in [false, true] {
        let class = Class::Predicate { text: "true".to_owned(), masked };
        sources.extend(parts::sources::<T>(&class)?);
        sources.extend(dispatched::sources::<T>(&class)?);
    }
    Ok(sources)
}

impl<T: Number> std::fmt::Debug for Select<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let engine = match &self.algorithm {
            Algorithm::Gather(_) => Engine::Fragment,
            Algorithm::Scatter(_) => Engine::Compute,
        };
        write!(f, "Select<{}>({engine})", T::GLSL)
    }
}
