//! The facts that an experiment and a checkpoint must share before the experiment resumes from it.

use quadrille::gl::{Class, Sampling, Value};
use quadrille::internal::shader::{Language, expand};
use quadrille::shader::{Api, Reads, Source, Stage};

use crate::dialect::own_vertices;
use crate::execute::state::{Input, Output};
use crate::execute::store::Store;
use crate::io::cells::Cells;
use crate::plan::ir::ReadFrom;
use crate::plan::uniforms::builtin::Setting;
use crate::setup::Program;
use crate::setup::precision::Precision;
use crate::{Error, Experiment, Result};
use quadrille::internal::checkpoint::Array;

/// Returns all facts, each a name and a value.
pub(super) fn facts(experiment: &Experiment) -> Result<Vec<(String, String)>> {
    let Experiment { inputs, outputs, passes, .. } = experiment;
    let mut facts = experiment.facts.clone();
    let first = if experiment.flips { "at the bottom" } else { "at the top" };
    facts.push(("y = 0".into(), first.into()));
    for pass in passes {
        let of = match pass.name.as_str() {
            "" => String::new(),
            name => format!(" of pass `{name}`"),
        };
        facts.extend(of_program(&pass.program, &of)?);
        for (sampler, from) in pass.planned.all_reads() {
            let from = match *from {
                ReadFrom::Input(index) => &inputs[index].name,
                ReadFrom::Output(index) => &outputs[index].name,
            };
            facts.push((format!("what `{sampler}` reads{of}"), from.clone()));
        }
        for ((sampler, _), sampling) in pass.planned.reads.iter().zip(&pass.planned.samplings) {
            let Sampling { filter, wrap } = sampling;
            facts.push((
                format!("sampling of `{sampler}`{of}"),
                format!("{filter:?}, {wrap:?}").to_lowercase(),
            ));
        }
        if pass.planned.moving.iter().any(Setting::is_time) {
            facts.push((format!("steps a second{of}"), pass.planned.facts.rate.to_string()));
        }
        if pass.planned.facts.start > 0 && pass.planned.moving.iter().any(Setting::moves) {
            facts.push((format!("first step{of}"), pass.planned.facts.start.to_string()));
        }
        if pass.planned.repeat > 1 {
            facts.push((format!("repetitions{of}"), pass.planned.repeat.to_string()));
        }
        for (feedback, _) in &pass.feedback {
            let name = outputs[feedback.output].name.clone();
            facts.push((format!("what `{}` reads again{of}", feedback.reader), name));
        }
        if let Some(dispatch) = &pass.planned.dispatch {
            facts.push((format!("work groups{of}"), format!("{:?}", dispatch.groups)));
        }
        for (name, value) in &pass.planned.uniforms {
            facts.push((format!("uniform `{name}`{of}"), value_text(value)));
        }
    }
    for (index, input) in inputs.iter().enumerate() {
        let layout = input.layout;
        let class = input.store.class();
        let cells = Cells { class, channels: layout.channels, extent: layout.extent };
        facts.push((format!("input `{}`", input.name), cells.to_string()));
        let feeds = outputs.iter().any(|output| output.becomes == Some(index));
        facts.push((format!("numbers of input `{}`", input.name), numbers(input, feeds)?));
    }
    for output in outputs {
        let (class, channels, extent) = (output.class(), output.channels(), output.extent());
        let mut text = Cells { class, channels, extent }.to_string();
        if output.precision() == Precision::Half {
            text += ", in half precision";
        }
        if let Some(input) = output.becomes.and_then(|index| inputs.get(index)) {
            text += &format!(", becomes input `{}`", input.name);
        }
        facts.push((format!("output `{}`", output.name), text));
        if let Some(first) = &output.first {
            let field = first.field.as_ref();
            let numbers =
                field.map_or_else(later, |field| digest_text(field.values().as_ref().bytes()));
            facts.push((format!("first numbers of output `{}`", output.name), numbers));
        }
    }
    Ok(facts)
}

/// Returns what tells a shader or a primitive from others; `of` names the pass.
fn of_program(program: &Program, of: &str) -> Result<Vec<(String, String)>> {
    let source = match program {
        Program::Shader(source) => source,
        Program::Primitive(primitive) => {
            return Ok(vec![(format!("primitive{of}"), format!("{primitive:?}"))]);
        }
    };
    let digest = |source: &Source| {
        let text = expand(source, &language(source.stage()))?.text;
        Ok::<_, Error>(digest_text(text.as_bytes()))
    };
    let mut facts = vec![(format!("digest of the shader{of}"), digest(source)?)];
    if let Some(vertices) = own_vertices(source) {
        facts.push((format!("digest of the vertex shader{of}"), digest(&vertices)?));
    }
    Ok(facts)
}

/// Returns a language that has the stage: any will do, if it is the same on all devices.
fn language(stage: Stage) -> Language {
    let version = if stage == Stage::Compute { 430 } else { 330 };
    Language { api: Api::Gl, version, precise: false, reads: Reads::Fetch }
}

/// Describes the numbers with which an input began. Those that an output replaces are in the state.
fn numbers(input: &Input, feeds: bool) -> Result<String> {
    if let Some(frames) = &input.frames {
        return Ok(frames.to_string());
    }
    if let Some(first) = &input.first {
        return Ok(digest_text(first.values().as_ref().bytes()));
    }
    if feeds || !input.written {
        return Ok(later());
    }
    let digest = match input.digest.get() {
        Some(digest) => digest,
        None => crc32fast::hash(bytemuck::cast_slice(&input.store.words(input.layout.channels)?)),
    };
    input.digest.set(Some(digest));
    Ok(format!("{digest:08x}"))
}

/// Describes numbers that are written after the experiment was made, and that the state holds.
fn later() -> String {
    "written later".into()
}

fn digest_text(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// Returns the numbers of a value, without its type.
fn value_text(value: &Value) -> String {
    let text = format!("{value:?}");
    let inner = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.map_or(text.clone(), str::to_owned)
}

/// Describes an output's array in the head of a checkpoint.
pub(super) fn array(output: &Output, store: &Store) -> Array {
    let (extent, width) = (store.extent(), store.width(output.channels()));
    let of = match store.class() {
        Class::Float => "f4",
        Class::Int => "i4",
        Class::Uint => "u4",
    };
    Array::new(output.name(), of, &[extent.height as usize, extent.width as usize, width])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_their_numbers() {
        for (value, text) in [
            (Value::Float(0.5), "0.5"),
            (Value::Vec2([0.5, -1.0]), "[0.5, -1.0]"),
            (Value::Bool(true), "true"),
            (Value::Ints(vec![1, 2]), "[1, 2]"),
        ] {
            assert_eq!(value_text(&value), text);
        }
    }
}
