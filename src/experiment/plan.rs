//! The plan of an experiment: the inputs, outputs and extent of each pass. A pure function of the setup and
//! the shaders' names, so that all is checked before anything is uploaded.

use std::ops::Range;

use crate::Extent;
use crate::gl::{Class, Type, TypeKind, Value};
use crate::stream;

use super::cells::Cells;
use super::extent::Sizes;
use super::setup::{Array, Given, PassSetup, Setup};
use super::shader::Shader;
use super::{Error, uniform};

/// The uniforms that an experiment sets itself, unless they are given.
pub(super) const ITERATION: &str = "iteration";
const SIZE: &str = "size";

/// An experiment whose parts fit together.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) inputs: Vec<Read>,
    pub(super) outputs: Vec<Written>,
    pub(super) passes: Vec<Planned>,
}

/// An input that some pass reads.
#[derive(Debug)]
pub(super) struct Read {
    /// Its index in the setup.
    pub(super) given: usize,
    pub(super) class: Class,
    /// The first shader that reads it.
    reader: String,
}

/// An output of a pass.
#[derive(Debug)]
pub(super) struct Written {
    /// `pass.output`, or the shader's name of it where there is one pass.
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) cells: Cells,
    /// Whether it is an array of one axis.
    pub(super) line: bool,
    /// The input of the plan that it becomes after a step.
    pub(super) becomes: Option<usize>,
}

/// Where a sampler reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// An input of the plan, as the step before left it.
    Input(usize),
    /// An output of the plan, of an earlier pass of this step.
    Output(usize),
}

/// A pass.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) reads: Vec<(String, From)>,
    pub(super) uniforms: Vec<(String, Value)>,
    /// Whether it gets the number of the step.
    pub(super) counts: bool,
    pub(super) outputs: Range<usize>,
    pub(super) extent: Extent,
}

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
    Ok(planner.plan)
}

