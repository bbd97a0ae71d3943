//! Computes the outputs of a test, also with the variations that must not change them.

use crate::{Array, RunFile};
use quadrille::data::Field;
use quadrille::gl::Context;
use quadrille::internal::visible_name;
use quadrille::shader::Reads;
use quadrille::{Extent, Place};

use super::error::Error;
use crate::io::description;
use crate::testing::file::{self, Expectation, TestFile, Tested};

/// Reads the run of a test, of its own subject or of a twin, with the test's settings.
pub(super) fn run_of(test: &TestFile, tested: &Tested) -> Result<RunFile, Error> {
    test.must_be_inside()?;
    let run = match tested {
        Tested::Shader(shader) => RunFile::shader(shader),
        Tested::Run(run) => RunFile::read(run).map_err(file::Error::from)?,
    };
    Ok(run.allow_as(test.named()).with(test.settings.clone()))
}

/// A test with its arrays, on a context.
pub(super) struct Subject<'a> {
    pub(super) context: &'a Context,
    pub(super) test: &'a TestFile,
    run: RunFile,
    arrays: Vec<Array>,
}

/// The outputs of a shader by name.
pub(super) struct Outputs {
    pub(super) fields: Vec<(String, Field)>,
    /// Whether y = 0 of the shaders is the last row.
    pub(super) flips: bool,
}

/// The properties that may differ between two computations with the same result.
#[derive(Clone, Copy, Default)]
pub(super) struct Variation {
    pub(super) reads: Option<Reads>,
    pub(super) extent: Option<Extent>,
    /// Whether inputs and uniforms that the shader does not have are left out.
    pub(super) leaves_out: bool,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        context: &'a Context,
        test: &'a TestFile,
        run: RunFile,
    ) -> Result<Subject<'a>, Error> {
        let arrays = run.arrays()?;
        Ok(Subject { context, test, run, arrays })
    }

    /// Computes the test's own outputs.
    pub(super) fn compute(&self, variation: Variation) -> Result<Outputs, Error> {
        self.computed(&self.run, self.arrays.clone(), variation)
    }

    /// Computes what else runs with the test's settings.
    pub(super) fn twin(&self, tested: &Tested, extent: Extent) -> Result<Outputs, Error> {
        let run = run_of(self.test, tested)?;
        let arrays = run.arrays()?;
        // The shader itself has all inputs and uniforms, or its own run was an error; the twin may
        // need fewer.
        let variation =
            Variation { extent: Some(extent), leaves_out: true, ..Variation::default() };
        self.computed(&run, arrays, variation)
    }

    fn computed(
        &self,
        run: &RunFile,
        arrays: Vec<Array>,
        variation: Variation,
    ) -> Result<Outputs, Error> {
        let steps = run.steps(&arrays)?;
        let mut setup = run.setup(arrays);
        if let Some(extent) = variation.extent {
            setup = setup.extent(extent);
        }
        if variation.leaves_out {
            setup = setup.leaving_out();
        }
        if let Some(reads) = variation.reads {
            setup = setup.reads(reads);
        }
        let mut experiment = run.experiment(self.context, setup)?;
        if steps > 1 && !variation.leaves_out && !experiment.changes() {
            let reason = format!(
                "`iterate` = {steps} would compute the same each time: no output feeds back, and the shader does not use a \
                 `uniform int iteration`"
            );
            return Err(self.unfit(reason));
        }
        experiment.advance(steps, &mut ())?;
        let names: Vec<String> = experiment.outputs().iter().map(|o| o.name().to_owned()).collect();
        let read = |name: String| Ok((name.clone(), experiment.read(&name)?));
        let fields = names.into_iter().map(read).collect::<Result<_, crate::Error>>()?;
        Ok(Outputs { fields, flips: experiment.flips() })
    }

    fn unfit(&self, reason: String) -> Error {
        let place = Place::file(self.test.path.display().to_string());
        file::Error::from(description::Error::Unfit { place, reason }).into()
    }
}

impl Outputs {
    pub(super) fn get(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|(other, _)| other == name).map(|(_, field)| field)
    }

    /// Returns the output that an expectation is about.
    pub(super) fn expected_by(&self, expectation: &Expectation) -> Result<&Field, file::Error> {
        let name = &expectation.output;
        self.get(name).ok_or_else(|| {
            let (has, name) = (self.names(), visible_name(name));
            expectation.unfit(format!("the shader has no output `{name}`; it has: {has}"))
        })
    }

    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.fields.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }
}
