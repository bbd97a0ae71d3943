//! The plan of an experiment: the inputs, outputs and extent of each pass. A pure function of the
//! setup and the shaders' names, so that all is checked before anything is uploaded.

mod compute_outputs;
pub(super) mod extent;
pub(super) mod ir;
mod liveness;
mod of_primitive;
pub(super) mod panels;
mod reads;
mod repeat;
pub(super) mod sampling;
pub(crate) mod tiling;
pub(super) mod uniforms;
pub(super) mod validate;

use crate::error::{InputError, PassError, Result, SizeError};
use quadrille::Extent;
use quadrille::gl::{Class, TypeKind};
use quadrille::internal::stream::Uniform;
use quadrille::stream;

use crate::dialect::number_of_pass;
use crate::io::cells::Cells;
use crate::plan::extent::Sizes;
use crate::plan::ir::{Dispatch, Plan, Planned, ReadFrom, Written};
use crate::plan::uniforms::builtin::{Facts, RATE, REPETITION, Setting};
use crate::setup::array::Array;
use crate::setup::precision::Precision;
use crate::setup::scale::{Scale, Size};
use crate::setup::settings::Settings;
use crate::setup::{PassSetup, Setup};
use crate::source::place::Place;
use crate::source::shader::{ComputeInterface, Shader};

/// The name of the setup's own size in a scale, where the others name an array.
const SIZE: &str = "size";

/// Plans an experiment of passes and their shaders, in the same order.
pub(super) fn plan(passes: &[PassSetup], shaders: &[Shader], setup: &Setup) -> Result<Plan> {
    validate::must_be_used(passes, shaders, setup)?;
    let plan = Plan { inputs: Vec::new(), outputs: Vec::new(), passes: Vec::new() };
    let mut planner = Planner { setup, plan };
    for (pass, shader) in passes.iter().zip(shaders) {
        planner.add(pass, shader)?;
    }
    for (output, input) in &setup.settings.feedback {
        planner.feed_back(shaders, output, input)?;
    }
    Ok(liveness::with_last_passes(planner.plan))
}

