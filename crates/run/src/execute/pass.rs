//! A pass of an experiment, compiled.

use crate::plan::tiling::Tiling;
use quadrille::Extent;
use quadrille::gl::{AnyTexture, Context, Sampling, Target, Value};
use quadrille::internal::gl::sample;
use quadrille::stream::{self, Geometry};

use crate::Result;
use crate::execute::inputs::PassInputs;
use crate::execute::loop_guard::LoopGuard;
use crate::execute::loop_guard::compute::ComputeGuard;
use crate::execute::primitive::{self, PreparedPrimitive};
use crate::execute::state::{Input, Output};
use crate::execute::store::Store;
use crate::io::cells::Cells;
use crate::plan::ir::{Dispatch, Feedback, Planned, ReadFrom};
use crate::plan::sampling;
use crate::plan::uniforms::builtin::{Facts, REPETITION, Setting};
use crate::plan::uniforms::parsed;
use crate::setup::{PassSetup, Program};
use crate::source::compiled::{Compiled, Executable};

/// A draw or a dispatch that each step runs once or several times.
pub(crate) struct Pass {
    /// Empty where it is the only one.
    pub(crate) name: String,
    pub(crate) program: Program,
    pub(crate) executable: Executable,
    pub(crate) planned: Planned,
    /// The outputs that the next repetition reads, and room to exchange with theirs.
    pub(crate) feedback: Vec<(Feedback, Store)>,
    watch: Watched,
    /// The primitive that it runs in place of a shader.
    step: Option<Box<dyn PreparedPrimitive>>,
    /// Whether it may leave cells of its outputs as they are, found once: the text is read for it.
    is_partial: bool,
}

/// The way to find out that the device ended a loop early.
enum Watched {
    Not,
    Draw(Box<LoopGuard>),
    Dispatch(ComputeGuard),
}

impl Pass {
    pub(crate) fn new(
        mut executable: Executable,
        setup: &PassSetup,
        mut planned: Planned,
        made: &[Output],
        context: &Context,
    ) -> Result<Pass> {
        for (name, value) in &planned.uniforms {
            executable.check_value(name, value)?;
        }
        let (mut watch, mut step) = (Watched::Not, None);
        match &mut executable {
            Executable::Draw(draw) => {
                let Compiled { text, kernel } = &mut **draw;
                if let Some((watched, guard)) =
                    LoopGuard::new(text, kernel, planned.extent, planned.cut)?
                {
                    (*kernel, watch) = (watched, Watched::Draw(Box::new(guard)));
                }
            }
            Executable::Dispatch(dispatch) => {
                let Compiled { text, kernel } = &mut **dispatch;
                if let Some((watched, ended)) = ComputeGuard::new(text, kernel)? {
                    (*kernel, watch) = (watched, Watched::Dispatch(ended));
                }
            }
            Executable::Primitive(primitive) => {
                let made = |takes| primitive::made(context, &setup.name, primitive, takes);
                step = planned.takes.map(made).transpose()?;
            }
        }
        let second = |feedback: Feedback| {
            let output = &made[feedback.output];
            let (class, channels) = (output.class(), output.channels());
            let cells = Cells { class, channels, extent: output.extent() };
            let (place, tiling) = (output.store.place(), output.store.tiling());
            Ok((feedback, Store::empty(context, cells, place, tiling, output.precision())?))
        };
        let feedback = std::mem::take(&mut planned.feedback);
        let feedback = feedback.into_iter().map(second).collect::<Result<_>>()?;
        // What is not written keeps what an earlier step wrote.
        let is_partial = executable.is_partial();
        planned.is_last &= !is_partial;
        Ok(Pass {
            name: setup.name.clone(),
            program: setup.source.clone(),
            executable,
            planned,
            feedback,
            watch,
            step,
            is_partial,
        })
    }

    /// Refuses a sampling that the device does not have.
    pub(crate) fn must_sample(&self, inputs: &[Input], outputs: &[Output]) -> Result<()> {
        let sources = PassInputs { inputs, outputs, feedback: &self.feedback, repetition: 0 };
        textures(&self.planned.reads, &self.planned.samplings, sources, 0).map(drop)
    }

