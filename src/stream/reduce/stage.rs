//! Runs a stage of a reduction, by either engine.

use std::rc::Rc;

use crate::gl::{AnyTexture, Context, Staging, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::{Extent, Rectangle};

use super::super::kept::Kept;
use super::super::{ComputeKernel, Dispatch, Geometry, Kernel, Result};
use super::plan::{Factor, Groups, stages};

/// The function applied to each number before it is combined with others.
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

/// The properties that need a kernel of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) map: Map,
    pub(super) combine: Combine,
    pub(super) channels: usize,
    /// Whether the edge of the texture may cut a fold.
    pub(super) ragged: bool,
    /// Whether the results of work groups go to the host's memory.
    pub(super) to_host: bool,
    /// Whether a rectangle of the texture is reduced, else all of it.
    pub(super) window: bool,
}

/// The engine of a stage, and the number of texels that it folds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FoldMethod {
    /// Fragments that fold this many texels each.
    Fragments { factor: Factor, reads: Reads },
    /// Work groups.
    Groups(Groups),
}

impl FoldMethod {
    /// Returns the extents that the stages write, down to `threshold` texels.
    pub(super) fn stages(self, extent: Extent, threshold: usize) -> Vec<Extent> {
        match self {
            FoldMethod::Fragments { factor, .. } => stages(extent, factor, threshold),
            FoldMethod::Groups(groups) => {
                let first = groups.number(extent);
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

    /// Combines the partial results of the device, channel by channel. The four are independent,
    /// which hides the time of an addition.
    pub(super) fn all<const N: usize>(self, texels: impl Iterator<Item = [f64; N]>) -> [f64; N] {
        let keep = |a: f64, b: f64, better: bool| if a.is_nan() || better { a } else { b };
        match self {
            Combine::Sum => joined(texels, 0.0, |a, b| a + b),
            Combine::Min => joined(texels, f64::INFINITY, |a, b| keep(a, b, a < b)),
            Combine::Max => joined(texels, f64::NEG_INFINITY, |a, b| keep(a, b, a > b)),
        }
    }
}

fn joined<const N: usize>(
    texels: impl Iterator<Item = [f64; N]>,
    nothing: f64,
    join: impl Fn(f64, f64) -> f64,
) -> [f64; N] {
    texels.fold([nothing; N], |mut totals, texel| {
        totals.iter_mut().zip(texel).for_each(|(total, number)| *total = join(*total, number));
        totals
    })
}

impl Key {
    pub(super) fn new(map: Map, combine: Combine, channels: usize) -> Key {
        Key { map, combine, channels, ragged: false, to_host: false, window: false }
    }

    fn define(self, source: Source) -> Source {
        let number = match self.channels {
            1 => "NUMBER_FLOAT",
            2 => "NUMBER_VEC2",
            _ => "NUMBER_VEC4",
        };
        let source =
            source.define(self.map.name(), 1).define(self.combine.name(), 1).define(number, 1);
        if self.window { source.define("WINDOW", 1) } else { source }
    }

    fn drawn(self, factor: Factor) -> Result<Source> {
        let (wide, high) = factor.sides();
        let library = |path| Source::library(Stage::Fragment, path);
        let source = match factor.is_of_rows() {
            true => library("reduce/fold_rows.frag")?,
            false => library("reduce/fold.frag")?.define("FOLD_X", wide).define("FOLD_Y", high),
        };
        let source = self.define(source);
        Ok(if self.ragged { source.define("RAGGED", 1) } else { source })
    }

    fn dispatched(self, groups: Groups) -> Result<Source> {
        let source = self.define(Source::library(Stage::Compute, "reduce/fold.comp")?);
        let source = source.define("SIDE", groups.side).define("LOADS", groups.loads);
        Ok(if self.to_host { source.define("TO_HOST", 1) } else { source })
    }
}

/// Returns every shader of this module in every variant; of the folds, which only end loops, the
/// extremes.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for combine in [Combine::Sum, Combine::Min, Combine::Max] {
        for map in [Map::Same, Map::Magnitude, Map::Square, Map::Product] {
            for (channels, ragged) in [(1, false), (2, true), (4, false), (4, true)] {
                let window = channels == 4 || !ragged;
                let key = Key { map, combine, channels, ragged, to_host: ragged, window };
                for factor in [Factor::By2, Factor::By16, Factor::By64x2] {
                    if channels == 4 || !factor.is_of_rows() {
                        sources.push(key.drawn(factor)?);
                    }
                }
                sources.push(key.dispatched(Groups::of_side(32))?);
            }
        }
    }
    for loads in [2, 8] {
        let key = Key::new(Map::Product, Combine::Sum, 4);
        sources.push(key.dispatched(Groups { side: 16, loads })?);
    }
    let (map, combine) = (Map::ScaledSquares, Combine::Sum);
    for ragged in [false, true] {
        let key = Key { map, combine, channels: 4, ragged, to_host: ragged, window: false };
        sources.extend([
            key.drawn(Factor::By16)?,
            key.drawn(Factor::By64x2)?,
            key.dispatched(Groups::of_side(32))?,
        ]);
    }
    Ok(sources)
}

/// The kernels of stages, compiled when first needed.
#[derive(Default)]
pub(super) struct KernelCache {
    drawn: Kept<(Key, Factor), Kernel>,
    dispatched: Kept<Key, ComputeKernel>,
}

/// The inputs of a stage.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub(super) x: &'a dyn AnyTexture,
    /// The second factor of products.
    pub(super) y: Option<&'a dyn AnyTexture>,
    /// The texels of both that are reduced, if not all.
    pub(super) window: Option<Rectangle>,
}

