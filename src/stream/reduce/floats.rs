//! Reductions of textures of floats.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::gl::{AnyTexture, Class, Context, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::{Extent, Rectangle};

use super::super::{Error, Geometry, Kernel};
use super::plan::{Factor, stages};

/// Reduces textures of floats to one number, or to one for each channel: use it for residuals, checks and
/// statistics without reading a whole texture back. Kernels and textures for partial results are made
/// when first needed and kept, so that repeating a reduction allocates nothing.
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
    factor: Factor,
    reads: Reads,
    /// The number of texels at and below which the host takes over.
    host_threshold: usize,
    kernels: RefCell<HashMap<Key, Kernel>>,
    partials: RefCell<HashMap<Extent, Vec<Texture<[f32; 4]>>>>,
}

/// What tells one kernel from another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    map: Map,
    combine: Combine,
    channels: usize,
    ragged: bool,
}

/// What happens to each number before it is combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Map {
    Same,
    Magnitude,
    Square,
    Product,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Combine {
    Sum,
    Min,
    Max,
}

/// Reading so few texels back takes no longer than another pass.
const HOST_THRESHOLD: usize = 2048;

impl Combine {
    /// Combines the partial results of the device.
    fn all(self, values: impl Iterator<Item = f64>) -> f64 {
        let keep = |a: f64, b: f64, better: bool| if a.is_nan() || better { a } else { b };
        match self {
            Combine::Sum => values.sum(),
            Combine::Min => values.fold(f64::INFINITY, |a, b| keep(a, b, a < b)),
            Combine::Max => values.fold(f64::NEG_INFINITY, |a, b| keep(a, b, a > b)),
        }
    }
}

impl Map {
    fn name(self) -> &'static str {
        match self {
            Map::Same => "MAP_SAME",
            Map::Magnitude => "MAP_MAGNITUDE",
            Map::Square => "MAP_SQUARE",
            Map::Product => "MAP_PRODUCT",
        }
    }
}

impl Combine {
    fn name(self) -> &'static str {
        match self {
            Combine::Sum => "COMBINE_SUM",
            Combine::Min => "COMBINE_MIN",
            Combine::Max => "COMBINE_MAX",
        }
    }
}

/// Every shader of this module in every variant; of the folds, which only end loops, the extremes.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for factor in [Factor::By2, Factor::By16] {
        for map in [Map::Same, Map::Magnitude, Map::Square, Map::Product] {
            for combine in [Combine::Sum, Combine::Min, Combine::Max] {
                for (channels, ragged) in [(1, false), (2, true), (4, false), (4, true)] {
                    sources.push(Key { map, combine, channels, ragged }.source(factor)?);
                }
            }
        }
    }
    Ok(sources)
}

impl Key {
    fn source(self, factor: Factor) -> Result<Source, Error> {
        let number = match self.channels {
            1 => "NUMBER_FLOAT",
            2 => "NUMBER_VEC2",
            _ => "NUMBER_VEC4",
        };
        let mut source = Source::library(Stage::Fragment, "reduce/fold.frag")?
            .define("FOLD_X", factor.sides().0)
            .define("FOLD_Y", factor.sides().1)
            .define(self.map.name(), 1)
            .define(self.combine.name(), 1)
            .define(number, 1);
        if self.ragged {
            source = source.define("RAGGED", 1);
        }
        Ok(source)
    }
}

impl Reducer {
    /// A reducer with the factor and the way of reading that were measured to be fast on such a device
    /// (docs/measured.md). Folds of 8 x 16 give a software renderer several tiles to share among its threads.
    pub fn new(context: &Context) -> Reducer {
        let abilities = context.abilities();
        let factor = if abilities.software { Factor::By8x16 } else { Factor::By16 };
        Reducer::with(context, factor, abilities.reads())
    }

    /// A reducer with a chosen factor and way of reading.
    pub fn with(context: &Context, factor: Factor, reads: Reads) -> Reducer {
        let (kernels, partials) = Default::default();
        Reducer {
            context: context.clone(),
            factor,
            reads,
            host_threshold: HOST_THRESHOLD,
            kernels,
            partials,
        }
    }

    /// Sets the number of texels at and below which the host adds up the rest; with 1 the device does all
    /// the work.
    pub fn host_threshold(self, texels: usize) -> Reducer {
        Reducer { host_threshold: texels, ..self }
    }

    /// The texels that each stage folds into one.
    pub fn factor(&self) -> Factor {
        self.factor
    }

    /// The sum of all values, of every channel.
    ///
    /// The error is at most [`error_bound`](super::error_bound)`(extent, factor)` times the sum of the magnitudes. Within a stage
    /// the device adds each row from left to right and then the rows, in 32-bit floats; the host adds the
    /// partial results and then the channels in f64, and rounds nothing to f32. NaN if a value is NaN.
    ///
    /// # Errors
    ///
    /// [`Error::ReductionOfIntegers`] for a texture of integers, and errors of the device.
    pub fn sum(&self, x: &dyn AnyTexture) -> Result<f64, Error> {
        self.reduce(Map::Same, Combine::Sum, x, None)
    }

    /// The dot product: the sum of `x_i * y_i`.
    ///
    /// The error is at most [`error_bound`](super::error_bound)`(extent, factor)` times the sum of `|x_i * y_i|`; the order of
    /// summation is that of [`sum`](Self::sum). NaN if a value is NaN.
    ///
    /// # Errors
    ///
    /// [`Error::ReductionOperands`] if the extents or formats of `x` and `y` differ, and those of
    /// [`sum`](Self::sum).
    pub fn dot(&self, x: &dyn AnyTexture, y: &dyn AnyTexture) -> Result<f64, Error> {
        self.reduce(Map::Product, Combine::Sum, x, Some(y))
    }

