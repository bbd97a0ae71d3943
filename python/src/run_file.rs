//! What an experiment is made of: shaders that Python names, or a file `*.run.toml`.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille::experiment::{PassSetup, RunFile, Settings};
use quadrille::shader::Source;

use crate::arguments::Names;
use crate::error::Failure;
use crate::passes::Passes;
use crate::source::Text;

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
    pub(crate) fn take(
        given: &Bound<'py, PyAny>,
        defines: Option<&Bound<'py, PyDict>>,
        include: Option<Vec<PathBuf>>,
    ) -> PyResult<Subject<'py>> {
        let Some(path) = named(given) else {
            return Ok(Subject::Passes(Passes::take(given, defines, include)?));
        };
        let mut settings = Settings::default();
        for (name, value) in defines.into_iter().flatten() {
            settings.defines.push((name.extract()?, value.str()?.to_string()));
        }
        settings.include_dirs = include.unwrap_or_default();
        let py = given.py();
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
        given.samplers.extend(run.inputs().map(str::to_owned));
        for (pass, names) in names.iter().enumerate() {
            let inputs = names.samplers.iter().map(|sampler| run.read_by(pass, sampler));
            // An output of an earlier pass is not given.
            given.samplers.extend(inputs.filter(|name| !name.contains('.')).map(str::to_owned));
            given.uniforms.extend(names.uniforms.iter().cloned());
        }
        given.samplers.sort();
        given.samplers.dedup();
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
