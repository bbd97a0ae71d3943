//! Experiments of a page: `quadrille run` in steps.

use js_sys::{Array, Object};
use quadrille::data::ValuesRef;
use quadrille::gl::Class;
use quadrille_run::{
    Array as Input, Dialect, Dialects, Experiment as Steps, Names, Note, RunFile, Uniform,
};
use wasm_bindgen::prelude::*;

use crate::array::{NdArray, numbers, of_field};
use crate::context::Context;
use crate::error::{Result, set};
use crate::settings::{self, run};

/// An experiment on the device.
#[wasm_bindgen]
pub struct Experiment {
    run: RunFile,
    steps: Steps,
    inputs: Vec<(String, Vec<usize>)>,
    names: Vec<Names>,
}

#[wasm_bindgen]
impl Context {
    /// Makes the experiment that settings describe.
    pub fn experiment(&self, settings: JsValue) -> Result<Experiment> {
        let run = run(&settings)?;
        let arrays = run.arrays()?;
        let inputs =
            arrays.iter().map(|array: &Input| (array.name.clone(), array.shape())).collect();
        let passes = run.passes()?;
        let steps = run.experiment_of(&self.context, &passes, run.setup(arrays))?;
        let names = passes.iter().map(|pass| Names::of_pass(&self.context, pass));
        let names = names.collect::<std::result::Result<_, _>>()?;
        Ok(Experiment { run, steps, inputs, names })
    }

    /// Returns what a shader or a run file declares, before it has inputs.
    pub fn declares(&self, settings: JsValue) -> Result<Object> {
        let run = run(&settings)?;
        let missing: Array =
            run.missing().map(|path| JsValue::from(path.display().to_string())).collect();
        let is_shader = |path: &std::path::PathBuf| run.shaders().any(|shader| shader == path);
        let lacks = run.missing().any(is_shader);
        let passes = if lacks { Vec::new() } else { run.passes()? };
        let names = passes.iter().map(|pass| Names::of_pass(&self.context, pass));
        let names: Vec<Names> = names.collect::<std::result::Result<_, _>>()?;
        let declared = Object::new();
        let dialect = dialect(&run);
        set(&declared, "dialect", dialect.name());
        set(&declared, "readAs", dialect.described());
        set(&declared, "inputs", inputs(&run, &names));
        set(&declared, "uniforms", uniforms(&run, dialect, &names));
        set(&declared, "outputs", outputs(&passes, &names));
        set(&declared, "feedback", feedback(&run));
        set(&declared, "missing", missing);
        set(&declared, "steps", run.iterate() as f64);
        Ok(declared)
    }
}

#[wasm_bindgen]
impl Experiment {
    /// Returns its dialect, inputs, uniforms, outputs and number of steps.
    pub fn facts(&self) -> Object {
        let facts = Object::new();
        let input = |(name, shape): &(String, Vec<usize>)| shaped(name, shape);
        let output = |output: &quadrille_run::Output| {
            let object = shaped(output.name(), &output.shape());
            if let Some(input) = self.becomes(output.name()) {
                set(&object, "becomes", input);
            }
            object
        };
        let dialect = dialect(&self.run);
        set(&facts, "dialect", dialect.name());
        set(&facts, "inputs", self.inputs.iter().map(input).collect::<Array>());
        set(&facts, "uniforms", uniforms(&self.run, dialect, &self.names));
        set(&facts, "outputs", self.steps.outputs().iter().map(output).collect::<Array>());
        set(&facts, "steps", self.run.iterate() as f64);
        set(&facts, "changes", self.steps.changes());
        set(&facts, "notes", self.steps.notes().iter().map(note).collect::<Array>());
        facts
    }

    /// Runs steps, and returns the number that have been run since the start.
    pub fn step(&mut self, count: f64) -> Result<f64> {
        self.steps.advance(count as u64, &mut ())?;
        Ok(self.steps.iteration() as f64)
    }

    /// Reads an output; the first one if it is not named.
    pub fn read(&self, output: Option<String>) -> Result<Object> {
        let first = self.steps.outputs().first().map(quadrille_run::Output::name);
        let output = output.as_deref().or(first).unwrap_or_default();
        Ok(of_field(self.steps.read(output)?))
    }

