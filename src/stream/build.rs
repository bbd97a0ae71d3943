//! From sources to a program, and from a driver's log back to the user's lines.

use std::collections::HashSet;

use crate::gl::{BuildFailure, Context, Program, RECTANGLE};
use crate::shader::{Dialect, Expanded, Source, Stage, expand};

use super::Error;

/// A program and what its texts declare.
pub(super) struct Built {
    pub(super) program: Program,
    pub(super) texts: Vec<Expanded>,
    /// Uniforms that stand in the text, also those that the compiler removed.
    pub(super) declared: HashSet<String>,
}

pub(super) fn build(
    context: &Context,
    name: &str,
    sources: &[&Source],
    dialect: &Dialect,
) -> Result<Built, Error> {
    let texts =
        sources.iter().map(|source| expand(source, dialect)).collect::<Result<Vec<_>, _>>()?;
    let shaders: Vec<(Stage, &str)> =
        texts.iter().map(|text| (text.stage, text.text.as_str())).collect();
    let program = Program::build(context, &shaders, &[RECTANGLE])
        .map_err(|failure| explain(failure, name, &texts))?;
    let declared = texts
        .iter()
        .flat_map(|text| text.declarations().uniforms.iter())
        .map(|uniform| uniform.name.clone())
        .collect();
    Ok(Built { program, texts, declared })
}

fn explain(failure: BuildFailure, name: &str, texts: &[Expanded]) -> Error {
    let kernel = name.to_owned();
    match failure {
        BuildFailure::Other(error) => error.into(),
        BuildFailure::Link { log } => Error::Link { kernel, diagnostics: log.trim_end().into() },
        BuildFailure::Compile { stage, log } => {
            let Some(text) = texts.iter().find(|text| text.stage == stage) else {
                return Error::Compile { kernel, diagnostics: log, place: None };
            };
            let diagnostics = text.explain(&log);
            let place = diagnostics.place().cloned();
            Error::Compile { kernel, diagnostics: diagnostics.to_string(), place }
        }
    }
}