struct Planner<'a> {
    setup: &'a Setup,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, pass: &PassSetup, shader: &Shader) -> Result<(), Error> {
        let mut missing = Vec::new();
        let reads = self.reads(pass, shader, &mut missing)?;
        let mut uniforms = given_uniforms(pass, shader, self.setup)?;
        let own = |name: &str, components| {
            let kind = TypeKind::Number { class: Class::Int, components };
            let given = uniforms.iter().any(|(given, _)| given == name);
            !given && shader.uniform(name) == Some(kind.into())
        };
        let (counts, sized) = (own(ITERATION, 1), own(SIZE, 2));
        for (name, glsl) in &shader.uniforms {
            let set = (counts && name == ITERATION) || (sized && name == SIZE);
            if !set && !uniforms.iter().any(|(given, _)| given == name) {
                missing.push(format!("{glsl} {name}"));
            }
        }
        if !missing.is_empty() {
            return Err(stream::Error::Missing { kernel: shader.name.clone(), missing }.into());
        }
        let (extent, line) = self.sizes(pass, shader, &reads).choose(&pass.name)?;
        if sized {
            let size = [extent.width, extent.height];
            let size = size.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
            uniforms.push((SIZE.into(), size.into()));
        }
        let taken = |name: &String| self.setup.inputs.iter().any(|(input, _)| input == name);
        let mut names = shader.outputs.iter().map(|output| pass.full_name(&output.name));
        if let Some(name) = names.find(|name| !pass.name.is_empty() && taken(name)) {
            return Err(Error::Twice { what: "name of an input and of an output", name });
        }
        let first = self.plan.outputs.len();
        self.plan.outputs.extend(shader.outputs.iter().map(|output| Written {
            name: pass.full_name(&output.name),
            kind: output.kind.clone(),
            cells: Cells { class: output.class, channels: output.channels, extent },
            line,
            becomes: None,
        }));
        let outputs = first..self.plan.outputs.len();
        self.plan.passes.push(Planned { reads, uniforms, counts, outputs, extent });
        Ok(())
    }

    /// Where each sampler of a pass reads: what [`PassSetup::read`] names, else the input of its own name.
    fn reads(
        &mut self,
        pass: &PassSetup,
        shader: &Shader,
        missing: &mut Vec<String>,
    ) -> Result<Vec<(String, From)>, Error> {
        for (sampler, _) in &pass.reads {
            if shader.sampler(sampler).is_none() && !shader.has_removed(sampler) {
                let has = shader.samplers.iter().map(|(name, _)| name.clone()).collect();
                return Err(no_such(&shader.name, "input", sampler, has));
            }
        }
        let mut reads = Vec::new();
        for (sampler, class) in &shader.samplers {
            let named = pass.reads.iter().find(|(name, _)| name == sampler).map(|(_, from)| from);
            let from = named.unwrap_or(sampler);
            let found = match self.setup.inputs.iter().position(|(name, _)| name == from) {
                Some(given) => From::Input(self.input(given, *class, shader)?),
                None if named.is_some() => From::Output(self.earlier(pass, shader, from, *class)?),
                None => {
                    missing.push(format!("{} {sampler}", TypeKind::Sampler(*class)));
                    continue;
                }
            };
            reads.push((sampler.clone(), found));
        }
        Ok(reads)
    }

    /// The index of an input, which all passes must read as one class.
    fn input(&mut self, given: usize, class: Class, shader: &Shader) -> Result<usize, Error> {
        if let Some(index) = self.plan.inputs.iter().position(|read| read.given == given) {
            let read = &self.plan.inputs[index];
            if read.class == class {
                return Ok(index);
            }
            return Err(Error::InputClasses {
                input: self.setup.inputs[given].0.clone(),
                readers: [read.reader.clone(), shader.name.clone()],
                classes: [read.class, class],
            });
        }
        self.plan.inputs.push(Read { given, class, reader: shader.name.clone() });
        Ok(self.plan.inputs.len() - 1)
    }

    fn earlier(
        &self,
        pass: &PassSetup,
        shader: &Shader,
        from: &str,
        class: Class,
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
        Ok(index)
    }

    /// The extents from which that of a pass follows: of the inputs that its outputs become, else of all that it
    /// reads, inputs first.
    fn sizes(&self, pass: &PassSetup, shader: &Shader, reads: &[(String, From)]) -> Sizes {
        let setup = self.setup;
        let is_own =
            |name: &String| shader.outputs.iter().any(|o| pass.full_name(&o.name) == *name);
        let feeds = |name: &String| {
            setup.feedback.iter().any(|(output, input)| input == name && is_own(output))
        };
        let size_of = |given: usize| {
            let (name, Array { layout, .. }) = &setup.inputs[given];
            (name.clone(), layout.extent, layout.line)
        };
        let all = || 0..setup.inputs.len();
        let fed: Vec<usize> = all().filter(|given| feeds(&setup.inputs[*given].0)).collect();
        if !fed.is_empty() {
            let sources = fed.into_iter().map(size_of).collect();
            return Sizes { given: pass.extent.or(setup.extent), sources };
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
        Sizes { given: pass.extent.or(setup.extent), sources }
    }

    fn feed_back(&mut self, shaders: &[Shader], output: &str, input: &str) -> Result<(), Error> {
        let Plan { inputs, outputs, .. } = &mut self.plan;
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
        if here != there {
            let (output, input) = (output.to_owned(), input.to_owned());
            return Err(Error::Feedback { output, input, is: here, was: there });
        }
        outputs[index].becomes = Some(read);
        Ok(())
    }
}

/// All that the names alone tell.
pub(super) fn check_names(passes: &[PassSetup], setup: &Setup) -> Result<(), Error> {
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
    }
    once("input", setup.inputs.iter().map(|(name, _)| name))?;
    once("uniform", setup.uniforms.iter().map(|(name, _)| name))?;
    once("feedback from output", setup.feedback.iter().map(|(output, _)| output))?;
    once("feedback to input", setup.feedback.iter().map(|(_, input)| input))
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
    for (name, _) in &setup.inputs {
        let reads = |(pass, shader): (&PassSetup, &Shader)| {
            let elsewhere = pass.reads.iter().any(|(sampler, _)| sampler == name);
            let by_name = shader.sampler(name).is_some() || shader.has_removed(name);
            pass.reads.iter().any(|(_, from)| from == name) || (by_name && !elsewhere)
        };
        if !passes.iter().zip(shaders).any(reads) {
            let samplers = shaders.iter().flat_map(|shader| &shader.samplers);
            return Err(no_such_of(shaders, "input", name, samplers.map(|(name, _)| name)));
        }
    }
    Ok(())
}

/// The uniforms of a pass: its own, and those of the setup that its shader declares.
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

fn once<'a>(what: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), Error> {
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

fn no_such_of<'a>(
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
