//! Interpolated values: what a fragment has when it begins.

use quadrille::shader::Stage;
use quadrille::stream::{Kernel, PingPong};

use super::prelude::*;
use super::work::{Twin, compare_sample};

/// Values of four numbers that a fragment takes, as `interpolated.vert` writes them.
pub(crate) const VALUES: u32 = 8;

pub(crate) const NAME: &str = "interpolated RGBA32F";

pub(crate) fn sources() -> Result<[Source; 2], stream::Error> {
    let text = |stage, name| crate::shaders::source(stage, name);
    Ok([
        text(Stage::Vertex, "probe/interpolated.vert")?,
        text(Stage::Fragment, "probe/interpolated.frag")?,
    ])
}

/// The bytes that fragments take count; the texel that each reads and the one that it writes are in
/// the time, since a value cannot be interpolated again within a fragment.
pub(crate) fn subject(context: &Context) -> Subject {
    let bytes = extent(context).texels() as f64 * f64::from(VALUES * 16);
    let make = |context: &Context| Interpolated::new(context, VALUES);
    Subject::new("fetch", Engine::Fragment, NAME, Unit::Bytes, bytes, make)
}

pub(crate) struct Interpolated {
    kernel: Kernel,
    pair: PingPong<[f32; 4]>,
    twin: Twin,
}

fn extent(context: &Context) -> Extent {
    let side = if context.abilities().software { 256 } else { 1024 };
    Extent::new(side, side)
}

impl Interpolated {
    /// `values` are those that the twin expects.
    pub(crate) fn new(context: &Context, values: u32) -> Result<Interpolated> {
        let [vertex, fragment] = sources()?;
        let kernel = Kernel::new(context, &vertex, &fragment, context.abilities().reads())?;
        let extent = extent(context);
        let first = context.texture(extent, &vec![[0.0; 4]; extent.texels()])?;
        let pair = PingPong::new(first, context.uninit(extent)?)?;
        let times = f64::from(values * (values + 1) / 2);
        // The corner's numbers are rounded once and weighed in single precision: 16 roundings of the
        // largest sum, where a value that is missing takes a half or more from the smallest.
        let bound = 16.0 * times * f64::from(extent.width) * 0.5_f64.powi(24);
        let twin: Twin = Box::new(move |place, old| {
            let [x, y] = place.map(|place| times * (f64::from(place) + 0.5));
            let sums = [x, y, y, x];
            [0, 1, 2, 3].map(|channel| (sums[channel] - f64::from(old[channel]), bound))
        });
        Ok(Interpolated { kernel, pair, twin })
    }
}

impl Probe for Interpolated {
    fn step(&mut self) -> Result<()> {
        let kernel = &self.kernel;
        self.pair.step(|old, new| kernel.pass().input("old", old).draw(new))?;
        Ok(())
    }

    fn check(&mut self) -> Result<Comparison> {
        let before = self.pair.newest().read()?;
        self.step()?;
        let after = self.pair.newest().read()?;
        Ok(compare_sample(&self.twin, self.pair.newest().extent(), &before, &after))
    }
}