    /// Sets a uniform.
    pub fn set(&mut self, uniform: &str, value: JsValue) -> Result<()> {
        Ok(self.steps.set(uniform, &settings::uniform(uniform, value)?)?)
    }

    /// Replaces the numbers of an input.
    pub fn write(&mut self, input: &str, array: &JsValue) -> Result<()> {
        let NdArray { values, .. } = NdArray::take(&format!("input {input}"), array)?;
        let values: ValuesRef<'_> = values.as_ref();
        Ok(self.steps.write(input, values)?)
    }

    /// Goes back to before the first step.
    pub fn restart(&mut self) -> Result<()> {
        Ok(self.steps.restart()?)
    }

    /// Returns the input that an output becomes.
    fn becomes(&self, output: &str) -> Option<String> {
        self.run.fed().find(|(from, _)| *from == output).map(|(_, input)| input.to_owned())
    }
}

fn note(note: &Note) -> JsValue {
    note.to_string().into()
}

fn shaped(name: &str, shape: &[usize]) -> Object {
    let object = Object::new();
    set(&object, "name", name);
    set(&object, "shape", numbers(shape));
    object
}

fn typed(name: &str, glsl: &str) -> Object {
    let object = Object::new();
    set(&object, "name", name);
    set(&object, "type", glsl);
    object
}

/// The dialect of the first shader that has another than plain GLSL.
fn dialect(run: &RunFile) -> Dialect {
    let sources = run.sources().unwrap_or_default();
    let mut dialects = sources.iter().map(Dialects::read_as);
    dialects.find(|dialect| *dialect != Dialect::Plain).unwrap_or_default()
}

/// The arrays that passes read and that no pass writes, with what each is given.
fn inputs(run: &RunFile, names: &[Names]) -> Array {
    let mut known: Vec<&str> = Vec::new();
    let inputs = Array::new();
    let is_output = |name: &str| name.contains('.');
    for (pass, names) in names.iter().enumerate() {
        for sampler in &names.inputs {
            let name = run.read_by(pass, sampler);
            if known.contains(&name) || is_output(name) {
                continue;
            }
            known.push(name);
            let glsl = match names.class_of(sampler) {
                Some(Class::Int) => "isampler2D",
                Some(Class::Uint) => "usampler2D",
                _ => "sampler2D",
            };
            let object = typed(name, glsl);
            if let Some(from) = run.given_as(name) {
                set(&object, "from", from);
            }
            inputs.push(&object);
        }
    }
    inputs
}

fn uniforms(run: &RunFile, dialect: Dialect, names: &[Names]) -> Array {
    let mut known: Vec<&str> = Vec::new();
    let uniforms = Array::new();
    for (name, glsl) in names.iter().flat_map(|names| &names.uniforms) {
        if known.contains(&name.as_str()) {
            continue;
        }
        known.push(name);
        let object = typed(name, &glsl.to_string());
        set(&object, "supplied", dialect.supplies(name, *glsl));
        if let Some(value) = value(run, name) {
            set(&object, "value", value);
        }
        uniforms.push(&object);
    }
    uniforms
}

/// The text that a uniform was set to.
fn value(run: &RunFile, name: &str) -> Option<String> {
    let set = run.settings().uniforms.iter().find(|(known, _)| known == name);
    set.and_then(|(_, value)| match value {
        Uniform::Text(text) => Some(text.clone()),
        _ => None,
    })
}

fn outputs(passes: &[quadrille_run::PassSetup], names: &[Names]) -> Array {
    let outputs = Array::new();
    for (pass, names) in passes.iter().zip(names) {
        for output in &names.outputs {
            let object = Object::new();
            set(&object, "name", pass.full_name(output));
            outputs.push(&object);
        }
    }
    outputs
}

fn feedback(run: &RunFile) -> Object {
    let feedback = Object::new();
    for (output, input) in run.fed() {
        set(&feedback, output, input);
    }
    feedback
}
