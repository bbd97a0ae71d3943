//! Reductions of textures of floats.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::gl::{AnyTexture, Class, Context, Texture};
use crate::shader::Reads;
use crate::{Extent, Rectangle};

use super::super::{Engine, Error, Result};
use super::plan::{Factor, dispatched_chain, drawn_chain, gamma};
use super::stage::{Combine, FoldMethod, KernelCache, Key, Map, Operands};

/// Reduces textures of floats to one number, or to one for each channel: use it for residuals,
/// checks and statistics without reading a whole texture back. Kernels and textures for partial
/// results are made when first needed and kept, so that repeating a reduction allocates nothing.
///
/// ```
/// use quadrille::{Context, Extent, stream::reduce::{Reducer, error_bound}};
/// let context = Context::headless()?;
/// let extent = Extent::new(100, 100);
/// let x = context.texture(extent, &vec![0.1_f32; 10_000])?;
/// let reducer = Reducer::new(&context);
/// let exact = 10_000.0 * f64::from(0.1_f32);
/// assert!((reducer.sum(&x)? - exact).abs() <= error_bound(extent, reducer.factor()) * exact);
/// assert_eq!(reducer.max(&x)?, f64::from(0.1_f32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reducer {
    context: Context,
    method: FoldMethod,
    /// The number of texels at and below which the host takes over.
    host_threshold: usize,
    kernels: KernelCache,
    partials: RefCell<Partials>,
}

/// Textures for the results of stages, by the extent that is reduced and the number of texels that
/// the host reads: 0 where the last stage writes elsewhere.
type Partials = HashMap<(Extent, usize), Vec<Texture<[f32; 4]>>>;

/// Reading this many texels back takes no longer than another pass.
const HOST_THRESHOLD: usize = 2048;
/// The square of the scale of large numbers in `glsl/include/fold.glsl`, by which their sum of
/// squares is too small.
const SCALE: f64 = (1_u128 << 88) as f64 * (1_u128 << 88) as f64;

/// A sum that can stay on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sum {
    /// The sum of the numbers.
    Numbers,
    /// The sum of their magnitudes.
    Magnitudes,
    /// The sum of the products of two textures' numbers.
    Products,
    /// The sum of squares, in three parts: see [`Reducer::scaled_squares`].
    ScaledSquares,
}

impl Reducer {
    /// Creates a reducer by the method that was tuned for this device
    /// ([`choice`](super::super::choice)), else with the engine, the factor and the way of reading
    /// that were measured to be fast on such a device (docs/measured.md).
    pub fn new(context: &Context) -> Reducer {
        let method = FoldMethod::tuned(context);
        Reducer::by_method(
            context,
            method.unwrap_or_else(|| FoldMethod::usual(context, Engine::default_for(context))),
        )
    }