    /// Draws or dispatches as often as it is to in a step.
    pub(crate) fn run(
        &mut self,
        inputs: &[Input],
        outputs: &mut [Output],
        iteration: u64,
    ) -> Result<()> {
        for repetition in 0..self.planned.repeat {
            if repetition > 0 {
                for (feedback, second) in &mut self.feedback {
                    std::mem::swap(second, &mut outputs[feedback.output].store);
                }
            }
            self.run_once(inputs, outputs, iteration, repetition)?;
        }
        Ok(())
    }

    /// Draws or dispatches. `outputs` are those of all passes; the earlier ones can be read.
    fn run_once(
        &mut self,
        inputs: &[Input],
        outputs: &mut [Output],
        iteration: u64,
        repetition: u32,
    ) -> Result<()> {
        let (earlier, rest) = outputs.split_at_mut(self.planned.outputs.start);
        let own = &mut rest[..self.planned.outputs.len()];
        let sources = PassInputs { inputs, outputs: earlier, feedback: &self.feedback, repetition };
        if self.is_partial {
            sources.keep(self.planned.all_reads(), own, self.planned.outputs.start)?;
        }
        let counted = Value::Int(i32::try_from(repetition).unwrap_or(i32::MAX));
        let counted = self.planned.counts_repetitions.then_some((REPETITION, counted));
        let uniforms = || {
            values(&self.planned.uniforms, &self.planned.moving, &self.planned.facts, iteration)
                .chain(counted.clone())
        };
        match &self.executable {
            Executable::Primitive(_) => {
                let read = textures(&self.planned.reads, &self.planned.samplings, sources, 0)?;
                let target = own.first_mut().and_then(|output| output.store.target(0));
                match (&mut self.step, read.first(), target) {
                    (Some(step), Some((_, x)), Some(target)) => step.run(*x, target),
                    _ => Ok(()),
                }
            }
            Executable::Draw(draw) => {
                let Compiled { text, kernel } = &**draw;
                if text.has_own_vertices() {
                    // Its corners may leave a part of the target, which is empty there.
                    own.iter_mut().try_for_each(|output| output.store.clear())?;
                }
                let tiling = self.planned.cut.map(|cut| cut.tiling);
                for panel in 0..tiling.map_or(1, |tiling| tiling.count()) {
                    let mut pass = kernel.pass();
                    if let Some(tiling) = &tiling {
                        pass = over_panel(pass, tiling, panel);
                    }
                    for (sampler, texture) in
                        textures(&self.planned.reads, &self.planned.samplings, sources, panel)?
                    {
                        pass = pass.input(sampler, texture);
                    }
                    for (name, value) in uniforms() {
                        pass = pass.uniform(name, value);
                    }
                    let targets = own.iter_mut().filter_map(|output| output.store.target(panel));
                    let mut targets: Vec<&mut dyn Target> = targets.collect();
                    match &mut self.watch {
                        Watched::Draw(watch) => watch.draw(pass, targets, panel)?,
                        _ => pass.draw_into(&mut targets)?,
                    }
                }
                Ok(own.iter().try_for_each(|output| output.store.fill_halos())?)
            }
            Executable::Dispatch(compiled) => {
                let kernel = &compiled.kernel;
                let Some(Dispatch { groups, reads, writes }) = &self.planned.dispatch else {
                    return Ok(());
                };
                let mut dispatch = kernel.dispatch();
                for (sampler, texture) in
                    textures(&self.planned.reads, &self.planned.samplings, sources, 0)?
                {
                    dispatch = dispatch.input(sampler, texture);
                }
                for (name, from) in reads {
                    dispatch = sources.store(name, *from).bind(dispatch, name);
                }
                for (name, output) in writes.iter().zip(own) {
                    dispatch = output.store.bind_mut(dispatch, name);
                }
                for (name, value) in uniforms() {
                    dispatch = dispatch.uniform(name, value);
                }
                match &mut self.watch {
                    Watched::Dispatch(ended) => Ok(ended.run(dispatch, *groups)?),
                    _ => Ok(dispatch.run(*groups)?),
                }
            }
        }
    }

