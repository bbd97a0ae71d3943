//! The plan of an experiment: the inputs, outputs and extent of each pass. A pure function of the setup and
//! the shaders' names, so that all is checked before anything is uploaded.

use crate::Extent;
use crate::data::Field;
use crate::gl::{Class, Type, TypeKind, Value};
use crate::shader::Access;
use crate::stream;

use super::cells::Cells;
use super::extent::Sizes;
use super::planned::{Dispatch, From, Plan, Planned, Read, Written};
use super::precision::Precision;
use super::scale::Scale;
use super::setup::{Array, Given, PassSetup, Setup, Size};
use super::shader::{Dispatched, Shader, Stored};
use super::store::Place;
use super::supplied::{Facts, RATE, Setting};
use super::{Error, again, uniform, written};

/// What a scale follows from that is of no array: the size of the setup.
const SIZE: &str = "size";
/// What a pass that is repeated gets, besides what each does.
pub(super) const REPETITION: &str = "repetition";

/// Plans an experiment of passes and their shaders, in the same order.
pub(super) fn plan(passes: &[PassSetup], shaders: &[Shader], setup: &Setup) -> Result<Plan, Error> {
    must_be_used(passes, shaders, setup)?;
    let plan = Plan { inputs: Vec::new(), outputs: Vec::new(), passes: Vec::new() };
    let mut planner = Planner { setup, plan };
    for (pass, shader) in passes.iter().zip(shaders) {
        planner.add(pass, shader)?;
    }
    for (output, input) in &setup.feedback {
        planner.feed_back(shaders, output, input)?;
    }
    Ok(again::with_last_passes(planner.plan))
}

