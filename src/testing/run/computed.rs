//! What a test's shader computes, also with what must not change it.

use std::path::Path;

use crate::data::Field;
use crate::experiment::{self, Experiment, Setup, fields};
use crate::gl::Context;
use crate::shader::{Reads, Source, Stage};
use crate::{Extent, Place};

use super::super::file::{self, Expectation, TestFile};
use super::error::Error;

/// The shader in a file, with the folders and the macros of the test.
pub(super) fn source(test: &TestFile, file: &Path) -> Result<Source, experiment::Error> {
    let source = Source::read(Stage::of_file(file).unwrap_or(Stage::Fragment), file)?;
    let source = test.include_dirs.iter().try_fold(source, Source::include_dir)?;
    let define = |source: Source, (name, value): &(String, String)| source.define(name, value);
    Ok(test.defines.iter().fold(source, define))
}

/// A test with its inputs, on a context.
pub(super) struct Subject<'a> {
    pub(super) context: &'a Context,
    pub(super) test: &'a TestFile,
    inputs: Vec<(String, Field)>,
}

/// The outputs of a shader by name.
pub(super) struct Outputs(pub(super) Vec<(String, Field)>);

/// What may differ between two computations of the same.
#[derive(Clone, Copy, Default)]
pub(super) struct Variation {
    pub(super) reads: Option<Reads>,
    pub(super) extent: Option<Extent>,
    /// Whether inputs and uniforms that the shader does not have are left out.
    pub(super) spare: bool,
}

impl<'a> Subject<'a> {
    pub(super) fn new(context: &'a Context, test: &'a TestFile) -> Result<Subject<'a>, Error> {
        let named = test.inputs.iter().map(|(name, origin)| (name.as_str(), origin));
        let fields = fields(context, named, test.seed)?.into_iter().map(|(field, _)| field);
        let names = test.inputs.iter().map(|(name, _)| name.clone());
        Ok(Subject { context, test, inputs: names.zip(fields).collect() })
    }

    /// Runs a shader over the inputs.
    pub(super) fn compute(&self, source: &Source, variation: Variation) -> Result<Outputs, Error> {
        let mut experiment = Experiment::new(self.context, source, self.setup(variation)?)?;
        if self.test.iterate > 1 && !variation.spare && !experiment.changes() {
            let reason = format!(
                "`iterate` = {} would compute the same each time: no output feeds back, and the shader does not use a \
                 `uniform int iteration`",
                self.test.iterate
            );
            return Err(self.unfit(reason));
        }
        for _ in 0..self.test.iterate {
            experiment.step()?;
        }
        let names: Vec<String> = experiment.outputs().iter().map(|o| o.name().to_owned()).collect();
        let read = |name: String| Ok((name.clone(), experiment.read(&name)?));
        Ok(Outputs(names.into_iter().map(read).collect::<Result<_, experiment::Error>>()?))
    }

    fn setup(&self, variation: Variation) -> Result<Setup, experiment::Error> {
        let mut setup = Setup::new();
        for (name, field) in &self.inputs {
            setup = setup.input(name, field.try_clone()?);
        }
        for (name, value) in &self.test.uniforms {
            setup = setup.uniform(name, value);
        }
        for (output, input) in &self.test.feedback {
            setup = setup.feedback(output, input);
        }
        setup = setup.samplings(self.test.samplings.clone());
        if let Some(extent) = variation.extent.or(self.test.size) {
            setup = setup.extent(extent);
        }
        if let Some(groups) = self.test.groups {
            setup = setup.groups(groups);
        }
        if variation.spare {
            setup = setup.spare();
        }
        Ok(match variation.reads {
            Some(reads) => setup.reads(reads),
            None => setup,
        })
    }

    fn unfit(&self, reason: String) -> Error {
        let place = Place::file(self.test.path.display().to_string());
        file::Error::Unfit { place, reason }.into()
    }
}

impl Outputs {
    pub(super) fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, field)| field)
    }

    /// The output that an expectation is about.
    pub(super) fn expected_by(&self, expectation: &Expectation) -> Result<&Field, file::Error> {
        let name = &expectation.output;
        self.get(name).ok_or_else(|| {
            let has = self.names();
            expectation.unfit(format!("the shader has no output `{name}`; it has: {has}"))
        })
    }

    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }
}
