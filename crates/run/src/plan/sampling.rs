//! Chooses how each pass samples the arrays that it reads.

use crate::error::{InputError, Result};
use quadrille::gl::{self, Class, Filter, Sampling};

use crate::plan::ir::{Plan, Planned, ReadFrom};
use crate::plan::validate::{no_such_of, once};
use crate::setup::Setup;
use crate::setup::samplings::Samplings;
use crate::source::shader::Shader;

/// Plans how each pass samples what it reads.
pub(crate) fn plan(shaders: &[Shader], setup: &Setup, plan: &mut Plan) -> Result<()> {
    must_be_asked_once(&setup.settings.samplings)?;
    if !setup.leaves_out {
        must_be_read(shaders, setup, plan)?;
        must_matter(shaders, setup, plan)?;
    }
    let of = |shader: &Shader, sampler: &str, from: ReadFrom| {
        let (name, class) = source(from, setup, plan);
        of_class(&setup.settings.samplings, name, class, default(shader, sampler, from, plan))
    };
    let of_pass = |(pass, shader): (&Planned, &Shader)| {
        pass.reads.iter().map(|(sampler, from)| of(shader, sampler, *from)).collect()
    };
    let samplings: Vec<Vec<Sampling>> =
        plan.passes.iter().zip(shaders).map(of_pass).collect::<Result<_>>()?;
    for (pass, samplings) in plan.passes.iter_mut().zip(samplings) {
        pass.samplings = samplings;
    }
    Ok(())
}

fn must_be_asked_once(samplings: &Samplings) -> Result<()> {
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "all inputs".to_owned());
    let wraps: Vec<String> = samplings.wraps().iter().map(|(of, _)| name(of)).collect();
    let filters: Vec<String> = samplings.filters().iter().map(|(of, _)| name(of)).collect();
    once("wrap mode of input", wraps.iter())?;
    once("filter of input", filters.iter())
}

/// Returns the name of what a sampler reads, and its class.
fn source<'a>(from: ReadFrom, setup: &'a Setup, plan: &'a Plan) -> (&'a String, Class) {
    match from {
        ReadFrom::Input(index) => {
            let read = &plan.inputs[index];
            (&setup.arrays[read.array].name, read.class)
        }
        ReadFrom::Output(index) => (&plan.outputs[index].name, plan.outputs[index].cells.class),
    }
}

/// Chooses the default sampling: that of the dialect's host where it filters what it reads.
fn default(shader: &Shader, sampler: &str, from: ReadFrom, plan: &Plan) -> Sampling {
    let wrap = shader.dialect.wrap(sampler, is_written(from, plan));
    match wrap.filter(|_| shader.samples) {
        Some(wrap) => Sampling { filter: Filter::Linear, wrap },
        None => Sampling::default(),
    }
}

/// Returns whether a pass writes what is read, in this step or the one before.
fn is_written(from: ReadFrom, plan: &Plan) -> bool {
    match from {
        ReadFrom::Input(index) => plan.outputs.iter().any(|output| output.becomes == Some(index)),
        ReadFrom::Output(_) => true,
    }
}

/// Returns the sampling of what holds this class: a default filter is left out for integers, and
/// one that was asked for refused.
fn of_class(
    samplings: &Samplings,
    name: &str,
    class: Class,
    default: Sampling,
) -> Result<Sampling> {
    let sampling = samplings.of(name, default);
    if class == Class::Float || sampling.filter == Filter::Nearest {
        return Ok(sampling);
    }
    match samplings.filter_of(name) {
        Some(Filter::Linear | Filter::Mipmap) => {
            Err(InputError::FilterOfIntegers { input: name.to_owned(), class }.into())
        }
        _ => Ok(Sampling { filter: Filter::Nearest, ..sampling }),
    }
}

/// Checks that each name is that of something that a pass reads, or may have read before the
/// compiler removed it.
fn must_be_read(shaders: &[Shader], setup: &Setup, plan: &Plan) -> Result<()> {
    let read = || plan.passes.iter().flat_map(|pass| &pass.reads);
    let read = || read().map(|(_, from)| source(*from, setup, plan).0);
    // Sampling does not matter for other ways of reading, and the message says so.
    let stored = plan.passes.iter().filter_map(|pass| pass.dispatch.as_ref());
    let given = setup.arrays.iter().map(|array| &array.name);
    let stored: Vec<&String> = stored.flat_map(|dispatch| &dispatch.writes).chain(given).collect();
    let known = |name: &String| {
        stored.contains(&name)
            || read().any(|known| known == name)
            || shaders.iter().any(|shader| shader.has_removed(name))
    };
    match setup.settings.samplings.names().find(|name| !known(name)) {
        Some(name) => Err(no_such_of(shaders, "input", name, read())),
        None => Ok(()),
    }
}

/// Refuses a sampling that changes nothing, since no shader that reads the input samples.
fn must_matter(shaders: &[Shader], setup: &Setup, plan: &Plan) -> Result<()> {
    for (name, sampling) in setup.settings.samplings.unusual() {
        let is_reader = |(pass, _): &(&Planned, &Shader)| {
            let is_it =
                |from: ReadFrom| name.is_some_and(|name| source(from, setup, plan).0 == name);
            name.is_none() || pass.reads.iter().any(|(_, from)| is_it(*from))
        };
        let passes = plan.passes.iter().zip(shaders).filter(is_reader);
        let readers: Vec<&Shader> = passes.map(|(_, shader)| shader).collect();
        // What the compiler removed is read by none.
        let removed = |name: &String| shaders.iter().any(|shader| shader.has_removed(name));
        let stored = readers.is_empty() && name.is_some_and(|name| !removed(name));
        let readers = if stored { shaders.iter().collect() } else { readers };
        if readers.is_empty() || !stored && readers.iter().any(|shader| shader.samples) {
            continue;
        }
        let readers: Vec<&str> = readers.iter().map(|shader| shader.name.as_str()).collect();
        let (input, readers) = (name.cloned(), readers.join(", "));
        return Err(InputError::NotSampled { sampling, input, readers }.into());
    }
    Ok(())
}

/// Adds the name of the input that a device cannot sample as requested to an error.
pub(crate) fn called(error: gl::Error, input: &str) -> gl::Error {
    match error {
        gl::Error::Unsupported { request, lacks, device, remedy } => {
            let request = format!("input `{input}`: {request}");
            let remedy = format!("ask for the filter `nearest`, or {remedy}");
            gl::Error::Unsupported { request, lacks, device, remedy }
        }
        other => other,
    }
}