struct Planner<'a> {
    setup: &'a Setup,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, pass: &PassSetup, shader: &Shader) -> Result<(), Error> {
        let mut missing = Vec::new();
        let reads = self.reads(pass, shader, &mut missing)?;
        let stored = self.stored_reads(pass, shader, &mut missing)?;
        let mut uniforms = given_uniforms(pass, shader, self.setup)?;
        let int = TypeKind::Number { class: Class::Int, components: 1 };
        let (mut settings, mut counts_repetitions) = (Vec::new(), false);
        for (name, glsl) in &shader.uniforms {
            if uniforms.iter().any(|(given, _)| given == name) {
                continue;
            }
            match Setting::of(shader.dialect, name, *glsl) {
                Some(setting) => settings.push(setting),
                None if pass.repeat.is_some() && name == REPETITION && *glsl == int.into() => {
                    counts_repetitions = true;
                }
                None => missing.push(format!("{glsl} {name}")),
            }
        }
        if !missing.is_empty() {
            return Err(stream::Error::Missing { kernel: shader.name.clone(), missing }.into());
        }
        let (extent, written, dispatch) = match &shader.dispatched {
            None => {
                let (extent, line) = self.sizes(pass, shader, &reads)?.choose(&pass.name)?;
                self.must_be_drawn(pass, shader)?;
                (extent, drawn(pass, shader, extent, line), None)
            }
            Some(dispatched) => {
                let all: Vec<_> = reads.iter().chain(&stored).cloned().collect();
                let (extent, line) = self.dispatched_extent(pass, shader, dispatched, &all)?;
                let setup = self.setup;
                let written = written::outputs(setup, pass, shader, (extent, line))?;
                let groups = written::groups(setup, pass, shader, &written)?;
                let writes = dispatched.storage.iter().filter(|stored| stored.access.writes());
                let writes = writes.map(|stored| stored.name.clone()).collect();
                (extent, written, Some(Dispatch { groups, reads: stored, writes }))
            }
        };
        let rate = self.setup.rate.unwrap_or(RATE);
        let facts = Facts::new(extent, rate, |sampler| self.extent_of(sampler, &reads));
        let (moving, still): (Vec<_>, Vec<_>) = settings.into_iter().partition(Setting::moves);
        let value = |setting: Setting| Some((setting.value(&facts, 0)?, setting.name));
        uniforms.extend(still.into_iter().filter_map(value).map(|(value, name)| (name, value)));
        let taken = |name: &String| self.setup.inputs.iter().any(|(input, _)| input == name);
        let mut names = written.iter().map(|written| written.name.clone());
        if let Some(name) = names.find(|name| !pass.name.is_empty() && taken(name)) {
            return Err(Error::Twice { what: "name of an input and of an output", name });
        }
        let first = self.plan.outputs.len();
        self.plan.outputs.extend(written);
        let outputs = first..self.plan.outputs.len();
        let stored = dispatch.iter().flat_map(|dispatch: &Dispatch| &dispatch.reads);
        let all: Vec<_> = reads.iter().chain(stored).cloned().collect();
        let again = again::again((self.setup, &self.plan), pass, shader, &all, outputs.clone())?;
        self.plan.passes.push(Planned {
            reads,
            samplings: Vec::new(),
            uniforms,
            moving,
            facts,
            repeat: pass.repeat.unwrap_or(1),
            counts_repetitions,
            again,
            outputs,
            extent,
            dispatch,
            is_last: false,
        });
        Ok(())
    }

    /// Refuses a number of work groups for a draw.
    fn must_be_drawn(&self, pass: &PassSetup, shader: &Shader) -> Result<(), Error> {
        let alone = pass.name.is_empty() && self.setup.groups.is_some();
        match pass.groups.is_some() || alone {
            true => Err(Error::NoGroups { kernel: shader.name.clone() }),
            false => Ok(()),
        }
    }

    /// The extent of what a sampler reads, or of the input of its name, which the compiler may have removed.
    fn extent_of(&self, sampler: &str, reads: &[(String, From)]) -> Option<Extent> {
        let input = |given: usize| self.setup.inputs[given].1.layout.extent;
        match reads.iter().find(|(name, _)| name == sampler) {
            Some((_, From::Input(index))) => Some(input(self.plan.inputs[*index].given)),
            Some((_, From::Output(index))) => Some(self.plan.outputs[*index].cells.extent),
            None => self.setup.inputs.iter().position(|(name, _)| name == sampler).map(input),
        }
    }

    /// Where each sampler of a pass reads: what [`PassSetup::read`] names, else the input of its own name.
    fn reads(
        &mut self,
        pass: &PassSetup,
        shader: &Shader,
        missing: &mut Vec<String>,
    ) -> Result<Vec<(String, From)>, Error> {
        for (sampler, _) in &pass.reads {
            if !shader.reads(sampler) && !shader.has_removed(sampler) {
                let has = shader.read_names().cloned().collect();
                return Err(no_such(&shader.name, "input", sampler, has));
            }
        }
        let mut reads = Vec::new();
        for (sampler, class) in &shader.samplers {
            let named = pass.reads.iter().find(|(name, _)| name == sampler).map(|(_, from)| from);
            let from = named.unwrap_or(sampler);
            let layered = shader.layered.contains(sampler);
            let place = if layered { Place::Layers } else { Place::Texture };
            let found = match self.setup.inputs.iter().position(|(name, _)| name == from) {
                Some(given) => From::Input(self.input(given, *class, (place, None), shader)?),
                None if named.is_some() => {
                    From::Output(self.earlier(pass, shader, from, *class, place)?)
                }
                None => {
                    let kind = match place {
                        Place::Layers => TypeKind::SamplerArray(*class),
                        _ => TypeKind::Sampler(*class),
                    };
                    missing.push(format!("{kind} {sampler}"));
                    continue;
                }
            };
            reads.push((sampler.clone(), found));
        }
        Ok(reads)
    }

    /// Where each block and image that the shader only reads reads: what [`PassSetup::read`] names, else the input of its own
    /// name.
    fn stored_reads(
        &mut self,
        pass: &PassSetup,
        shader: &Shader,
        missing: &mut Vec<String>,
    ) -> Result<Vec<(String, From)>, Error> {
        let Some(Dispatched { storage, .. }) = &shader.dispatched else { return Ok(Vec::new()) };
        let mut reads = Vec::new();
        for stored in storage.iter().filter(|stored| stored.access == Access::Reads) {
            let Stored { name, kind, place, class, channels, .. } = stored;
            let named = pass.reads.iter().find(|(sampler, _)| sampler == name);
            let from = named.map_or(name, |(_, from)| from);
            let found = match self.setup.inputs.iter().position(|(input, _)| input == from) {
                Some(given) => {
                    let has = self.setup.inputs[given].1.layout.channels;
                    written::must_have(shader, stored, has)?;
                    let width = channels.filter(|_| *place == Place::Texture);
                    From::Input(self.input(given, *class, (*place, width), shader)?)
                }
                None if named.is_some() => {
                    let index = self.earlier(pass, shader, from, *class, *place)?;
                    written::must_have(shader, stored, self.plan.outputs[index].cells.channels)?;
                    From::Output(index)
                }
                None => {
                    missing.push(format!("{kind} {name}"));
                    continue;
                }
            };
            reads.push((name.clone(), found));
        }
        Ok(reads)
    }

    /// The extent that the pass computes: the one that is given, else that of the first array that it writes and that is
    /// given, else that of all that it reads.
    fn dispatched_extent(
        &self,
        pass: &PassSetup,
        shader: &Shader,
        dispatched: &Dispatched,
        reads: &[(String, From)],
    ) -> Result<(Extent, bool), Error> {
        let given = pass.size.is_some() || self.setup.extent.is_some();
        let written = dispatched.storage.iter().filter(|stored| stored.access.writes());
        match written.filter_map(|stored| written::initial(self.setup, stored)).next() {
            Some((_, Array { layout, .. })) if !given => Ok((layout.extent, layout.line)),
            _ => self.sizes(pass, shader, reads)?.choose(&pass.name),
        }
    }

    /// The index of an input, which all passes must read as one class and from one place.
    fn input(
        &mut self,
        given: usize,
        class: Class,
        (place, width): (Place, Option<usize>),
        shader: &Shader,
    ) -> Result<usize, Error> {
        if let Some(index) = self.plan.inputs.iter().position(|read| read.given == given) {
            let precision = self.precision(given, class, place, width)?;
            let read = &mut self.plan.inputs[index];
            let one_width = read.width.is_none() || width.is_none() || read.width == width;
            if read.class == class && read.place == place && one_width {
                read.width = read.width.or(width);
                if precision == Precision::Single {
                    read.precision = precision;
                }
                return Ok(index);
            }
            if read.class == class {
                return Err(Error::InputPlaces {
                    input: self.setup.inputs[given].0.clone(),
                    readers: [read.reader.clone(), shader.name.clone()],
                    places: [place_text(read.place, read.width), place_text(place, width)],
                });
            }
            return Err(Error::InputClasses {
                input: self.setup.inputs[given].0.clone(),
                readers: [read.reader.clone(), shader.name.clone()],
                classes: [read.class, class],
            });
        }
        self.must_have_layers(given, place)?;
        let precision = self.precision(given, class, place, width)?;
        let reader = shader.name.clone();
        self.plan.inputs.push(Read { given, class, place, width, precision, reader });
        Ok(self.plan.inputs.len() - 1)
    }

    /// Refuses an array of layers for what reads rows and columns, and the other way round.
    fn must_have_layers(&self, given: usize, place: Place) -> Result<(), Error> {
        let (input, array) = &self.setup.inputs[given];
        let (input, got) = (input.clone(), array.layout.shape());
        match place {
            Place::Layers if array.layout.as_layers().is_none() => {
                Err(Error::NotLayered { input, got })
            }
            Place::Texture if array.layout.layers > 0 => Err(Error::Layered { input, got }),
            _ => Ok(()),
        }
    }

    /// What is asked; half precision for numbers of a file that had it, unless an output replaces them.
    fn precision(
        &self,
        given: usize,
        class: Class,
        place: Place,
        width: Option<usize>,
    ) -> Result<Precision, Error> {
        let (name, array) = &self.setup.inputs[given];
        let can = class == Class::Float && place == Place::Texture && width.is_none();
        let asked = self.setup.precisions.iter().find(|(known, _)| known == name);
        match asked.map(|(_, precision)| *precision) {
            Some(Precision::Half) if !can => Err(Error::NotHalf { input: name.clone() }),
            Some(precision) => Ok(precision),
            None => {
                let is_replaced = self.setup.feedback.iter().any(|(_, input)| input == name);
                let is_half = array.field.as_ref().is_some_and(Field::is_half);
                Ok(if can && is_half && !is_replaced { Precision::Half } else { Precision::Single })
            }
        }
    }

    fn earlier(
        &self,
        pass: &PassSetup,
        shader: &Shader,
        from: &str,
        class: Class,
        place: Place,
    ) -> Result<usize, Error> {
        let outputs = &self.plan.outputs;
        let Some(index) = outputs.iter().position(|output| output.name == from) else {
            let inputs = self.setup.inputs.iter().map(|(name, _)| name);
            let has = inputs.chain(outputs.iter().map(|output| &output.name)).cloned().collect();
            return Err(Error::NotReadable { pass: pass.name.clone(), from: from.to_owned(), has });
        };
        let found = outputs[index].cells.class;
        if found != class {
            let (shader, output) = (shader.name.clone(), from.to_owned());
            return Err(Error::OutputClass { shader, output, found, class });
        }
        let found = outputs[index].place;
        if found != place {
            let (shader, output) = (shader.name.clone(), from.to_owned());
            let (place, expected) = (place_text(found, None), place_text(place, None));
            return Err(Error::OutputPlace { output, place, shader, expected });
        }
        Ok(index)
    }

    /// The extents from which that of a pass follows: of the inputs that its outputs become, else of all that it
    /// reads, inputs first.
    fn sizes(
        &self,
        pass: &PassSetup,
        shader: &Shader,
        reads: &[(String, From)],
    ) -> Result<Sizes, Error> {
        let setup = self.setup;
        let given = match &pass.size {
            Some(Size::Extent(extent)) => Some(*extent),
            Some(Size::Scale(scale)) => Some(self.scaled(pass, scale)?),
            None => setup.extent,
        };
        let is_own = |name: &String| shader.written_names().any(|own| pass.full_name(own) == *name);
        let feeds = |name: &String| {
            setup.feedback.iter().any(|(output, input)| input == name && is_own(output))
        };
        let size_of = |given: usize| {
            let (name, Array { layout, .. }) = &setup.inputs[given];
            let is_layered = self
                .plan
                .inputs
                .iter()
                .any(|read| read.given == given && read.place == Place::Layers);
            let extent = layout.as_layers().filter(|_| is_layered).unwrap_or(*layout).extent;
            (name.clone(), extent, layout.line)
        };
        let all = || 0..setup.inputs.len();
        let fed: Vec<usize> = all().filter(|given| feeds(&setup.inputs[*given].0)).collect();
        if !fed.is_empty() {
            let sources = fed.into_iter().map(size_of).collect();
            return Ok(Sizes { given, sources });
        }
        let input = |from: &From| match from {
            From::Input(index) => Some(self.plan.inputs[*index].given),
            From::Output(_) => None,
        };
        let is_read = |given: &usize| {
            let removed = shader.has_removed(&setup.inputs[*given].0);
            removed || reads.iter().any(|(_, from)| input(from) == Some(*given))
        };
        let mut sources: Vec<_> = all().filter(is_read).map(size_of).collect();
        sources.extend(reads.iter().filter_map(|(_, from)| match from {
            From::Input(_) => None,
            From::Output(index) => {
                let output = &self.plan.outputs[*index];
                Some((output.name.clone(), output.cells.extent, output.line))
            }
        }));
        Ok(Sizes { given, sources })
    }

    /// The extent that a pass has by that of something else.
    fn scaled(&self, pass: &PassSetup, scale: &Scale) -> Result<Extent, Error> {
        let name = scale.name();
        let inputs = || self.setup.inputs.iter();
        let outputs = || self.plan.outputs.iter();
        let input = inputs().find(|(input, _)| input == name).map(|(_, array)| array.layout.extent);
        let output = outputs().find(|output| output.name == name).map(|output| output.cells.extent);
        let whole = self.setup.extent.filter(|_| name == SIZE);
        match whole.or(input).or(output) {
            Some(extent) => Ok(scale.applied(extent)),
            None => {
                let given = self.setup.extent.map(|_| SIZE.to_owned());
                let inputs = inputs().map(|(name, _)| name.clone());
                let outputs = outputs().map(|output| output.name.clone());
                let has = given.into_iter().chain(inputs).chain(outputs).collect();
                Err(Error::ScaleOf { pass: pass.name.clone(), of: name.to_owned(), has })
            }
        }
    }

    fn feed_back(&mut self, shaders: &[Shader], output: &str, input: &str) -> Result<(), Error> {
        let Plan { inputs, outputs, passes } = &mut self.plan;
        let Some(index) = outputs.iter().position(|written| written.name == output) else {
            let has = outputs.iter().map(|written| written.name.clone()).collect();
            return Err(no_such(&names(shaders), "output", output, has));
        };
        let given = &self.setup.inputs;
        let Some(read) = inputs.iter().position(|read| given[read.given].0 == input) else {
            if self.setup.spare {
                return Ok(());
            }
            let (kernel, name) = (names(shaders), input.to_owned());
            if shaders.iter().any(|shader| shader.has_removed(input)) {
                return Err(Error::Unread { kernel, input: name, output: output.to_owned() });
            }
            let has = inputs.iter().map(|read| given[read.given].0.clone()).collect();
            return Err(no_such(&kernel, "input", input, has));
        };
        let (class, layout) = (inputs[read].class, given[inputs[read].given].1.layout);
        let there = Cells { class, channels: layout.channels, extent: layout.extent };
        let here = outputs[index].cells;
        let (place, there_place) = (outputs[index].place, inputs[read].place);
        if place != there_place {
            let (shader, output) = (inputs[read].reader.clone(), output.to_owned());
            let (place, expected) = (place_text(place, None), place_text(there_place, None));
            return Err(Error::OutputPlace { output, place, shader, expected });
        }
        if outputs[index].keeps {
            return Err(Error::InPlace { output: output.to_owned() });
        }
        if here != there {
            let (output, input) = (output.to_owned(), input.to_owned());
            return Err(Error::Feedback { output, input, is: here, was: there });
        }
        outputs[index].becomes = Some(read);
        let stores =
            passes.iter().any(|pass| pass.dispatch.is_some() && pass.outputs.contains(&index));
        if stores && inputs[read].precision == Precision::Half {
            return Err(Error::NotHalf { input: input.to_owned() });
        }
        outputs[index].precision = inputs[read].precision;
        Ok(())
    }
}

