//! Sources to a program, and the driver's log back to the user's lines.

use std::collections::HashMap;

use crate::gl::{BuildFailure, Context, Parameter, Program, RECTANGLE, Type, Value, compiling};
use crate::shader::{self, Diagnostics, Expanded, Stage};

use crate::stream::{Error, Result};

/// The uniforms that the text declares, including those that the compiler removed, with the lengths
/// of arrays: a driver reports only the elements in use.
pub(crate) struct Declared(HashMap<String, Option<usize>>);

impl Declared {
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns whether a value fits a uniform: it has its type, and all elements or all that are in
    /// use.
    pub(super) fn takes(&self, parameter: &Parameter, value: &Value) -> bool {
        let given = value.glsl();
        given == parameter.glsl || given == self.glsl(parameter)
    }

    /// Returns the type of a uniform as declared.
    pub(crate) fn glsl(&self, parameter: &Parameter) -> Type {
        let length = self.0.get(&parameter.name).copied().flatten();
        Type { length: length.unwrap_or(parameter.glsl.length), ..parameter.glsl }
    }
}

/// Compiles and links texts to a program of this name, with what they declare.
pub(crate) fn build(
    context: &Context,
    name: &str,
    texts: &[&Expanded],
    captured: &[&str],
) -> Result<(Program, Declared)> {
    texts.iter().try_for_each(|text| text.must_have_main())?;
    if texts.iter().any(|text| text.stage == Stage::Vertex) {
        must_be_fed(texts)?;
    }
    let shaders: Vec<(Stage, &str)> =
        texts.iter().map(|text| (text.stage, text.text.as_str())).collect();
    let build = || Program::build(context, &shaders, &[RECTANGLE], captured);
    let program = compiling(name, build).map_err(|failure| explain(failure, name, texts))?;
    let declared = texts
        .iter()
        .flat_map(|text| text.declarations().uniforms.iter())
        .map(|uniform| (uniform.name.clone(), array_length(&uniform.kind)))
        .collect();
    Ok((program, Declared(declared)))
}

/// Refuses an input of a fragment shader that no vertex shader writes: some drivers link it, and
/// its value is undefined.
fn must_be_fed(texts: &[&Expanded]) -> Result<()> {
    let of = |stage| texts.iter().filter(move |text| text.stage == stage);
    let written: Vec<&str> = of(Stage::Vertex)
        .flat_map(|text| {
            text.declarations().outputs.iter().map(|output| text.meaning(&output.name))
        })
        .collect();
    for text in of(Stage::Fragment) {
        let mut inputs = text.declarations().inputs.iter().filter(|input| is_users(input));
        if let Some(input) = inputs.find(|input| !written.contains(&text.meaning(&input.name))) {
            let (place, name, kind) = (input.place.clone(), input.name.clone(), input.kind.clone());
            let remedy = text.framing().and_then(|framing| framing.remedy_of_input());
            let remedy = remedy.unwrap_or(
                "expected at most one `in vec2`, of any name, which is the coordinate 0 to 1 across the target; the texel is \
                 `ivec2(gl_FragCoord.xy)`",
            );
            return Err(Error::Unfed { place, name, kind, remedy });
        }
    }
    Ok(())
}

/// Returns whether an input is the user's: GL's own inputs may be declared again, to be placed or
/// qualified.
fn is_users(input: &shader::Declared) -> bool {
    !input.name.starts_with("gl_")
}

/// Returns the number in `float[3]`; `None` where it is a macro's name.
fn array_length(kind: &str) -> Option<usize> {
    kind.split_once('[')?.1.strip_suffix(']')?.trim().parse().ok()
}

fn explain(failure: BuildFailure, name: &str, texts: &[&Expanded]) -> Error {
    let kernel = name.to_owned();
    match failure {
        BuildFailure::Other(error) => error.into(),
        BuildFailure::Link { log } if unplaced(texts).len() < 2 => {
            Error::Link { kernel, diagnostics: Diagnostics::unplaced(&log) }
        }
        // Some drivers refuse to link these, others link them to one place.
        BuildFailure::Link { .. } => {
            Error::OutputsWithoutPlace { kernel, outputs: unplaced(texts) }
        }
        BuildFailure::Compile { stage, log } => {
            let text = texts.iter().find(|text| text.stage == stage);
            let diagnostics =
                text.map_or_else(|| Diagnostics::unplaced(&log), |text| text.explain(&log));
            Error::Compile { kernel, diagnostics }
        }
    }
}

/// Returns the outputs without a location.
fn unplaced(texts: &[&Expanded]) -> Vec<String> {
    let fragments = texts.iter().filter(|text| text.stage == Stage::Fragment);
    let outputs = fragments.flat_map(|text| &text.declarations().outputs);
    outputs.filter(|output| !output.located).map(|output| output.name.clone()).collect()
}
