//! Reductions of textures of floats.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::gl::{AnyTexture, Class, Context, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::{Extent, Rectangle};

use super::super::{Error, Geometry, Kernel};
use super::plan::{Fold, stages};

/// Reduces textures of floats. Kernels are compiled when first needed and kept, and so is the room
/// for partial results, so that repeating a reduction allocates nothing.
pub struct Reducer {
    context: Context,
    fold: Fold,
    reads: Reads,
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

impl Combine {
    /// One number from the channels of the last texel.
    fn channels(self, values: &[f32]) -> f32 {
        let nan_first = |a: f32, b: f32, better: bool| if a.is_nan() || better { a } else { b };
        match self {
            Combine::Sum => values.iter().sum(),
            Combine::Min => {
                values.iter().copied().fold(f32::INFINITY, |a, b| nan_first(a, b, a < b))
            }
            Combine::Max => {
                values.iter().copied().fold(f32::NEG_INFINITY, |a, b| nan_first(a, b, a > b))
            }
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
    for fold in [Fold::By2, Fold::By16] {
        for map in [Map::Same, Map::Magnitude, Map::Square, Map::Product] {
            for combine in [Combine::Sum, Combine::Min, Combine::Max] {
                for (channels, ragged) in [(1, false), (2, true), (4, false), (4, true)] {
                    sources.push(Key { map, combine, channels, ragged }.source(fold)?);
                }
            }
        }
    }
    Ok(sources)
}

impl Key {
    fn source(self, fold: Fold) -> Result<Source, Error> {
        let number = match self.channels {
            1 => "NUMBER_FLOAT",
            2 => "NUMBER_VEC2",
            _ => "NUMBER_VEC4",
        };
        let mut source = Source::library(Stage::Fragment, "reduce/fold.frag")?
            .define("FOLD", fold.side())
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
    /// A reducer that folds 16 x 16 texels, which was as fast as any fold or faster on software and
    /// hardware alike (docs/measured.md), and reads as suits this renderer.
    pub fn new(context: &Context) -> Reducer {
        Reducer::with(context, Fold::By16, context.abilities().reads())
    }

    /// A reducer with a chosen fold and way of reading.
    pub fn with(context: &Context, fold: Fold, reads: Reads) -> Reducer {
        let (kernels, partials) = Default::default();
        Reducer { context: context.clone(), fold, reads, kernels, partials }
    }

    /// How many texels it folds into one along each side.
    pub fn fold(&self) -> Fold {
        self.fold
    }

    /// The sum of all numbers.
    pub fn sum(&self, x: &dyn AnyTexture) -> Result<f32, Error> {
        self.reduce(Map::Same, Combine::Sum, x, None)
    }

    /// The sum of the products of the numbers at the same places.
    pub fn dot(&self, x: &dyn AnyTexture, y: &dyn AnyTexture) -> Result<f32, Error> {
        self.reduce(Map::Product, Combine::Sum, x, Some(y))
    }

    /// The 2-norm: the root of the sum of squares.
    pub fn norm(&self, x: &dyn AnyTexture) -> Result<f32, Error> {
        Ok(self.reduce(Map::Square, Combine::Sum, x, None)?.sqrt())
    }

    /// The 2-norm of each channel alone.
    pub fn norms(&self, x: &dyn AnyTexture) -> Result<Vec<f32>, Error> {
        let sums = self.by_channel(Map::Square, Combine::Sum, x, None)?;
        Ok(sums.into_iter().map(f32::sqrt).collect())
    }

    /// The largest magnitude.
    pub fn max_abs(&self, x: &dyn AnyTexture) -> Result<f32, Error> {
        self.reduce(Map::Magnitude, Combine::Max, x, None)
    }

    /// The largest magnitude of each channel alone.
    pub fn magnitudes(&self, x: &dyn AnyTexture) -> Result<Vec<f32>, Error> {
        self.by_channel(Map::Magnitude, Combine::Max, x, None)
    }

    /// The least number.
    pub fn min(&self, x: &dyn AnyTexture) -> Result<f32, Error> {
        self.reduce(Map::Same, Combine::Min, x, None)
    }

    /// The greatest number.
    pub fn max(&self, x: &dyn AnyTexture) -> Result<f32, Error> {
        self.reduce(Map::Same, Combine::Max, x, None)
    }

    fn reduce(
        &self,
        map: Map,
        combine: Combine,
        x: &dyn AnyTexture,
        y: Option<&dyn AnyTexture>,
    ) -> Result<f32, Error> {
        Ok(combine.channels(&self.by_channel(map, combine, x, y)?))
    }

    fn by_channel(
        &self,
        map: Map,
        combine: Combine,
        x: &dyn AnyTexture,
        y: Option<&dyn AnyTexture>,
    ) -> Result<Vec<f32>, Error> {
        check(x, y)?;
        let channels = x.format().channels;
        let mut room = self.partials.borrow_mut();
        let partials = match room.entry(x.extent()) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let extents = stages(x.extent(), self.fold);
                let made = extents.iter().map(|extent| self.context.empty(*extent));
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
        let texel = last.map(|texture| texture.read()).transpose()?;
        let values = texel.and_then(|texels| texels.first().copied()).unwrap_or_default();
        Ok(values.into_iter().take(channels).collect())
    }

    /// One stage: most texels without a test, and those that would read past the edge with one.
    fn stage(
        &self,
        key: Key,
        x: &dyn AnyTexture,
        y: Option<&dyn AnyTexture>,
        target: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let side = self.fold.side();
        let (from, to) = (x.extent(), target.extent());
        let whole =
            Extent::new(whole(side, from.width, to.width), whole(side, from.height, to.height));
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
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let vertex = Source::library(Stage::Vertex, "vertex/rectangle.vert")?;
                let fragment = key.source(self.fold)?;
                entry.insert(Kernel::new(&self.context, &vertex, &fragment, self.reads)?)
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
    let bad = |text: String| Err(Error::Bad { kernel: "reduction".into(), text });
    if x.format().class != Class::Float {
        let name = x.format().name;
        return bad(format!(
            "expected a texture of floats, got {name}; sum_exactly takes integers"
        ));
    }
    match y {
        Some(y) if y.extent() != x.extent() || y.format() != x.format() => bad(format!(
            "expected two textures alike, got {} of {} and {} of {}",
            x.extent(),
            x.format().name,
            y.extent(),
            y.format().name
        )),
        _ => Ok(()),
    }
}
