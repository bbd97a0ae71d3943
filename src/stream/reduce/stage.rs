//! One stage of a reduction, by either engine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::gl::{AnyTexture, Context, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::{Extent, Rectangle};

use super::super::{ComputeKernel, Error, Geometry, Kernel};
use super::plan::{Factor, groups, stages};

/// What happens to each number before it is combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Map {
    Same,
    Magnitude,
    Square,
    Product,
    /// Squares in three accumulators of different scales.
    ScaledSquares,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Combine {
    Sum,
    Min,
    Max,
}

/// What tells one kernel from another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) map: Map,
    pub(super) combine: Combine,
    pub(super) channels: usize,
    /// Whether the edge of the texture may cut a fold.
    pub(super) ragged: bool,
}

/// How a stage runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Fragments that fold this many texels each.
    Drawn { factor: Factor, reads: Reads },
    /// Work groups of this number of invocations along each side.
    Dispatched { side: u32 },
}

impl Way {
    /// The extents that the stages write, down to `threshold` texels.
    pub(super) fn stages(self, extent: Extent, threshold: usize) -> Vec<Extent> {
        match self {
            Way::Drawn { factor, .. } => stages(extent, factor, threshold),
            Way::Dispatched { side } => {
                let first = groups(extent, side);
                let last = (first.texels() > threshold.max(1)).then_some(Extent::new(1, 1));
                [first].into_iter().chain(last).collect()
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
            Map::ScaledSquares => "MAP_SCALED_SQUARES",
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

    /// Combines the partial results of the device.
    pub(super) fn all(self, values: impl Iterator<Item = f64>) -> f64 {
        let keep = |a: f64, b: f64, better: bool| if a.is_nan() || better { a } else { b };
        match self {
            Combine::Sum => values.sum(),
            Combine::Min => values.fold(f64::INFINITY, |a, b| keep(a, b, a < b)),
            Combine::Max => values.fold(f64::NEG_INFINITY, |a, b| keep(a, b, a > b)),
        }
    }
}

impl Key {
    fn define(self, source: Source) -> Source {
        let number = match self.channels {
            1 => "NUMBER_FLOAT",
            2 => "NUMBER_VEC2",
            _ => "NUMBER_VEC4",
        };
        source.define(self.map.name(), 1).define(self.combine.name(), 1).define(number, 1)
    }

    fn drawn(self, factor: Factor) -> Result<Source, Error> {
        let source = self.define(Source::library(Stage::Fragment, "reduce/fold.frag")?);
        let (wide, high) = factor.sides();
        let source = source.define("FOLD_X", wide).define("FOLD_Y", high);
        Ok(if self.ragged { source.define("RAGGED", 1) } else { source })
    }

    fn dispatched(self, side: u32) -> Result<Source, Error> {
        let source = Source::library(Stage::Compute, "reduce/fold.comp")?;
        Ok(self.define(source).define("SIDE", side))
    }
}

/// Every shader of this module in every variant; of the folds, which only end loops, the extremes.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for combine in [Combine::Sum, Combine::Min, Combine::Max] {
        for map in [Map::Same, Map::Magnitude, Map::Square, Map::Product] {
            for (channels, ragged) in [(1, false), (2, true), (4, false), (4, true)] {
                let key = Key { map, combine, channels, ragged };
                for factor in [Factor::By2, Factor::By16] {
                    sources.push(key.drawn(factor)?);
                }
                sources.push(key.dispatched(32)?);
            }
        }
    }
    let (map, combine) = (Map::ScaledSquares, Combine::Sum);
    for ragged in [false, true] {
        let key = Key { map, combine, channels: 4, ragged };
        sources.extend([key.drawn(Factor::By16)?, key.dispatched(32)?]);
    }
    Ok(sources)
}

enum Compiled {
    Drawn(Kernel),
    Dispatched(ComputeKernel),
}

/// The kernels of stages, compiled when first needed.
#[derive(Default)]
pub(super) struct Kernels(RefCell<HashMap<Key, Compiled>>);

/// What a stage reads.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub(super) x: &'a dyn AnyTexture,
    /// Of products.
    pub(super) y: Option<&'a dyn AnyTexture>,
}

impl Kernels {
    /// Runs one stage.
    pub(super) fn stage(
        &self,
        context: &Context,
        way: Way,
        key: Key,
        from: Operands<'_>,
        target: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        match way {
            Way::Dispatched { .. } => self.run(context, way, key, from, None, target),
            Way::Drawn { factor, .. } => {
                for (ragged, part) in parts(factor, from.x.extent(), target.extent()) {
                    let key = Key { ragged, ..key };
                    self.run(context, way, key, from, Some(part), target)?;
                }
                Ok(())
            }
        }
    }

    fn run(
        &self,
        context: &Context,
        way: Way,
        key: Key,
        Operands { x, y }: Operands<'_>,
        part: Option<Rectangle>,
        target: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let to = target.extent();
        let mut kernels = self.0.borrow_mut();
        let compiled = match kernels.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(compile(context, way, key)?),
        };
        match compiled {
            Compiled::Drawn(kernel) => {
                let stride = [to.width as f32, to.height as f32];
                let pass = kernel.pass().input("x", x).uniform("stride", stride);
                let pass = if let Some(y) = y { pass.input("y", y) } else { pass };
                pass.over(part.map_or(Geometry::Full, Geometry::Rectangle)).draw(target)
            }
            Compiled::Dispatched(kernel) => {
                let dispatch = kernel.dispatch().input("x", x);
                let dispatch = if let Some(y) = y { dispatch.input("y", y) } else { dispatch };
                dispatch.image_mut("folded", target).run([to.width, to.height, 1])
            }
        }
    }
}

fn compile(context: &Context, way: Way, key: Key) -> Result<Compiled, Error> {
    Ok(match way {
        Way::Drawn { factor, reads } => {
            Compiled::Drawn(Kernel::from_fragment(context, &key.drawn(factor)?, reads)?)
        }
        Way::Dispatched { side } => {
            Compiled::Dispatched(context.compute_kernel(key.dispatched(side)?)?)
        }
    })
}

/// The parts of a drawn stage: most texels without a test, and those that would read past the edge with one.
fn parts(factor: Factor, from: Extent, to: Extent) -> impl Iterator<Item = (bool, Rectangle)> {
    let (wide, high) = factor.sides();
    let whole = Extent::new(whole(wide, from.width, to.width), whole(high, from.height, to.height));
    let parts = [
        (false, whole.rectangle()),
        (true, Rectangle::new(whole.width, 0, to.width - whole.width, to.height)),
        (true, Rectangle::new(0, whole.height, whole.width, to.height - whole.height)),
    ];
    parts.into_iter().filter(|(_, part)| part.texels() > 0)
}

/// How many targets along one side find all `side` of their texels, `to` apart, inside `from`.
fn whole(side: u32, from: u32, to: u32) -> u32 {
    from.saturating_sub((side - 1) * to).min(to)
}