impl<'a> Operands<'a> {
    /// Returns all texels.
    pub(super) fn all(x: &'a dyn AnyTexture, y: Option<&'a dyn AnyTexture>) -> Operands<'a> {
        Operands { x, y, window: None }
    }

    /// Returns the extent that is reduced.
    pub(super) fn extent(self) -> Extent {
        self.window.map_or(self.x.extent(), |window| Extent::new(window.width, window.height))
    }
}

impl KernelCache {
    /// Runs one stage.
    pub(super) fn stage(
        &self,
        context: &Context,
        method: FoldMethod,
        key: Key,
        from: Operands<'_>,
        target: &mut Texture<[f32; 4]>,
    ) -> Result<()> {
        let to = target.extent();
        let key = Key { window: from.window.is_some(), ..key };
        match method {
            FoldMethod::Fragments { factor, reads } => {
                let factor = factor.of_stage(from.extent());
                for (ragged, part) in parts(factor, from.extent(), to) {
                    let key = Key { ragged, ..key };
                    let make = || Kernel::from_fragment(context, &key.drawn(factor)?, reads);
                    let kernel = self.drawn.get_or(&(key, factor), make)?;
                    let stride = [to.width as f32, to.height as f32];
                    let pass = kernel.pass().input("x", from.x);
                    let pass =
                        if factor.is_of_rows() { pass } else { pass.uniform("stride", stride) };
                    let pass = if let Some(y) = from.y { pass.input("y", y) } else { pass };
                    let pass = match from.window {
                        Some(Rectangle { x, y, width, height }) => pass
                            .uniform("corner", [x as f32, y as f32])
                            .uniform("extent", [width as f32, height as f32]),
                        None => pass,
                    };
                    pass.over(Geometry::Rectangle(part)).draw(target)?;
                }
                Ok(())
            }
            FoldMethod::Groups(groups) => {
                let kernel = self.dispatched(context, groups, key)?;
                let dispatch = dispatch(&kernel, from).image_mut("folded", target);
                dispatch.run([to.width, to.height, 1])
            }
        }
    }

    /// Runs one stage by work groups, which write their results to memory of the host.
    pub(super) fn to_host(
        &self,
        context: &Context,
        groups: Groups,
        key: Key,
        from: Operands<'_>,
        results: &mut Staging<[f32; 4]>,
    ) -> Result<()> {
        let kernel = self.dispatched(
            context,
            groups,
            Key { to_host: true, window: from.window.is_some(), ..key },
        )?;
        let dispatch = dispatch(&kernel, from).staging_mut("Folded", results);
        let number = groups.number(from.extent());
        dispatch.run([number.width, number.height, 1])
    }

    fn dispatched(&self, context: &Context, groups: Groups, key: Key) -> Result<Rc<ComputeKernel>> {
        self.dispatched.get_or(&key, || context.compute_kernel(key.dispatched(groups)?))
    }
}

fn dispatch<'a>(kernel: &'a ComputeKernel, from: Operands<'a>) -> Dispatch<'a> {
    let dispatch = kernel.dispatch().input("x", from.x);
    let dispatch = if let Some(y) = from.y { dispatch.input("y", y) } else { dispatch };
    let Some(Rectangle { x, y, width, height }) = from.window else { return dispatch };
    let dispatch = dispatch.uniform("corner", [x as i32, y as i32]);
    dispatch.uniform("extent", [width as i32, height as i32])
}

/// Returns the parts of a drawn stage: most texels without a test, and those that would read past
/// the edge with one.
fn parts(factor: Factor, from: Extent, to: Extent) -> impl Iterator<Item = (bool, Rectangle)> {
    // How many targets along one side find all of their texels inside `from`.
    let whole = |side: u32, from: u32, to: u32| match factor.is_of_rows() {
        true => from / side,
        false => from.saturating_sub((side - 1) * to).min(to),
    };
    let (wide, high) = factor.sides();
    let whole = Extent::new(whole(wide, from.width, to.width), whole(high, from.height, to.height));
    let parts = [
        (false, whole.rectangle()),
        (true, Rectangle::new(whole.width, 0, to.width - whole.width, to.height)),
        (true, Rectangle::new(0, whole.height, whole.width, to.height - whole.height)),
    ];
    parts.into_iter().filter(|(_, part)| part.texels() > 0)
}