/// The outputs of a draw.
fn drawn(pass: &PassSetup, shader: &Shader, extent: Extent, line: bool) -> Vec<Written> {
    let written = shader.outputs.iter().map(|output| Written {
        name: pass.full_name(&output.name),
        kind: output.kind.clone(),
        cells: Cells { class: output.class, channels: output.channels, extent },
        line,
        place: Place::Texture,
        initial: None,
        keeps: false,
        becomes: None,
        precision: Precision::Single,
    });
    written.collect()
}

fn place_text(place: Place, width: Option<usize>) -> &'static str {
    match (place, width) {
        (Place::Buffer, _) => "a storage block",
        (Place::Layers, _) => "a texture of layers",
        (Place::Texture, None) => "a texture",
        (Place::Texture, Some(1)) => "an image of one channel",
        (Place::Texture, Some(2)) => "an image of two channels",
        (Place::Texture, Some(_)) => "an image of four channels",
    }
}

/// All that the setup alone tells.
pub(super) fn check_names(passes: &[PassSetup], setup: &Setup) -> Result<(), Error> {
    if let Some(got) = setup.rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
        return Err(Error::Rate { got });
    }
    if passes.is_empty() {
        return Err(Error::NoPass);
    }
    if let Some(pass) = passes.iter().find(|pass| pass.name.contains('.')) {
        return Err(Error::PassName { name: pass.name.clone() });
    }
    once("pass", passes.iter().map(|pass| &pass.name))?;
    for pass in passes {
        once("sampler", pass.reads.iter().map(|(sampler, _)| sampler))?;
        once("uniform", pass.uniforms.iter().map(|(name, _)| name))?;
        once("feedback from output", pass.feedback.iter().map(|(output, _)| output))?;
        once("feedback to input", pass.feedback.iter().map(|(_, reader)| reader))?;
    }
    once("input", setup.inputs.iter().map(|(name, _)| name))?;
    once("precision of input", setup.precisions.iter().map(|(name, _)| name))?;
    once("uniform", setup.uniforms.iter().map(|(name, _)| name))?;
    once("feedback from output", setup.feedback.iter().map(|(output, _)| output))?;
    once("feedback to input", setup.feedback.iter().map(|(_, input)| input))
}