struct Planner<'a> {
    setup: &'a Setup,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, pass: &PassSetup, shader: &Shader) -> Result<()> {
        let mut missing = Vec::new();
        let reads = self.reads(pass, shader, &mut missing)?;
        let stored = self.stored_reads(pass, shader, &mut missing)?;
        let mut uniforms = uniforms::uniforms(pass, shader, self.setup)?;
        let int = TypeKind::Number { class: Class::Int, components: 1 };
        let (mut settings, mut counts_repetitions) = (Vec::new(), false);
        for Uniform { name, glsl, .. } in shader.uniforms.used() {
            if uniforms.iter().any(|(given, _)| given == name) {
                continue;
            }
            match Setting::of(shader.dialect, name, *glsl) {
                Some(setting) => settings.push(setting),
                None if pass.repeat.is_some() && name == REPETITION && *glsl == int.into() => {
                    counts_repetitions = true;
                }
                None => {}
            }
        }
        missing.extend(shader.uniforms.missing(|name| {
            uniforms.iter().any(|(given, _)| given == name)
                || settings.iter().any(|setting: &Setting| setting.name == name)
                || counts_repetitions && name == REPETITION
        }));
        if !missing.is_empty() {
            return Err(stream::Error::Missing { kernel: shader.name.clone(), missing }.into());
        }
        let takes = pass.source.primitive().zip(self.taken(&reads));
        let (extent, written, dispatch) = match (&shader.dispatched, takes) {
            (_, Some((primitive, takes))) => {
                let written = of_primitive::output(pass, primitive, takes)?;
                (written.cells.extent, vec![written], None)
            }
            (None, None) => {
                let (extent, line) = self.sizes(pass, shader, &reads)?.choose(&pass.name)?;
                self.must_be_drawn(pass, shader)?;
                (extent, drawn(pass, shader, extent, line), None)
            }
            (Some(dispatched), None) => {
                let all: Vec<_> = reads.iter().chain(&stored).cloned().collect();
                let (extent, line) = self.dispatched_extent(pass, shader, dispatched, &all)?;
                let setup = self.setup;
                let written = compute_outputs::outputs(setup, pass, shader, extent, line)?;
                let groups = compute_outputs::groups(setup, pass, shader, &written)?;
                let writes = dispatched.storage.iter().filter(|stored| stored.access.writes());
                let writes = writes.map(|stored| stored.name.clone()).collect();
                (extent, written, Some(Dispatch { groups, reads: stored, writes }))
            }
        };
        let Settings { rate, start, .. } = self.setup.settings;
        let (rate, start) = (rate.unwrap_or(RATE), start.unwrap_or(0));
        let facts = Facts::new(extent, rate, start, |sampler| self.extent_of(sampler, &reads));
        let facts = Facts { pass: pass.source().map_or(0, number_of_pass), ..facts };
        let (moving, still): (Vec<_>, Vec<_>) = settings.into_iter().partition(Setting::moves);
        let value = |setting: Setting| Some((setting.value(&facts, 0)?, setting.name));
        uniforms.extend(still.into_iter().filter_map(value).map(|(value, name)| (name, value)));
        let taken = |name: &String| self.setup.find(name).is_some();
        let mut names = written.iter().map(|written| written.name.clone());
        if let Some(name) = names.find(|name| !pass.name.is_empty() && taken(name)) {
            return Err(PassError::Twice { what: "name of an input and of an output", name }.into());
        }
        let first = self.plan.outputs.len();
        self.plan.outputs.extend(written);
        let outputs = first..self.plan.outputs.len();
        let stored = dispatch.iter().flat_map(|dispatch: &Dispatch| &dispatch.reads);
        let all: Vec<_> = reads.iter().chain(stored).cloned().collect();
        let feedback =
            repeat::feedback(self.setup, &self.plan, pass, shader, &all, outputs.clone())?;
        self.plan.passes.push(Planned {
            reads,
            samplings: Vec::new(),
            uniforms,
            moving,
            facts,
            repeat: pass.repeat.unwrap_or(1),
            counts_repetitions,
            feedback,
            outputs,
            extent,
            cut: None,
            dispatch,
            takes: takes.map(|(_, (cells, _))| cells),
            is_last: false,
        });
        Ok(())
    }

    /// Refuses a number of work groups for a draw.
    fn must_be_drawn(&self, pass: &PassSetup, shader: &Shader) -> Result<()> {
        match pass.groups.is_some() {
            true => Err(SizeError::NoGroups { kernel: shader.name.clone() }.into()),
            false => Ok(()),
        }
    }

    /// Returns the extent of what a sampler reads, or of the input of its name, which the compiler
    /// may have removed.
    fn extent_of(&self, sampler: &str, reads: &[(String, ReadFrom)]) -> Option<Extent> {
        let input = |array: usize| self.setup.arrays[array].layout.extent;
        match reads.iter().find(|(name, _)| name == sampler) {
            Some((_, ReadFrom::Input(index))) => Some(input(self.plan.inputs[*index].array)),
            Some((_, ReadFrom::Output(index))) => Some(self.plan.outputs[*index].cells.extent),
            None => self.setup.find(sampler).map(|(index, _)| index).map(input),
        }
    }

    /// Returns the extent that the pass computes: the one that is given, else that of the first
    /// array that it writes and that is given, else that of all that it reads.
    fn dispatched_extent(
        &self,
        pass: &PassSetup,
        shader: &Shader,
        dispatched: &ComputeInterface,
        reads: &[(String, ReadFrom)],
    ) -> Result<(Extent, bool)> {
        let given = pass.size.is_some() || self.setup.settings.size.is_some();
        let written = dispatched.storage.iter().filter(|stored| stored.access.writes());
        match written.filter_map(|stored| compute_outputs::initial(self.setup, stored)).next() {
            Some((_, Array { layout, .. })) if !given => Ok((layout.extent, layout.line)),
            _ => self.sizes(pass, shader, reads)?.choose(&pass.name),
        }
    }

    /// Returns the extents from which that of a pass follows: of the inputs that its outputs
    /// become, else of all that it reads, inputs first.
    fn sizes(
        &self,
        pass: &PassSetup,
        shader: &Shader,
        reads: &[(String, ReadFrom)],
    ) -> Result<Sizes> {
        let setup = self.setup;
        let given = match &pass.size {
            Some(Size::Extent(extent)) => Some(*extent),
            Some(Size::Scale(scale)) => Some(self.scaled(pass, scale)?),
            None => setup.settings.size,
        };
        let is_own = |name: &String| shader.written_names().any(|own| pass.full_name(own) == *name);
        let feeds = |name: &String| {
            setup.settings.feedback.iter().any(|(output, input)| input == name && is_own(output))
        };
        let size_of = |array: usize| {
            let Array { name, layout, .. } = &setup.arrays[array];
            let is_layered = self
                .plan
                .inputs
                .iter()
                .any(|read| read.array == array && read.place == Place::Layers);
            let extent = layout.as_layers().filter(|_| is_layered).unwrap_or(*layout).extent;
            (name.clone(), extent, layout.line)
        };
        let all = || 0..setup.arrays.len();
        let fed: Vec<usize> = all().filter(|array| feeds(&setup.arrays[*array].name)).collect();
        if !fed.is_empty() {
            let sources = fed.into_iter().map(size_of).collect();
            return Ok(Sizes { given, sources });
        }
        let input = |from: &ReadFrom| match from {
            ReadFrom::Input(index) => Some(self.plan.inputs[*index].array),
            ReadFrom::Output(_) => None,
        };
        let is_read = |array: &usize| {
            let removed = shader.has_removed(&setup.arrays[*array].name);
            removed || reads.iter().any(|(_, from)| input(from) == Some(*array))
        };
        let mut sources: Vec<_> = all().filter(is_read).map(size_of).collect();
        sources.extend(reads.iter().filter_map(|(_, from)| match from {
            ReadFrom::Input(_) => None,
            ReadFrom::Output(index) => {
                let output = &self.plan.outputs[*index];
                Some((output.name.clone(), output.cells.extent, output.line))
            }
        }));
        Ok(Sizes { given, sources })
    }

    /// Returns the extent that a pass has by that of something else.
    fn scaled(&self, pass: &PassSetup, scale: &Scale) -> Result<Extent> {
        let name = scale.name();
        let outputs = || self.plan.outputs.iter();
        let input = self.setup.find(name).map(|(_, array)| array.layout.extent);
        let output = outputs().find(|output| output.name == name).map(|output| output.cells.extent);
        let whole = self.setup.settings.size.filter(|_| name == SIZE);
        match whole.or(input).or(output) {
            Some(extent) => Ok(scale.applied(extent)),
            None => {
                let given = self.setup.settings.size.map(|_| SIZE.to_owned());
                let inputs = self.setup.arrays.iter().map(|array| array.name.clone());
                let outputs = outputs().map(|output| output.name.clone());
                let has = given.into_iter().chain(inputs).chain(outputs).collect();
                Err(SizeError::ScaleOf { pass: pass.name.clone(), of: name.to_owned(), has }.into())
            }
        }
    }

    fn feed_back(&mut self, shaders: &[Shader], output: &str, input: &str) -> Result<()> {
        let Plan { inputs, outputs, passes } = &mut self.plan;
        let Some(index) = outputs.iter().position(|written| written.name == output) else {
            let has = outputs.iter().map(|written| written.name.clone()).collect();
            return Err(validate::no_such(&validate::names(shaders), "output", output, has));
        };
        let arrays = &self.setup.arrays;
        let Some(read) = inputs.iter().position(|read| arrays[read.array].name == input) else {
            if self.setup.leaves_out {
                return Ok(());
            }
            let (kernel, name) = (validate::names(shaders), input.to_owned());
            if shaders.iter().any(|shader| shader.has_removed(input)) {
                return Err(
                    PassError::Unread { kernel, input: name, output: output.to_owned() }.into()
                );
            }
            let has = inputs.iter().map(|read| arrays[read.array].name.clone()).collect();
            return Err(validate::no_such(&kernel, "input", input, has));
        };
        let (class, layout) = (inputs[read].class, arrays[inputs[read].array].layout);
        let there = Cells { class, channels: layout.channels, extent: layout.extent };
        let here = outputs[index].cells;
        let (place, there_place) = (outputs[index].place, inputs[read].place);
        if place != there_place {
            let (shader, output) = (inputs[read].reader.clone(), output.to_owned());
            let (place, expected) = (place.described(None), there_place.described(None));
            return Err(PassError::OutputPlace { output, place, shader, expected }.into());
        }
        if outputs[index].keeps {
            return Err(PassError::InPlace { output: output.to_owned() }.into());
        }
        if here != there {
            let (output, input) = (output.to_owned(), input.to_owned());
            return Err(PassError::Feedback { output, input, is: here, was: there }.into());
        }
        outputs[index].becomes = Some(read);
        let stores =
            passes.iter().any(|pass| pass.dispatch.is_some() && pass.outputs.contains(&index));
        if stores && inputs[read].precision == Precision::Half {
            return Err(InputError::NotHalf { input: input.to_owned() }.into());
        }
        outputs[index].precision = inputs[read].precision;
        Ok(())
    }
}

/// Returns the outputs of a draw.
fn drawn(pass: &PassSetup, shader: &Shader, extent: Extent, line: bool) -> Vec<Written> {
    let written = shader.outputs.iter().map(|output| {
        let cells = Cells { class: output.class, channels: output.channels, extent };
        Written::to_texture(pass.full_name(&output.name), output.kind.clone(), cells, line)
    });
    written.collect()
}

#[cfg(test)]
mod tests;
