//! The device's numeric card: what its arithmetic can be trusted for.
//!
//! Each subject asks the device and hands what it got to a pure function that judges it, so that
//! the judges can be shown wrong results. Sentences for people are in [`Card::verdicts`].

mod arithmetic;
mod engine;
mod places;
mod prelude;
mod shader_accuracy;
mod special;
mod verdicts;

use serde::Serialize;

use quadrille::gl::Context;
use quadrille::shader::Source;
use quadrille::stream;
use quadrille::{Control, Observer, Progress};

use crate::Result;

use self::engine::Ask;
use arithmetic::operations::Operation;
use arithmetic::{accuracy, contraction, integers, rounding};
use places::{interpolation, lines, strips};
use special::specials::Special;
use special::{passages, quantising, specials};

pub use arithmetic::accuracy::Accuracy;
pub(crate) use arithmetic::accuracy::of_name as accuracy_of;
pub use arithmetic::contraction::{Contraction, Fusion};
pub use arithmetic::integers::Whole;
pub use arithmetic::rounding::{Direction, Rounding};
pub use engine::Engine;
pub use places::interpolation::Interpolation;
pub use places::lines::{Coverage, measure as lines};
pub use places::strips::Indexing;
pub use shader_accuracy::accuracy_of_used;
pub use special::passages::Passage;
pub use special::quantising::Quantising;
pub use special::specials::{Answer, Group};
pub use verdicts::{Section, Verdict};

#[derive(Clone, Debug, Default, Serialize)]
pub struct Card {
    /// The renderer.
    pub device: String,
    pub api: String,
    /// The driver's version text.
    pub driver: String,
    pub seed: u64,
    pub engines: Vec<Engine>,
    /// Whether shaders may say `precise`.
    pub precise: bool,
    pub max_texture_size: u32,
    /// The iterations after which all loops of an invocation end; `None` where no limit was found.
    pub loop_budget: Option<u32>,
    pub accuracy: Vec<Accuracy>,
    pub integers: Vec<Whole>,
    pub rounding: Vec<Rounding>,
    pub quantising: Option<Quantising>,
    pub contraction: Vec<Contraction>,
    /// Denormals, NaN, infinities, zeros, algebra.
    pub specials: Vec<Answer>,
    pub passages: Vec<Passage>,
    /// The largest texel that is reached exactly, by each way.
    pub indexing: Vec<Indexing>,
    pub lines: Vec<Coverage>,
    pub interpolation: Vec<Interpolation>,
    /// Whether the observer stopped it: what was not reached is missing.
    pub stopped: bool,
}

impl Card {
    fn new(context: &Context, seed: u64) -> Result<Card> {
        let abilities = context.abilities();
        Ok(Card {
            device: abilities.renderer.clone(),
            api: abilities.api_text(),
            driver: abilities.version_text.clone(),
            seed,
            engines: Engine::of(context),
            precise: abilities.precise,
            max_texture_size: abilities.max_texture_size,
            loop_budget: context.loop_budget()?,
            ..Card::default()
        })
    }
}

pub fn sources() -> Result<Vec<Source>, stream::Error> {
    let mut asks: Vec<Ask> =
        Operation::all().into_iter().map(|operation| Ask::Float(operation.expression)).collect();
    asks.extend(contraction::FORMS.map(|(_, expression, _)| Ask::Float(expression)));
    asks.push(integers::ask());
    asks.push(Ask::floats(rounding::EXPRESSIONS.into_iter()));
    asks.extend(Special::asks().into_iter().map(|(ask, _)| ask));
    let mut sources = Vec::new();
    for engine in Engine::ALL {
        for ask in &asks {
            sources.push(ask.source(engine)?);
        }
    }
    sources.extend([quantising::source()?, lines::source()?]);
    sources.extend(passages::sources()?);
    sources.extend(strips::sources()?);
    sources.extend(interpolation::sources()?);
    Ok(sources)
}

/// A piece of the work, after which the observer is asked.
type Step<'a> = Box<dyn Fn(&mut Card) -> Result<()> + 'a>;

/// Makes the card: about ten seconds on a software renderer of two cores.
pub fn run(context: &Context, seed: u64, observer: &mut dyn Observer) -> Result<Card> {
    let mut card = Card::new(context, seed)?;
    let steps = steps(context, seed);
    let expected = Some(steps.len() as u64);
    for (done, step) in steps.iter().enumerate() {
        let progress = Progress::new(done as u64, expected);
        if observer.observe(&progress) == Control::Stop {
            card.stopped = true;
            break;
        }
        step(&mut card)?;
    }
    Ok(card)
}

/// Fragments and texels first: what most programs are made of.
fn steps(context: &Context, seed: u64) -> Vec<Step<'_>> {
    let mut steps = steps_of(context, Engine::Fragment, seed);
    steps.extend(texel_steps(context));
    for engine in Engine::of(context).into_iter().skip(1) {
        steps.extend(steps_of(context, engine, seed));
    }
    steps
}

fn texel_steps(context: &Context) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    steps.push(Box::new(move |card| {
        card.quantising = Some(quantising::measure(context)?);
        card.passages = passages::measure(context)?;
        card.lines = lines::measure(context)?;
        Ok(())
    }));
    steps.push(Box::new(move |card| {
        card.indexing = strips::by_place(context)?;
        let (interpolation, indices) = interpolation::measure(context)?;
        card.interpolation = interpolation;
        card.indexing.extend(indices);
        card.indexing.push(strips::in_floats(context)?);
        Ok(())
    }));
    for extent in strips::floor_extents(context) {
        steps.push(Box::new(move |card| {
            card.indexing.push(strips::by_floor(context, extent)?);
            Ok(())
        }));
    }
    steps
}

fn steps_of(context: &Context, engine: Engine, seed: u64) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for operation in Operation::all() {
        if !operation.new || context.abilities().precise {
            steps.push(Box::new(move |card| {
                card.accuracy.extend(accuracy::measure(context, engine, &operation, seed)?);
                Ok(())
            }));
        }
    }
    steps.push(Box::new(move |card| {
        card.integers.extend(integers::measure(context, engine, seed)?);
        Ok(())
    }));
    steps.push(Box::new(move |card| {
        card.rounding.extend(rounding::measure(context, engine, seed)?);
        card.contraction.extend(contraction::measure(context, engine, seed)?);
        card.specials.extend(specials::measure(context, engine)?);
        Ok(())
    }));
    steps
}