/// Whether rows are reversed where numbers enter and leave: as told, else as the dialects of the passes have y = 0.
pub(super) fn flips(passes: &[PassSetup], setup: &Setup) -> Result<bool, Error> {
    if let Some(flip) = setup.flip {
        return Ok(flip);
    }
    let from_bottom = |pass: &&PassSetup| pass.source.read_as().from_bottom();
    let bottom = passes.iter().find(from_bottom);
    let top = passes.iter().find(|pass| !from_bottom(pass));
    match (bottom, top) {
        (Some(bottom), Some(top)) => {
            Err(Error::Origins { bottom: bottom.name.clone(), top: top.name.clone() })
        }
        (bottom, _) => Ok(bottom.is_some()),
    }
}

/// Each input and each uniform of the setup must have a shader that declares it, unless they are to be left out.
fn must_be_used(passes: &[PassSetup], shaders: &[Shader], setup: &Setup) -> Result<(), Error> {
    if setup.spare {
        return Ok(());
    }
    for (name, _) in &setup.uniforms {
        let declares = |shader: &Shader| shader.uniform(name).is_some() || shader.has_removed(name);
        if !shaders.iter().any(declares) {
            let uniforms = shaders.iter().flat_map(|shader| &shader.uniforms);
            return Err(no_such_of(shaders, "uniform", name, uniforms.map(|(name, ..)| name)));
        }
    }
    for (name, _) in &setup.precisions {
        if !setup.inputs.iter().any(|(input, _)| input == name) {
            return Err(no_such_of(
                shaders,
                "input",
                name,
                setup.inputs.iter().map(|(name, _)| name),
            ));
        }
    }
    for (name, _) in &setup.inputs {
        let reads = |(pass, shader): (&PassSetup, &Shader)| {
            let elsewhere = pass.reads.iter().any(|(sampler, _)| sampler == name);
            let by_name =
                shader.reads(name) || shader.begins_with(name) || shader.has_removed(name);
            pass.reads.iter().any(|(_, from)| from == name) || (by_name && !elsewhere)
        };
        if !passes.iter().zip(shaders).any(reads) {
            let has = shaders.iter().flat_map(|shader| shader.given_names());
            return Err(no_such_of(shaders, "input", name, has));
        }
    }
    Ok(())
}

