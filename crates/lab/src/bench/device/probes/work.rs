//! Probes that step from one texture of a pair to the other, by drawing or by a dispatch.

use std::iter::StepBy;
use std::ops::Range;

use quadrille::Extent;
use quadrille::gl::{AnyTexture, Buffer, Context, Texture, Value};
use quadrille::internal::stream::Program;
use quadrille::shader::{Reads, Source, Stage};
use quadrille::stream::{self, Kernel, PingPong};

use super::probe::Probe;
use crate::Result;
use crate::bench::device::subject::Engine;
use crate::twin::Comparison;

/// The expected result of a step for one number, and the error allowed in single precision.
pub(crate) type Expected = (f64, f64);

/// Computes the expected step of a texel from its place and the result of the step before.
pub(crate) type Twin = Box<dyn Fn([u32; 2], [f32; 4]) -> [Expected; 4]>;

#[derive(Default)]
pub(crate) struct Inputs {
    /// The texture that the work calls `image`.
    pub(super) image: Option<Box<dyn AnyTexture>>,
    /// The buffer that the work calls `Numbers`.
    pub(super) numbers: Option<StorageBuffer>,
    uniforms: Vec<(&'static str, Value)>,
}

/// A storage buffer of either element that works read.
pub(crate) enum StorageBuffer {
    One(Buffer<f32>),
    Four(Buffer<[f32; 4]>),
}

impl Inputs {
    pub(crate) fn uniform(mut self, name: &'static str, value: impl Into<Value>) -> Inputs {
        self.uniforms.push((name, value.into()));
        self
    }
}

/// A work: its kernel, what it is given, and what should come of it.
pub(crate) struct Work {
    program: Program,
    given: Inputs,
    pair: PingPong<[f32; 4]>,
    twin: Twin,
}

/// The shader that runs works on an engine, without a work yet.
pub(crate) fn source(engine: Engine) -> Result<Source, stream::Error> {
    Ok(match engine {
        Engine::Compute => crate::shaders::source(Stage::Compute, "probe/step.comp")?,
        _ => crate::shaders::source(Stage::Fragment, "probe/step.frag")?,
    })
}

/// Texels of a pair's side that one group of a dispatch covers.
const GROUP: u32 = 8;
/// The distance of the texels of a large target that are compared. A prime, so that all places in a
/// group and in a tile are met.
const SAMPLE: usize = 1021;

impl Work {
    /// Compiles, and fills the first texture of the pair.
    pub(crate) fn new(
        context: &Context,
        source: Source,
        reads: Reads,
        start: Start,
        given: Inputs,
        twin: Twin,
    ) -> Result<Work> {
        let program = match source.stage() {
            Stage::Compute => Program::compute(context, source)?,
            _ => Kernel::from_fragment(context, &source, reads)?.into(),
        };
        let first = context.texture(start.extent, &start.texels())?;
        let pair = PingPong::new(first, context.uninit(start.extent)?)?;
        Ok(Work { program, given, pair, twin })
    }

    /// Gives another value than it should, to see that the check notices.
    #[cfg(test)]
    pub(crate) fn spoil(&mut self, name: &'static str, value: impl Into<Value>) {
        self.given.uniforms.push((name, value.into()));
    }
}

/// Computes a step: a dispatch in groups of [`GROUP`] squared.
fn step(
    program: &Program,
    given: &Inputs,
    old: &Texture<[f32; 4]>,
    new: &mut Texture<[f32; 4]>,
) -> Result<(), stream::Error> {
    let mut launch = program.launch().input("old", old);
    if let Some(image) = &given.image {
        launch = launch.input("image", image.as_ref());
    }
    launch = match &given.numbers {
        Some(StorageBuffer::One(buffer)) => launch.buffer("Numbers", buffer),
        Some(StorageBuffer::Four(buffer)) => launch.buffer("Numbers", buffer),
        None => launch,
    };
    for (name, value) in &given.uniforms {
        launch = launch.uniform(name, value.clone());
    }
    let Extent { width, height } = new.extent();
    launch.groups([width / GROUP, height / GROUP, 1]).write("next", new)
}

impl Probe for Work {
    fn step(&mut self) -> Result<()> {
        let (program, given) = (&self.program, &self.given);
        self.pair.step(|old, new| step(program, given, old, new))?;
        Ok(())
    }

    /// Checks the second step from here, which needs the first.
    fn check(&mut self) -> Result<Comparison> {
        self.step()?;
        let before = self.pair.newest().read()?;
        self.step()?;
        let after = self.pair.newest().read()?;
        Ok(compare_sample(&self.twin, self.pair.newest().extent(), &before, &after))
    }
}

/// Compares a sample of the texels after a step with what the twin makes of those before.
pub(crate) fn compare_sample(
    twin: &Twin,
    extent: Extent,
    before: &[[f32; 4]],
    after: &[[f32; 4]],
) -> Comparison {
    // Of a NaN the twin would expect one again, whatever made it.
    let is_known = before.as_flattened().iter().all(|number| number.is_finite());
    if [before.len(), after.len()] != [extent.texels(); 2] || !is_known {
        return Comparison::WRONG;
    }
    let sample = sample(extent);
    let expected = sample.clone().flat_map(|i| {
        let place = [i as u32 % extent.width, i as u32 / extent.width];
        twin(place, before[i])
    });
    Comparison::of(sample.clone().flat_map(|i| after[i]), expected)
}

/// The texels that are compared: all of a small target.
pub(crate) fn sample(extent: Extent) -> StepBy<Range<usize>> {
    let texels = extent.texels();
    (0..texels).step_by(if texels > SAMPLE { SAMPLE } else { 1 })
}

/// The initial content of the first texture of a pair.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// The extent in texels; both sides are multiples of 8.
    pub(crate) extent: Extent,
    pub(crate) texel: fn([u32; 2]) -> [f32; 4],
}

impl Start {
    pub(crate) fn texels(&self) -> Vec<[f32; 4]> {
        let Extent { width, height } = self.extent;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        places.map(self.texel).collect()
    }
}
