//! Output bandwidth: one texel into 1 to 8 targets.

use super::prelude::*;
use quadrille::gl::{Target, Texture};
use quadrille::shader::Stage;
use quadrille::stream::Kernel;

/// Most targets that are measured.
pub(crate) const MOST: u32 = 8;

pub(crate) fn outputs_source(targets: u32) -> Result<Source, stream::Error> {
    let source = crate::shaders::source(Stage::Fragment, "probe/outputs.frag")?;
    Ok(source.define("TARGETS", targets))
}

/// The bytes written count, of which a fragment reads as many for one target.
pub(crate) fn subjects(context: &Context) -> Vec<Subject> {
    let most = context.abilities().max_targets.min(MOST);
    let subject = |targets: u32| {
        let bytes = (extent(context).texels() as f64) * f64::from(targets * 16);
        let variant = format!("{targets} x RGBA32F");
        let make = move |context: &Context| Outputs::new(context, targets);
        Subject::new("output", Engine::Fragment, variant, Unit::Bytes, bytes, make)
    };
    (1..=most).map(subject).collect()
}

/// Two sets of targets that take turns, the first texture of one of them being read.
pub(crate) struct Outputs {
    kernel: Kernel,
    pub(crate) newest: Vec<Texture<[f32; 4]>>,
    oldest: Vec<Texture<[f32; 4]>>,
}

fn extent(context: &Context) -> Extent {
    let side = if context.abilities().software { 512 } else { 1024 };
    Extent::new(side, side)
}

/// The initial value of the first target; exact, as is 1 less it.
const START: f32 = 0.25;

impl Outputs {
    pub(crate) fn new(context: &Context, targets: u32) -> Result<Outputs> {
        let target = |_| Ok(context.uninit(extent(context))?);
        let set = || (0..targets).map(target).collect::<Result<Vec<_>>>();
        let (mut newest, oldest) = (set()?, set()?);
        for target in &mut newest {
            target.fill([START; 4])?;
        }
        let reads = context.abilities().reads();
        let kernel = Kernel::from_fragment(context, &outputs_source(targets)?, reads)?;
        Ok(Outputs { kernel, newest, oldest })
    }
}

impl Probe for Outputs {
    fn step(&mut self) -> Result<()> {
        let Some(old) = self.newest.first() else { return Ok(()) };
        let mut targets: Vec<&mut dyn Target> =
            self.oldest.iter_mut().map(|target| target as &mut dyn Target).collect();
        self.kernel.pass().input("old", old).draw_into(&mut targets)?;
        std::mem::swap(&mut self.newest, &mut self.oldest);
        Ok(())
    }

    /// Checks two steps: 1 - (1 - old) + the target's place.
    fn check(&mut self) -> Result<Comparison> {
        self.step()?;
        self.step()?;
        let mut worst = Comparison::RIGHT;
        for (place, target) in self.newest.iter().enumerate() {
            let expected = f64::from(START) + place as f64;
            let texels = target.read()?;
            let expected = std::iter::repeat_n((expected, 0.0), 4 * target.extent().texels());
            worst = worst.worse(Comparison::of(texels.into_flattened(), expected));
        }
        Ok(worst)
    }
}