/// The uniforms of a pass: its own, those of the setup that its shader declares, and those to which its text gives values.
fn given_uniforms(
    pass: &PassSetup,
    shader: &Shader,
    setup: &Setup,
) -> Result<Vec<(String, Value)>, Error> {
    let mut uniforms = Vec::new();
    for (name, given) in &pass.uniforms {
        match value(shader, name, given)? {
            Some(value) => uniforms.push((name.clone(), value)),
            None if shader.has_removed(name) => {}
            None => {
                let has = shader.uniforms.iter().map(|(name, ..)| name.clone()).collect();
                return Err(no_such(&shader.name, "uniform", name, has));
            }
        }
    }
    for (name, given) in &setup.uniforms {
        if !pass.uniforms.iter().any(|(own, _)| own == name)
            && let Some(value) = value(shader, name, given)?
        {
            uniforms.push((name.clone(), value));
        }
    }
    for (name, text) in &shader.defaults {
        if !uniforms.iter().any(|(given, _)| given == name)
            && let Some(value) = value(shader, name, &Given::Text(text.clone()))?
        {
            uniforms.push((name.clone(), value));
        }
    }
    Ok(uniforms)
}

/// A value of the type that the shader declares, if it declares one.
fn value(shader: &Shader, name: &str, given: &Given) -> Result<Option<Value>, Error> {
    let Some(glsl) = shader.uniform(name) else { return Ok(None) };
    match given {
        Given::Value(value) => Ok(Some(value.clone())),
        Given::Text(text) => parsed(&shader.name, name, glsl, text).map(Some),
    }
}

