//! The kernels between the panels of a rank and strips in the host's memory.

use crate::gl::{Context, Texel, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::stream::{self, ComputeKernel, Geometry, Kernel};

use super::super::Error;
use super::panel::Strip;

/// Gathers and spreads texels. Compute shaders use the host's memory themselves, where that is
/// mapped: a pass takes a copy to a texture and a transfer more each way.
pub(super) enum HaloKernels {
    Drawn { gather: Box<Kernel>, spread: Box<Kernel> },
    Dispatched { gather: Box<ComputeKernel>, spread: Box<ComputeKernel> },
}

/// The invocations of a work group.
const GROUP: u32 = 64;

impl HaloKernels {
    pub(super) fn new(context: &Context, channels: usize) -> Result<HaloKernels, Error> {
        let abilities = context.abilities();
        if abilities.compute.is_some() && abilities.mapped_buffers {
            let [gather, spread] = dispatched(channels)?;
            return Ok(HaloKernels::Dispatched {
                gather: Box::new(context.compute_kernel(gather)?),
                spread: Box::new(context.compute_kernel(spread)?),
            });
        }
        let [gather, vertex, fragment] = drawn(channels)?;
        Ok(HaloKernels::Drawn {
            gather: Box::new(Kernel::from_fragment(context, &gather, Reads::Fetch)?),
            spread: Box::new(Kernel::new(context, &vertex, &fragment, Reads::Fetch)?),
        })
    }

    /// Starts to bring texels of a panel to the host, once the context is flushed or something is
    /// waited for.
    pub(super) fn gather<T: Texel>(
        &self,
        panel: &Texture<T>,
        strip: &mut Strip<T>,
    ) -> Result<(), Error> {
        match self {
            HaloKernels::Drawn { gather, .. } => {
                let pass = gather.pass().input("image", panel).input("places", &strip.places);
                pass.draw(&mut strip.texels)?;
                strip.texels.read_to(&mut strip.staging)?;
            }
            HaloKernels::Dispatched { gather, .. } => {
                let run = gather.dispatch().input("image", panel).input("places", &strip.places);
                let run = run.uniform("count", strip.count as i32);
                run.staging_mut_later("Strip", &mut strip.staging).run(groups(strip.count))?;
            }
        }
        Ok(())
    }

    /// Brings texels from the host to a panel. If it is not fenced, something later is waited for
    /// before the host changes them.
    pub(super) fn spread<T: Texel>(
        &self,
        strip: &mut Strip<T>,
        panel: &mut Texture<T>,
        fenced: bool,
    ) -> Result<(), Error> {
        match self {
            HaloKernels::Drawn { spread, .. } => {
                strip.texels.write_from(&strip.staging)?;
                let size = [panel.extent().width as f32, panel.extent().height as f32];
                let pass = spread.pass().input("strip", &strip.texels);
                let pass = pass.input("places", &strip.places).uniform("size", size);
                pass.over(Geometry::Points(strip.count)).draw(panel)?;
            }
            HaloKernels::Dispatched { spread, .. } => {
                let run = spread.dispatch().input("places", &strip.places);
                let run = run.uniform("count", strip.count as i32).image_mut("target", panel);
                let run = run.staging("Strip", &strip.staging, fenced);
                run.run(groups(strip.count))?;
            }
        }
        Ok(())
    }
}

fn groups(count: u32) -> [u32; 3] {
    [count.div_ceil(GROUP), 1, 1]
}

/// Returns a kernel for texels of one channel, or of four.
fn source(stage: Stage, path: &str, channels: usize) -> Result<Source, stream::Error> {
    let (number, part) = if channels == 1 { ("float", "r") } else { ("vec4", "rgba") };
    Ok(Source::library(stage, path)?.define("NUMBER", number).define("PART", part))
}

fn drawn(channels: usize) -> Result<[Source; 3], stream::Error> {
    Ok([
        source(Stage::Fragment, "cluster/gather.frag", channels)?,
        source(Stage::Vertex, "cluster/spread.vert", channels)?,
        source(Stage::Fragment, "cluster/spread.frag", channels)?,
    ])
}

fn dispatched(channels: usize) -> Result<[Source; 2], stream::Error> {
    let format = if channels == 1 { "r32f" } else { "rgba32f" };
    let kernel = |path| -> Result<Source, stream::Error> {
        Ok(source(Stage::Compute, path, channels)?.define("FORMAT", format).define("GROUP", GROUP))
    };
    Ok([kernel("cluster/gather.comp")?, kernel("cluster/spread.comp")?])
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>, stream::Error> {
    let mut sources = Vec::new();
    for channels in [1, 4] {
        sources.extend(drawn(channels)?);
        sources.extend(dispatched(channels)?);
    }
    Ok(sources)
}
