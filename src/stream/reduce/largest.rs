//! The number of the largest magnitude of a texture, and its index.

use std::cell::OnceCell;

use crate::Extent;
use crate::gl::{AnyTexture, Context, Texture};
use crate::shader::{Source, Stage};

use super::super::{ComputeKernel, Engine, Error, Kernel, Pass, Result};
use super::plan::{Factor, Groups};

/// A magnitude as the bits of a float, 0x7f800001 for a NaN, and the index of the first number that
/// has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Largest {
    pub(crate) bits: u32,
    pub(crate) index: u32,
}

impl Largest {
    /// Returns the larger of two, or the first of two equals.
    fn or(self, other: Largest) -> Largest {
        let order = |largest: &Largest| (largest.bits, std::cmp::Reverse(largest.index));
        std::cmp::max_by_key(self, other, order)
    }
}

/// Finds the largest magnitude of textures of four numbers to a texel.
pub(crate) struct Searcher {
    context: Context,
    stages: Stages,
}

enum Stages {
    Fragment(Box<FragmentStages>),
    Compute { kernel: Box<ComputeKernel>, side: u32, to_host: bool },
}

/// The kernels of drawn stages.
struct FragmentStages {
    first: Kernel,
    further: Kernel,
    /// The first stage of a large texture on a software renderer, made when it is needed.
    rows: OnceCell<Kernel>,
}

/// The texels that a drawn stage folds into one: several tiles of a software renderer, as in sums.
const FACTOR: Factor = Factor::By8x16;
/// Reading this many texels back takes no longer than another pass.
const HOST_THRESHOLD: usize = 2048;
/// The invocations of a work group along each side, where the device allows them.
const SIDE: u32 = 16;

/// Returns every shader of this module.
pub(super) fn sources() -> Result<Vec<Source>> {
    let dispatched = |to_host| dispatched(SIDE, to_host);
    Ok(vec![rows()?, drawn(false)?, drawn(true)?, dispatched(false)?, dispatched(true)?])
}

fn rows() -> Result<Source> {
    Ok(Source::library(Stage::Fragment, "reduce/largest_rows.frag")?.define("RAGGED", 1))
}

fn drawn(further: bool) -> Result<Source> {
    let source = Source::library(Stage::Fragment, "reduce/largest.frag")?;
    Ok(if further { source.define("FROM_PARTS", 1) } else { source })
}

fn dispatched(side: u32, to_host: bool) -> Result<Source> {
    let source = Source::library(Stage::Compute, "reduce/largest.comp")?.define("SIDE", side);
    Ok(if to_host { source.define("TO_HOST", 1) } else { source })
}

/// Returns the largest of some parts.
fn largest(parts: &[[u32; 4]]) -> Largest {
    let found = parts.iter().map(|&[bits, index, ..]| Largest { bits, index });
    found.fold(Largest { bits: 0, index: u32::MAX }, Largest::or)
}

impl Searcher {
    /// Compiles the kernels. The context has the engine.
    pub(crate) fn new(context: &Context, engine: Engine) -> Result<Searcher> {
        let reads = context.abilities().reads();
        let kernel = |further| Kernel::from_fragment(context, &drawn(further)?, reads);
        let stages = match engine {
            Engine::Fragment => {
                let (first, further, rows) = (kernel(false)?, kernel(true)?, OnceCell::new());
                Stages::Fragment(Box::new(FragmentStages { first, further, rows }))
            }
            Engine::Compute => {
                let side = Engine::group_side(context, SIDE);
                let to_host = context.abilities().mapped_buffers;
                let kernel = context.compute_kernel(dispatched(side, to_host)?)?;
                Stages::Compute { kernel: Box::new(kernel), side, to_host }
            }
        };
        Ok(Searcher { context: context.clone(), stages })
    }

    /// Returns the largest magnitude and the first index that has it; NaN is above infinity.
    pub(crate) fn find(&self, x: &Texture<[f32; 4]>) -> Result<Largest> {
        let (kernel, side, to_host) = match &self.stages {
            Stages::Fragment(kernels) => {
                return Ok(largest(&kernels.draw(&self.context, x)?.read()?));
            }
            Stages::Compute { kernel, side, to_host } => (kernel, *side, *to_host),
        };
        let groups = Groups::of_side(side).number(x.extent());
        let dispatch = kernel.dispatch().input("x", x);
        let number = [groups.width, groups.height, 1];
        if to_host {
            let mut parts = self.context.staging::<[u32; 4]>(groups.texels())?;
            dispatch.staging_mut("Part", &mut parts).run(number)?;
            return Ok(largest(parts.as_slice()?));
        }
        let mut parts = self.context.uninit::<[u32; 4]>(groups)?;
        dispatch.image_mut("part", &mut parts).run(number)?;
        Ok(largest(&parts.read()?))
    }
}

impl FragmentStages {
    fn draw(&self, context: &Context, x: &Texture<[f32; 4]>) -> Result<Texture<[u32; 4]>> {
        let stage = |pass: Pass<'_>, extent: Extent| {
            let mut parts = context.uninit::<[u32; 4]>(extent)?;
            pass.draw(&mut parts)?;
            Ok::<_, Error>(parts)
        };
        let strided = |kernel: &Kernel, from: &dyn AnyTexture| {
            let to = FACTOR.folded(from.extent());
            let stride = [to.width as i32, to.height as i32];
            stage(kernel.pass().input("x", from).uniform("stride", stride), to)
        };
        let rows = Factor::By64x2.of_stage(x.extent());
        let mut parts = match context.abilities().software && rows.is_of_rows() {
            true => stage(self.rows(context)?.pass().input("x", x), rows.folded(x.extent()))?,
            false => strided(&self.first, x)?,
        };
        while parts.extent().texels() > HOST_THRESHOLD {
            parts = strided(&self.further, &parts)?;
        }
        Ok(parts)
    }

    fn rows(&self, context: &Context) -> Result<&Kernel> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows);
        }
        let made = Kernel::from_fragment(context, &rows()?, context.abilities().reads())?;
        Ok(self.rows.get_or_init(|| made))
    }
}
