//! The content of an experiment: shaders that Python names, or a file `*.run.toml`.

use std::path::PathBuf;

use quadrille::options::Contents;
use quadrille_run::{Names, PassSetup, RunFile, Settings};

use super::passes::Passes;
use crate::arguments::source::contents;
use crate::error::wrong;
use crate::prelude::*;

/// The description of an experiment; shaders that Python names still lack the uniforms that are
/// their own.
pub(crate) struct Subject<'py> {
    run: RunFile,
    passes: Option<Passes<'py>>,
}

/// Returns the file `*.run.toml` that an argument names.
pub(crate) fn named(source: &Object<'_>) -> Option<PathBuf> {
    match contents("a shader", source) {
        Ok(Contents::File(path)) if RunFile::is_named(&path) => Some(path),
        _ => None,
    }
}

/// Refuses the argument `allow_outside` where no file names others.
pub(crate) fn must_be_of_file(py: Python<'_>, allow_outside: bool) -> PyResult<()> {
    match allow_outside {
        true => Err(wrong(
            py,
            "allow_outside: it is for a file *.run.toml, which names others; leave it out",
        )),
        false => Ok(()),
    }
}

impl<'py> Subject<'py> {
    /// `settings` are those of the texts.
    pub(crate) fn take(
        source: &Object<'py>,
        stage: Option<&str>,
        allow_outside: bool,
        settings: &Settings,
    ) -> PyResult<Subject<'py>> {
        let py = source.py();
        let Some(path) = named(source) else {
            must_be_of_file(py, allow_outside)?;
            let passes = Passes::take(source, stage, settings)?;
            let run = RunFile::of_passes(passes.title(), passes.plain());
            return Ok(Subject { run: run.with(settings.clone()), passes: Some(passes) });
        };
        if stage.is_some() {
            let text =
                "stage: the shaders of a file *.run.toml have theirs by their names; leave it out";
            return Err(wrong(py, text));
        }
        let read = py.detach(|| RunFile::read(&path));
        let run = read.or_raise(py)?;
        let run = if allow_outside { run.allow_outside() } else { run };
        Ok(Subject { run: run.with(settings.clone()), passes: None })
    }

    /// Returns whether it is a file.
    pub(crate) fn is_file(&self) -> bool {
        self.passes.is_none()
    }

    /// Returns the passes, in order.
    pub(crate) fn passes(&self, py: Python<'_>) -> PyResult<Vec<PassSetup>> {
        let run = &self.run;
        py.detach(|| run.passes()).or_raise(py)
    }

    /// Returns the title of the experiment.
    pub(crate) fn title(&self) -> String {
        self.run.path().display().to_string()
    }

    /// Returns the names that all passes share: the inputs that samplers read, and the uniforms.
    /// `names` has those of each shader.
    pub(crate) fn given(&self, names: &[Names]) -> Names {
        let mut given = Names::default();
        given.inputs.extend(self.run.inputs().map(str::to_owned));
        for (pass, names) in names.iter().enumerate() {
            let inputs = names.inputs.iter().map(|sampler| self.run.read_by(pass, sampler));
            // An output of an earlier pass is not given.
            given.inputs.extend(inputs.filter(|name| !name.contains('.')).map(str::to_owned));
            given.add_uniforms(names);
        }
        given.inputs.sort();
        given.inputs.dedup();
        given
    }

    /// Returns the experiment to run, with the uniforms of each pass and the settings.
    pub(crate) fn run(self, names: &[Names], settings: Settings) -> PyResult<RunFile> {
        let run = match self.passes {
            Some(passes) => RunFile::of_passes(passes.title(), passes.setups(names)?),
            None => self.run,
        };
        Ok(run.with(settings))
    }
}