    /// Creates a reducer on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn on(context: &Context, engine: Engine) -> Result<Reducer> {
        engine.must_run_on(context, "a reduction by compute shaders")?;
        let tuned = FoldMethod::tuned(context).filter(|method| method.engine() == engine);
        Ok(Reducer::by_method(context, tuned.unwrap_or_else(|| FoldMethod::usual(context, engine))))
    }

    /// Creates a reducer by fragments, with a chosen factor and way of reading.
    pub fn with(context: &Context, factor: Factor, reads: Reads) -> Reducer {
        Reducer::by_method(context, FoldMethod::Fragments { factor, reads })
    }

    fn by_method(context: &Context, method: FoldMethod) -> Reducer {
        let (kernels, partials) = Default::default();
        let context = context.clone();
        Reducer { context, method, host_threshold: HOST_THRESHOLD, kernels, partials }
    }

    /// Sets the number of texels at and below which the host adds up the rest; with 1 the device
    /// does all the work.
    pub fn host_threshold(self, texels: usize) -> Reducer {
        Reducer { host_threshold: texels, ..self }
    }

    /// Returns the engine that folds.
    pub fn engine(&self) -> Engine {
        self.method.engine()
    }

    /// Returns the method of folding as text, as a tuned choice is stored.
    #[doc(hidden)]
    pub fn choice(&self) -> String {
        self.method.to_string()
    }

    /// Texts of tuned choices that this context can run, the usual ones of the engines first.
    #[doc(hidden)]
    pub fn choices(context: &Context) -> Vec<String> {
        FoldMethod::all(context).iter().map(ToString::to_string).collect()
    }

    /// Returns the texels that each stage folds into one; on the compute engine the factor whose
    /// [`error_bound`](super::error_bound) holds there too, for textures of up to 8192 texels a
    /// side.
    pub fn factor(&self) -> Factor {
        match self.method {
            FoldMethod::Fragments { factor, .. } => factor,
            FoldMethod::Groups { .. } => Factor::By16,
        }
    }

    /// Returns a bound on the error of a sum over a texture of this extent, as
    /// [`error_bound`](super::error_bound), for this reducer's engine; `more` roundings follow on
    /// the device.
    pub(crate) fn bound(&self, extent: Extent, more: usize) -> f64 {
        let chain = match self.method {
            FoldMethod::Fragments { factor, .. } => drawn_chain(extent, factor),
            FoldMethod::Groups(groups) => dispatched_chain(extent, groups),
        };
        gamma(chain + more as f64)
    }

    /// Returns the sum of all values, of every channel.
    ///
    /// The error is at most [`error_bound`](super::error_bound)`(extent, factor)` times the sum of
    /// the magnitudes. Within a stage the device adds each row, from left to right or by pairs, and
    /// then the rows, in 32-bit floats; the host adds the partial results and then the channels in
    /// f64, and rounds nothing to f32. NaN if a value is NaN.
    ///
    /// # Errors
    ///
    /// [`Error::ReductionOfIntegers`] for a texture of integers, and errors of the device.
    pub fn sum(&self, x: &dyn AnyTexture) -> Result<f64> {
        self.reduce(Map::Same, Combine::Sum, Operands::all(x, None))
    }

    /// Returns the dot product: the sum of `x_i * y_i`.
    ///
    /// The error is at most [`error_bound`](super::error_bound)`(extent, factor)` times the sum of
    /// `|x_i * y_i|`; the order of summation is that of [`sum`](Self::sum). NaN if a value is NaN.
    ///
    /// # Errors
    ///
    /// [`Error::ReductionOperands`] if the extents or formats of `x` and `y` differ, and those of
    /// [`sum`](Self::sum).
    pub fn dot(&self, x: &dyn AnyTexture, y: &dyn AnyTexture) -> Result<f64> {
        self.reduce(Map::Product, Combine::Sum, Operands::all(x, Some(y)))
    }

    /// Returns the 2-norm: the square root of the sum of squares, of every channel.
    ///
    /// The relative error is at most [`error_bound`](super::error_bound)`(extent, factor)`, and to
    /// first order half of it; the order of summation is that of [`sum`](Self::sum). Infinite where
    /// a square or a partial sum overflows a 32-bit float, that is, for values from about 1.8e19;
    /// devices may take squares below 1.2e-38 for 0. NaN if a value is NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn norm(&self, x: &dyn AnyTexture) -> Result<f64> {
        Ok(self.reduce(Map::Square, Combine::Sum, Operands::all(x, None))?.sqrt())
    }

    /// Returns the 2-norm of each channel, as [`norm`](Self::norm).
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn norms(&self, x: &dyn AnyTexture) -> Result<Vec<f64>> {
        Ok(self.squares_of(x, None)?.into_iter().map(f64::sqrt).collect())
    }

    /// Returns the sum of squares of each channel, of a rectangle, if not of all: the squares of
    /// [`norms`](Self::norms).
    pub(crate) fn squares_of(
        &self,
        x: &dyn AnyTexture,
        window: Option<Rectangle>,
    ) -> Result<Vec<f64>> {
        self.by_channel(Map::Square, Combine::Sum, Operands { x, y: None, window })
    }

    /// Returns the sum of magnitudes, of every channel.
    ///
    /// The relative error is at most [`error_bound`](super::error_bound)`(extent, factor)`; the
    /// order of summation is that of [`sum`](Self::sum). NaN if a value is NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn sum_abs(&self, x: &dyn AnyTexture) -> Result<f64> {
        self.reduce(Map::Magnitude, Combine::Sum, Operands::all(x, None))
    }

    /// Returns the sum of squares as f64, of which none overflows or underflows: they are summed in
    /// three scales (`glsl/include/fold.glsl`).
    pub(crate) fn scaled_squares(&self, x: &Texture<[f32; 4]>) -> Result<f64> {
        self.scaled_squares_of(x, None)
    }

    /// Returns the dot product of a rectangle of two textures, if not of all.
    pub(crate) fn dot_of(
        &self,
        x: &Texture<[f32; 4]>,
        y: &Texture<[f32; 4]>,
        window: Option<Rectangle>,
    ) -> Result<f64> {
        self.reduce(Map::Product, Combine::Sum, Operands { x, y: Some(y), window })
    }

    /// Returns the sum of squares of a rectangle of the texture, or of all of it: see
    /// [`scaled_squares`](Self::scaled_squares).
    pub(crate) fn scaled_squares_of(
        &self,
        x: &Texture<[f32; 4]>,
        window: Option<Rectangle>,
    ) -> Result<f64> {
        let from = Operands { x, y: None, window };
        let sums = self.by_channel(Map::ScaledSquares, Combine::Sum, from)?;
        let scales = [SCALE, 1.0, 1.0 / SCALE];
        Ok(sums.iter().zip(scales).map(|(sum, scale)| sum * scale).sum())
    }

    /// Leaves a sum on the device, in the channels of one texel: of a rectangle of the textures, if
    /// not of all. Nothing is read back.
    pub(crate) fn leave(
        &self,
        sum: Sum,
        x: &Texture<[f32; 4]>,
        y: Option<&Texture<[f32; 4]>>,
        window: Option<Rectangle>,
        out: &mut Texture<[f32; 4]>,
    ) -> Result<()> {
        let map = match sum {
            Sum::Numbers => Map::Same,
            Sum::Magnitudes => Map::Magnitude,
            Sum::Products => Map::Product,
            Sum::ScaledSquares => Map::ScaledSquares,
        };
        let from = Operands { x, y: y.map(|y| y as &dyn AnyTexture), window };
        let mut extents = self.method.stages(from.extent(), 1);
        extents.pop();
        let mut partials = self.partials.borrow_mut();
        let partials = self.room(&mut partials, (from.extent(), 0), &extents)?;
        let key = Key::new(map, Combine::Sum, 4);
        self.fold(key, from, partials.iter_mut().chain([out])).map(drop)
    }

    /// Returns the largest magnitude, exactly. NaN if a value is NaN, on devices that keep NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn max_abs(&self, x: &dyn AnyTexture) -> Result<f64> {
        self.reduce(Map::Magnitude, Combine::Max, Operands::all(x, None))
    }

    /// Returns the largest magnitude of each channel, as [`max_abs`](Self::max_abs).
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn magnitudes(&self, x: &dyn AnyTexture) -> Result<Vec<f64>> {
        self.magnitudes_of(x, None)
    }

    /// Returns the largest magnitude of each channel, of a rectangle, if not of all.
    pub(crate) fn magnitudes_of(
        &self,
        x: &dyn AnyTexture,
        window: Option<Rectangle>,
    ) -> Result<Vec<f64>> {
        self.by_channel(Map::Magnitude, Combine::Max, Operands { x, y: None, window })
    }

    /// Returns the minimum, exactly. NaN if a value is NaN, on devices that keep NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn min(&self, x: &dyn AnyTexture) -> Result<f64> {
        self.reduce(Map::Same, Combine::Min, Operands::all(x, None))
    }

    /// Returns the maximum, exactly. NaN if a value is NaN, on devices that keep NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn max(&self, x: &dyn AnyTexture) -> Result<f64> {
        self.reduce(Map::Same, Combine::Max, Operands::all(x, None))
    }

    /// Returns the least or the greatest number of each channel, of a rectangle.
    pub(crate) fn extremes_of(
        &self,
        x: &dyn AnyTexture,
        greatest: bool,
        window: Rectangle,
    ) -> Result<Vec<f64>> {
        let combine = if greatest { Combine::Max } else { Combine::Min };
        self.by_channel(Map::Same, combine, Operands { x, y: None, window: Some(window) })
    }

    fn reduce(&self, map: Map, combine: Combine, from: Operands<'_>) -> Result<f64> {
        let channels = self.by_channel(map, combine, from)?.into_iter();
        let [all] = combine.all(channels.map(|channel| [channel]));
        Ok(all)
    }

    fn by_channel(&self, map: Map, combine: Combine, from: Operands<'_>) -> Result<Vec<f64>> {
        check(from.x, from.y)?;
        let channels = from.x.format().channels;
        let (key, extent) = (Key::new(map, combine, channels), from.extent());
        let extents = self.method.stages(extent, self.host_threshold);
        let all = |texels: &[[f32; 4]]| {
            let totals = combine.all(texels.iter().map(|texel| texel.map(f64::from)));
            totals.into_iter().take(channels).collect()
        };
        if let (FoldMethod::Groups(groups), [number]) = (self.method, extents.as_slice())
            && self.context.abilities().mapped_buffers
        {
            let mut results = self.context.staging(number.texels())?;
            self.kernels.to_host(&self.context, groups, key, from, &mut results)?;
            return Ok(all(results.as_slice()?));
        }
        let mut partials = self.partials.borrow_mut();
        let partials = self.room(&mut partials, (extent, self.host_threshold), &extents)?;
        let last = self.fold(key, from, partials.iter_mut())?;
        Ok(all(&last.map(Texture::read).transpose()?.unwrap_or_default()))
    }

    /// Textures for the results of stages, made when they are first needed.
    fn room<'a>(
        &self,
        partials: &'a mut Partials,
        key: (Extent, usize),
        extents: &[Extent],
    ) -> Result<&'a mut Vec<Texture<[f32; 4]>>> {
        Ok(match partials.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let made = extents.iter().map(|extent| self.context.uninit(*extent));
                entry.insert(made.collect::<Result<_, _>>()?)
            }
        })
    }

    /// Runs stages, each of which reads what the one before it wrote, and returns the last target.
    fn fold<'a>(
        &self,
        mut key: Key,
        operands: Operands<'_>,
        targets: impl Iterator<Item = &'a mut Texture<[f32; 4]>>,
    ) -> Result<Option<&'a Texture<[f32; 4]>>> {
        let mut last: Option<&'a Texture<[f32; 4]>> = None;
        for target in targets {
            let from = last.map_or(operands, |x| Operands::all(x, None));
            self.kernels.stage(&self.context, self.method, key, from, target)?;
            last = Some(target);
            key.map = Map::Same;
        }
        Ok(last)
    }
}

/// Checks that the textures hold floats, and two of them one shape.
fn check(x: &dyn AnyTexture, y: Option<&dyn AnyTexture>) -> Result<()> {
    if x.format().class != Class::Float {
        return Err(Error::ReductionOfIntegers { format: x.format().name });
    }
    match y {
        Some(y) if y.extent() != x.extent() || y.format() != x.format() => {
            Err(Error::ReductionOperands {
                x: (x.extent(), x.format().name),
                y: (y.extent(), y.format().name),
            })
        }
        _ => Ok(()),
    }
}
