//! The kernels between the panels of a rank and strips in the host's memory.

use crate::gl::{Context, Texel, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::stream::launch::Program;
use crate::stream::{self, Engine, Geometry, Kernel};

use super::super::Result;
use super::panel::Strip;

/// Gathers and spreads texels. Compute shaders use the host's memory themselves, where that is
/// mapped: a pass takes a copy to a texture and a transfer more each way.
pub(super) struct HaloKernels {
    gather: Program,
    spread: Program,
}

/// The invocations of a work group.
const GROUP: u32 = 64;

impl HaloKernels {
    pub(super) fn new(context: &Context, channels: usize) -> Result<HaloKernels> {
        let abilities = context.abilities();
        if abilities.compute.is_some() && abilities.mapped_buffers {
            let [gather, spread] = dispatched(channels)?;
            let gather = Program::compute(context, gather)?;
            return Ok(HaloKernels { gather, spread: Program::compute(context, spread)? });
        }
        let [gather, vertex, fragment] = drawn(channels)?;
        let gather = Kernel::from_fragment(context, &gather, Reads::Fetch)?.into();
        let spread = Kernel::new(context, &vertex, &fragment, Reads::Fetch)?.into();
        Ok(HaloKernels { gather, spread })
    }

    /// Starts to bring texels of a panel to the host, once the context is flushed or something is
    /// waited for.
    pub(super) fn gather<T: Texel>(&self, panel: &Texture<T>, strip: &mut Strip<T>) -> Result<()> {
        let launch = self.gather.launch().input("image", panel).input("places", &strip.places);
        match self.gather.engine() {
            Engine::Fragment => {
                launch.write("texels", &mut strip.texels)?;
                strip.texels.read_to(&mut strip.staging)?;
            }
            Engine::Compute => {
                let launch = launch.uniform("count", strip.count as i32);
                launch.staging_mut_later("Strip", &mut strip.staging).run(groups(strip.count))?;
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
    ) -> Result<()> {
        let launch = self.spread.launch().input("places", &strip.places);
        let launch = match self.spread.engine() {
            Engine::Fragment => {
                strip.texels.write_from(&strip.staging)?;
                let size = [panel.extent().width as f32, panel.extent().height as f32];
                let launch = launch.input("strip", &strip.texels).uniform("size", size);
                launch.over(Geometry::Points(strip.count))
            }
            Engine::Compute => {
                let launch = launch.uniform("count", strip.count as i32);
                launch.staging("Strip", &strip.staging, fenced).groups(groups(strip.count))
            }
        };
        Ok(launch.write("target", panel)?)
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
