//! The number of the largest magnitude of a texture, and its index.

use crate::Extent;
use crate::gl::{AnyTexture, Context, Texture};
use crate::shader::{Source, Stage};

use super::super::{ComputeKernel, Engine, Error, Kernel};
use super::plan::{Factor, groups, stages};

/// A magnitude as the bits of a float, 0x7f800001 for a NaN, and the index of the first number that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Largest {
    pub(crate) bits: u32,
    pub(crate) index: u32,
}

impl Largest {
    /// The larger of two, or the first of two equals.
    fn or(self, other: Largest) -> Largest {
        let order = |largest: &Largest| (largest.bits, std::cmp::Reverse(largest.index));
        std::cmp::max_by_key(self, other, order)
    }
}

/// Finds the largest magnitude of textures of four numbers to a texel.
pub(crate) struct Searcher {
    context: Context,
    way: Way,
}

enum Way {
    /// The first stage, and the others.
    Drawn(Box<[Kernel; 2]>),
    Dispatched {
        kernel: ComputeKernel,
        side: u32,
        to_host: bool,
    },
}

/// The texels that a drawn stage folds into one: several tiles of a software renderer, as in sums.
const FACTOR: Factor = Factor::By8x16;
/// Reading so few texels back takes no longer than another pass.
const HOST_THRESHOLD: usize = 2048;
/// The invocations of a work group along each side, where the device allows them.
const SIDE: u32 = 16;

/// Every shader of this module.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    Ok(vec![drawn(false)?, drawn(true)?, dispatched(SIDE, false)?, dispatched(SIDE, true)?])
}

fn drawn(further: bool) -> Result<Source, Error> {
    let source = Source::library(Stage::Fragment, "reduce/largest.frag")?;
    Ok(if further { source.define("FROM_PARTS", 1) } else { source })
}

fn dispatched(side: u32, to_host: bool) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, "reduce/largest.comp")?.define("SIDE", side);
    Ok(if to_host { source.define("TO_HOST", 1) } else { source })
}

/// The largest of some parts.
fn largest(parts: &[[u32; 4]]) -> Largest {
    let found = parts.iter().map(|&[bits, index, ..]| Largest { bits, index });
    found.fold(Largest { bits: 0, index: u32::MAX }, Largest::or)
}

impl Searcher {
    /// Compiles the kernels. The context has the engine.
    pub(crate) fn new(context: &Context, engine: Engine) -> Result<Searcher, Error> {
        let reads = context.abilities().reads();
        let kernel = |further| Kernel::from_fragment(context, &drawn(further)?, reads);
        let way = match engine {
            Engine::Fragment => Way::Drawn(Box::new([kernel(false)?, kernel(true)?])),
            Engine::Compute => {
                let side = Engine::group_side(context, SIDE);
                let to_host = context.abilities().mapped_buffers;
                let kernel = context.compute_kernel(dispatched(side, to_host)?)?;
                Way::Dispatched { kernel, side, to_host }
            }
        };
        Ok(Searcher { context: context.clone(), way })
    }

    /// The largest magnitude and the first index that has it; NaN is above infinity.
    pub(crate) fn find(&self, x: &Texture<[f32; 4]>) -> Result<Largest, Error> {
        let (kernel, side, to_host) = match &self.way {
            Way::Drawn(kernels) => return Ok(largest(&self.draw(kernels, x)?.read()?)),
            Way::Dispatched { kernel, side, to_host } => (kernel, *side, *to_host),
        };
        let groups = groups(x.extent(), side);
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

    fn draw(
        &self,
        [first, further]: &[Kernel; 2],
        x: &Texture<[f32; 4]>,
    ) -> Result<Texture<[u32; 4]>, Error> {
        let stage = |kernel: &Kernel, from: &dyn AnyTexture, extent: Extent| {
            let mut parts = self.context.uninit::<[u32; 4]>(extent)?;
            let stride = [extent.width as i32, extent.height as i32];
            kernel.pass().input("x", from).uniform("stride", stride).draw(&mut parts)?;
            Ok::<_, Error>(parts)
        };
        let mut extents = stages(x.extent(), FACTOR, HOST_THRESHOLD).into_iter();
        let one = Extent::new(1, 1);
        let mut parts = stage(first, x, extents.next().unwrap_or(one))?;
        for extent in extents {
            parts = stage(further, &parts, extent)?;
        }
        Ok(parts)
    }
}
