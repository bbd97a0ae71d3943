//! What an experiment is made of: shaders that Python names, or a file `*.run.toml`.

use std::path::PathBuf;

use pyo3::prelude::*;
use quadrille::experiment::{Names, PassSetup, RunFile, Settings};
use quadrille::shader::Source;

use super::passes::Passes;
use crate::arguments::source::{Shader, Text, dialect};
use crate::error::{Failure, wrong};

/// Shaders, or a file that describes several passes.
pub(crate) enum Subject<'py> {
    Passes(Passes<'py>),
    Run(Box<RunFile>),
}

/// The same, to be taken to another thread.
pub(crate) enum Prepared {
    /// The shaders, and their passes unless one shader has no name.
    Passes(Vec<Source>, Option<Vec<PassSetup>>),
    Run(Box<RunFile>),
}

/// The file `*.run.toml` that an argument names.
pub(crate) fn named(source: &Bound<'_, PyAny>) -> Option<PathBuf> {
    match Text::take("a shader", source) {
        Ok(Text::File(path)) if RunFile::is_named(&path) => Some(path),
        _ => None,
    }
}

impl<'py> Subject<'py> {
    pub(crate) fn take(given: Shader<'_, 'py>) -> PyResult<Subject<'py>> {
        let Some(path) = named(given.source) else {
            return Ok(Subject::Passes(Passes::take(given)?));
        };
        let py = given.source.py();
        if given.stage.is_some() {
            let text =
                "stage: the shaders of a file *.run.toml have theirs by their names; leave it out";
            return Err(wrong(py, text));
        }
        let mut settings = Settings::default();
        settings.dialect = dialect(py, given.dialect)?;
        settings.defines = given.defines()?;
        settings.include_dirs = given.include.unwrap_or_default();
        let read = py.detach(|| RunFile::read(&path));
        let run = read.map_err(|error| Failure::from(error).into_exception(py))?;
        Ok(Subject::Run(Box::new(run.with(settings))))
    }

    /// The shaders, in order.
    pub(crate) fn sources(&self, py: Python<'_>) -> PyResult<Vec<Source>> {
        match self {
            Subject::Passes(passes) => Ok(passes.sources()),
            Subject::Run(run) => {
                py.detach(|| run.sources()).map_err(|error| Failure::from(error).into_exception(py))
            }
        }
    }

    /// What an experiment is called.
    pub(crate) fn title(&self) -> String {
        match self {
            Subject::Passes(passes) => passes.title(),
            Subject::Run(run) => run.path().display().to_string(),
        }
    }

    /// What is given to all passes: the inputs that samplers read, and the uniforms. `names` has those of each shader.
    pub(crate) fn given(&self, names: &[Names]) -> Names {
        let run = match self {
            Subject::Passes(passes) => return passes.given(names),
            Subject::Run(run) => run,
        };
        let mut given = Names::default();
        given.inputs.extend(run.inputs().map(str::to_owned));
        for (pass, names) in names.iter().enumerate() {
            let inputs = names.inputs.iter().map(|sampler| run.read_by(pass, sampler));
            // An output of an earlier pass is not given.
            given.inputs.extend(inputs.filter(|name| !name.contains('.')).map(str::to_owned));
            given.uniforms.extend(names.uniforms.iter().cloned());
        }
        given.inputs.sort();
        given.inputs.dedup();
        given
    }

    /// What is taken to the worker.
    pub(crate) fn prepared(self, names: &[Names], sources: Vec<Source>) -> PyResult<Prepared> {
        Ok(match self {
            Subject::Passes(passes) => Prepared::Passes(sources, passes.setups(names)?),
            Subject::Run(run) => Prepared::Run(run),
        })
    }
}