/// Parses a text as the value of a kernel's uniform.
pub(super) fn parsed(kernel: &str, name: &str, glsl: Type, text: &str) -> Result<Value, Error> {
    uniform::value(glsl, text).ok_or_else(|| Error::Uniform {
        kernel: kernel.to_owned(),
        name: name.to_owned(),
        glsl,
        text: text.to_owned(),
    })
}

pub(super) fn once<'a>(
    what: &'static str,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), Error> {
    let mut names: Vec<&String> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::Twice { what, name: pair[0].clone() }),
        None => Ok(()),
    }
}

fn names(shaders: &[Shader]) -> String {
    let names: Vec<&str> = shaders.iter().map(|shader| shader.name.as_str()).collect();
    names.join(", ")
}

pub(super) fn no_such_of<'a>(
    shaders: &[Shader],
    what: &'static str,
    name: &str,
    has: impl Iterator<Item = &'a String>,
) -> Error {
    let mut has: Vec<String> = has.cloned().collect();
    has.sort_unstable();
    has.dedup();
    no_such(&names(shaders), what, name, has)
}

fn no_such(kernel: &str, what: &'static str, name: &str, has: Vec<String>) -> Error {
    let (kernel, name) = (kernel.to_owned(), name.to_owned());
    stream::Error::NoSuchName { kernel, what, name, has }.into()
}

#[cfg(test)]
mod tests;