    /// Changes a uniform, and returns whether the shader declares it.
    pub(crate) fn set(&mut self, name: &str, text: &str) -> Result<bool> {
        let own = self.executable.uniform(name)?.map(|uniform| uniform.name);
        let name = own.as_deref().unwrap_or(name);
        let Some(glsl) = self.executable.type_of(name) else {
            return Ok(self.executable.declares(name));
        };
        let value = parsed(self.executable.name(), name, glsl, text)?;
        match self.planned.uniforms.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.planned.uniforms.push((name.to_owned(), value)),
        }
        self.planned.moving.retain(|setting| setting.name != name);
        self.planned.counts_repetitions &= name != REPETITION;
        Ok(true)
    }

    /// Goes back to the state before the first step.
    pub(crate) fn restart(&mut self, outputs: &mut [Output]) -> Result<()> {
        if self.is_partial {
            for output in &mut outputs[self.planned.outputs.clone()] {
                output.restart()?;
            }
        }
        match &mut self.watch {
            Watched::Not => Ok(()),
            Watched::Draw(watch) => Ok(watch.restart()?),
            Watched::Dispatch(ended) => ended.restart(),
        }
    }

    /// Refuses results after these many steps if the device ended any of their loops early; with
    /// `flip` rows count from the last of the textures.
    pub(crate) fn must_be_whole(&self, steps: u64, flip: bool) -> Result<()> {
        match (&self.watch, &self.executable) {
            (Watched::Draw(watch), Executable::Draw(draw)) => {
                watch.check(&draw.kernel, steps, flip)
            }
            (Watched::Dispatch(ended), _) => ended.check(self.executable.name(), steps),
            _ => Ok(()),
        }
    }
}

/// Draws what a panel owns, as `include/panels.glsl` has it.
fn over_panel<'a>(pass: stream::Pass<'a>, tiling: &Tiling, panel: usize) -> stream::Pass<'a> {
    let side = |texels: i64| i32::try_from(texels).unwrap_or(i32::MAX);
    let extent = |extent: Extent| [extent.width, extent.height].map(|texels| side(texels.into()));
    let [columns, rows] = tiling.windows(panel);
    pass.over(Geometry::Rectangle(tiling.owned(panel)))
        .uniform("quadrille_whole", extent(tiling.whole()))
        .uniform("quadrille_stored", extent(tiling.stored()))
        .uniform("quadrille_shift", tiling.shift(panel).map(side))
        .uniform("quadrille_columns", columns.map(side))
        .uniform("quadrille_rows", rows.map(side))
}

/// Returns the texture of each sampler, with the sampling that was set: that of a panel, if it is
/// in panels.
fn textures<'a>(
    reads: &'a [(String, ReadFrom)],
    samplings: &[Sampling],
    sources: PassInputs<'a>,
    panel: usize,
) -> Result<Vec<(&'a String, &'a dyn AnyTexture)>> {
    let mut textures = Vec::with_capacity(reads.len());
    for ((sampler, from), asked) in reads.iter().zip(samplings) {
        let Some(texture) = sources.store(sampler, *from).texture_of(panel) else { continue };
        sample(texture, *asked).map_err(|error| sampling::called(error, sampler))?;
        textures.push((sampler, texture));
    }
    Ok(textures)
}

/// Returns the uniforms of a step: those that stay, and those that it sets.
fn values<'a>(
    uniforms: &'a [(String, Value)],
    moving: &'a [Setting],
    facts: &'a Facts,
    step: u64,
) -> impl Iterator<Item = (&'a str, Value)> {
    let still = uniforms.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let moving = moving.iter();
    still.chain(moving.filter_map(move |one| Some((one.name.as_str(), one.value(facts, step)?))))
}
