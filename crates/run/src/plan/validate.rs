//! Checks the names of a setup and of its shaders: each is given once, belongs to a shader, and has
//! a value that can be used.

use quadrille::stream;

use crate::dialect::Dialects;
use crate::error::{Error, InputError, PassError, Result, ShaderError, SizeError};
use crate::plan::ir::Plan;
use crate::setup::array::Array;
use crate::setup::precision::Precision;
use crate::setup::{PassSetup, Setup};
use crate::source::shader::Shader;

/// Checks everything that can be checked in the setup alone.
pub(crate) fn check_names(passes: &[PassSetup], setup: &Setup) -> Result<()> {
    if let Some(got) = setup.settings.rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
        return Err(PassError::Rate { got }.into());
    }
    if passes.is_empty() {
        return Err(PassError::NoPass.into());
    }
    if let Some(pass) = passes.iter().find(|pass| pass.name.contains('.')) {
        return Err(PassError::PassName { name: pass.name.clone() }.into());
    }
    once("pass", passes.iter().map(|pass| &pass.name))?;
    for pass in passes {
        once("sampler", pass.reads.iter().map(|(sampler, _)| sampler))?;
        once("uniform", pass.uniforms.iter().map(|(name, _)| name))?;
        fed_once(&pass.feedback)?;
        once("feedback to input", pass.feedback.iter().map(|(_, reader)| reader))?;
    }
    once("input", setup.arrays.iter().map(|array| &array.name))?;
    once("precision of input", setup.settings.precisions.iter().map(|(name, _)| name))?;
    once("uniform", setup.settings.uniforms.iter().map(|(name, _)| name))?;
    fed_once(&setup.settings.feedback)?;
    once("feedback to input", setup.settings.feedback.iter().map(|(_, input)| input))
}

/// Checks that an output replaces at most one input, or one buffer, of the next step.
pub(crate) fn fed_once(feedback: &[(String, String)]) -> Result<()> {
    for (index, (output, second)) in feedback.iter().enumerate() {
        if let Some((_, first)) = feedback[..index].iter().find(|(earlier, _)| earlier == output) {
            let output = output.clone();
            return Err(match first == second {
                true => PassError::Twice { what: "feedback from output", name: output },
                false => PassError::FedTwice { output, inputs: [first.clone(), second.clone()] },
            }
            .into());
        }
    }
    Ok(())
}

/// Returns whether rows are reversed where numbers enter and leave: as set, else by where the
/// dialects of the passes have y = 0.
pub(crate) fn flips(passes: &[PassSetup], setup: &Setup) -> Result<bool> {
    if let Some(flip) = setup.settings.flip {
        return Ok(flip);
    }
    // A primitive takes rows in the order of the texture.
    let has = |bottom: bool| {
        let reads = |pass: &&PassSetup| {
            pass.source().is_some_and(|source| source.read_as().from_bottom() == bottom)
        };
        passes.iter().find(reads)
    };
    let (bottom, top) = (has(true), has(false));
    match (bottom, top) {
        (Some(bottom), Some(top)) => {
            Err(PassError::Origins { bottom: bottom.name.clone(), top: top.name.clone() }.into())
        }
        (bottom, _) => Ok(bottom.is_some()),
    }
}

/// Checks that each input and each uniform of the setup has a shader that declares it, unless they
/// are to be left out.
pub(crate) fn must_be_used(passes: &[PassSetup], shaders: &[Shader], setup: &Setup) -> Result<()> {
    if setup.leaves_out {
        return Ok(());
    }
    let drawn =
        shaders.first().filter(|_| shaders.iter().all(|shader| shader.dispatched.is_none()));
    if let Some(drawn) = drawn.filter(|_| setup.settings.groups.is_some()) {
        return Err(SizeError::NoGroups { kernel: drawn.name.clone() }.into());
    }
    for (name, _) in &setup.settings.uniforms {
        // What a name may mean several of is refused where its value is set.
        let declares =
            |shader: &Shader| !matches!(shader.uniform(name), Ok(None)) || shader.has_removed(name);
        if !shaders.iter().any(declares) {
            let of_header =
                |shader: &&Shader| shader.defaults.iter().any(|(known, _)| known == name);
            if let Some(shader) = shaders.iter().find(of_header) {
                return Err(ShaderError::IsfUnread {
                    kernel: shader.name.clone(),
                    name: name.clone(),
                }
                .into());
            }
            let uniforms = shaders.iter().flat_map(|shader| shader.uniforms.used());
            return Err(no_such_of(shaders, "uniform", name, uniforms.map(|one| &one.name)));
        }
    }
    for (name, _) in &setup.settings.precisions {
        if setup.find(name).is_none() {
            return Err(no_such_of(
                shaders,
                "input",
                name,
                setup.arrays.iter().map(|array| &array.name),
            ));
        }
    }
    for Array { name, .. } in &setup.arrays {
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

pub(crate) fn once<'a>(what: &'static str, names: impl Iterator<Item = &'a String>) -> Result<()> {
    let mut names: Vec<&String> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(PassError::Twice { what, name: pair[0].clone() }.into()),
        None => Ok(()),
    }
}

pub(crate) fn names(shaders: &[Shader]) -> String {
    listed(shaders.iter().map(|shader| shader.name.as_str()))
}

/// Joins the names of shaders, of which several passes may share one.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    names.join(", ")
}

pub(crate) fn no_such_of<'a>(
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

pub(crate) fn no_such(kernel: &str, what: &'static str, name: &str, has: Vec<String>) -> Error {
    let (kernel, name) = (kernel.to_owned(), name.to_owned());
    stream::Error::NoSuchName { kernel, what, name, has }.into()
}

/// Refuses half precision for what a compute shader writes under the name of the input.
pub(crate) fn half_must_be_had(plan: &Plan, setup: &Setup) -> Result<()> {
    let asked = |name: &String| {
        setup
            .settings
            .precisions
            .iter()
            .any(|(known, asked)| known == name && *asked == Precision::Half)
    };
    let begun = plan.outputs.iter().filter_map(|output| setup.arrays.get(output.initial?));
    match begun.map(|array| &array.name).find(|name| asked(name)) {
        Some(name) => Err(InputError::NotHalf { input: name.clone() }.into()),
        None => Ok(()),
    }
}

/// Refuses a sequence for what a step reads as the step before left it.
pub(crate) fn frames_must_not_be_fed(plan: &Plan, setup: &Setup) -> Result<()> {
    for (index, array) in
        setup.arrays.iter().enumerate().filter(|(_, array)| array.frames.is_some())
    {
        let is = |array: usize| array == index;
        let fed = plan.outputs.iter().find(|output| {
            let becomes = output.becomes.and_then(|index| plan.inputs.get(index));
            becomes.is_some_and(|read| is(read.array)) || output.initial.is_some_and(is)
        });
        if let Some(output) = fed {
            let (input, output) = (array.name.clone(), output.name.clone());
            return Err(PassError::FedFrames { input, output }.into());
        }
    }
    Ok(())
}