    /// The 2-norm: the square root of the sum of squares, of every channel.
    ///
    /// The relative error is at most [`error_bound`](super::error_bound)`(extent, factor)`, and to first order half of it; the order
    /// of summation is that of [`sum`](Self::sum). Infinite where a square or a partial sum overflows a
    /// 32-bit float, that is, for values from about 1.8e19; devices may take squares below 1.2e-38 for 0. NaN if
    /// a value is NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn norm(&self, x: &dyn AnyTexture) -> Result<f64, Error> {
        Ok(self.reduce(Map::Square, Combine::Sum, x, None)?.sqrt())
    }

    /// The 2-norm of each channel, as [`norm`](Self::norm).
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn norms(&self, x: &dyn AnyTexture) -> Result<Vec<f64>, Error> {
        let sums = self.by_channel(Map::Square, Combine::Sum, x, None)?;
        Ok(sums.into_iter().map(f64::sqrt).collect())
    }

    /// The largest magnitude, exactly. NaN if a value is NaN, on devices that keep NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn max_abs(&self, x: &dyn AnyTexture) -> Result<f64, Error> {
        self.reduce(Map::Magnitude, Combine::Max, x, None)
    }

    /// The largest magnitude of each channel, as [`max_abs`](Self::max_abs).
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn magnitudes(&self, x: &dyn AnyTexture) -> Result<Vec<f64>, Error> {
        self.by_channel(Map::Magnitude, Combine::Max, x, None)
    }

    /// The minimum, exactly. NaN if a value is NaN, on devices that keep NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn min(&self, x: &dyn AnyTexture) -> Result<f64, Error> {
        self.reduce(Map::Same, Combine::Min, x, None)
    }

    /// The maximum, exactly. NaN if a value is NaN, on devices that keep NaN.
    ///
    /// # Errors
    ///
    /// Those of [`sum`](Self::sum).
    pub fn max(&self, x: &dyn AnyTexture) -> Result<f64, Error> {
        self.reduce(Map::Same, Combine::Max, x, None)
    }

    fn reduce(
        &self,
        map: Map,
        combine: Combine,
        x: &dyn AnyTexture,
        y: Option<&dyn AnyTexture>,
    ) -> Result<f64, Error> {
        Ok(combine.all(self.by_channel(map, combine, x, y)?.into_iter()))
    }

    fn by_channel(
        &self,
        map: Map,
        combine: Combine,
        x: &dyn AnyTexture,
        y: Option<&dyn AnyTexture>,
    ) -> Result<Vec<f64>, Error> {
        check(x, y)?;
        let channels = x.format().channels;
        let mut room = self.partials.borrow_mut();
        let partials = match room.entry(x.extent()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let extents = stages(x.extent(), self.factor, self.host_threshold);
                let made = extents.iter().map(|extent| self.context.uninit(*extent));
                entry.insert(made.collect::<Result<_, _>>()?)
            }
        };
        let mut done: &mut [Texture<[f32; 4]>] = partials;
        let mut last: Option<&Texture<[f32; 4]>> = None;
        while let Some((target, rest)) = done.split_first_mut() {
            match last {
                None => self.stage(Key { map, combine, channels, ragged: false }, x, y, target)?,
                Some(source) => {
                    let key = Key { map: Map::Same, combine, channels, ragged: false };
                    self.stage(key, source, None, target)?;
                }
            }
            last = Some(target);
            done = rest;
        }
        let texels = last.map(|texture| texture.read()).transpose()?.unwrap_or_default();
        let channel = |i: usize| {
            combine.all(texels.iter().filter_map(|texel| texel.get(i)).copied().map(f64::from))
        };
        Ok((0..channels).map(channel).collect())
    }

    /// One stage: most texels without a test, and those that would read past the edge with one.
    fn stage(
        &self,
        key: Key,
        x: &dyn AnyTexture,
        y: Option<&dyn AnyTexture>,
        target: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let (wide, high) = self.factor.sides();
        let (from, to) = (x.extent(), target.extent());
        let whole =
            Extent::new(whole(wide, from.width, to.width), whole(high, from.height, to.height));
        let parts = [
            (false, whole.rectangle()),
            (true, Rectangle::new(whole.width, 0, to.width - whole.width, to.height)),
            (true, Rectangle::new(0, whole.height, whole.width, to.height - whole.height)),
        ];
        for (ragged, part) in parts {
            if part.texels() > 0 {
                self.draw(Key { ragged, ..key }, x, y, Geometry::Rectangle(part), target)?;
            }
        }
        Ok(())
    }

    fn draw(
        &self,
        key: Key,
        x: &dyn AnyTexture,
        y: Option<&dyn AnyTexture>,
        geometry: Geometry<'_>,
        target: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let to = target.extent();
        let stride = [to.width as f32, to.height as f32];
        let mut kernels = self.kernels.borrow_mut();
        let kernel = match kernels.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let fragment = key.source(self.factor)?;
                entry.insert(Kernel::from_fragment(&self.context, &fragment, self.reads)?)
            }
        };
        let pass = kernel.pass().input("x", x).uniform("stride", stride).over(geometry);
        match y {
            Some(y) => pass.input("y", y).draw(target),
            None => pass.draw(target),
        }
    }
}

/// How many targets along one side find all `side` of their texels, `to` apart, inside `from`.
fn whole(side: u32, from: u32, to: u32) -> u32 {
    from.saturating_sub((side - 1) * to).min(to)
}

/// Only floats, and two of one shape.
fn check(x: &dyn AnyTexture, y: Option<&dyn AnyTexture>) -> Result<(), Error> {
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
