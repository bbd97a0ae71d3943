//! Passes on the device, run step by step.

mod assemble;
mod batches;
mod checkpoint;
pub(super) mod names;
pub(super) mod notes;
mod results;

use std::time::Duration;

use quadrille::data::ValuesRef;
use quadrille::gl::Context;
use quadrille::internal::data::Layout;
use quadrille::shader::Source;
use quadrille::{Extent, stream};

use crate::dialect::coordinate_of_rectangles;
use crate::error::{PassError, StateError};
use crate::execute::pass::Pass;
use crate::execute::state::{Input, Output};
use crate::experiment::notes::Note;
use crate::setup::{PassSetup, Setup};
use crate::{Error, Result, lower, plan};

pub(crate) use assemble::planned;

/// An experiment: passes with their inputs and outputs on the device, which run step by step.
///
/// One shader: see the [crate](crate). Several passes run in order within a step, each over its own
/// extent. A pass reads inputs, which hold what the step before left in them, and the outputs of
/// earlier passes of this step. Any output may become any input of the next step.
///
/// ```
/// use quadrille::{Context, Extent, data::Field, shader::Source};
/// use quadrille_run::{Experiment, PassSetup, Setup};
/// let context = Context::headless()?;
/// let rows = Source::fragment("rows.frag", "
///     uniform sampler2D image;
///     out float mean;
///     void main() {
///         mean = (READ_CLAMPED(image, TEXEL).r + READ_CLAMPED(image, TEXEL + ivec2(1, 0)).r) / 2.0;
///     }");
/// let columns = Source::fragment("columns.frag", "
///     uniform sampler2D rows;
///     out float mean;
///     void main() {
///         mean = (READ_CLAMPED(rows, TEXEL).r + READ_CLAMPED(rows, TEXEL + ivec2(0, 1)).r) / 2.0;
///     }");
/// let passes = [
///     PassSetup::new("rows", rows),
///     PassSetup::new("columns", columns).read("rows", "rows.mean"),
/// ];
/// let image = Field::new(Extent::new(2, 2), 1, vec![0.0_f32, 4.0, 8.0, 12.0])?;
/// let setup = Setup::new().input("image", image).feedback("columns.mean", "image");
/// let mut blur = Experiment::from_passes(&context, passes, setup)?;
/// blur.step()?;
/// assert_eq!(blur.read("columns.mean")?, Field::new(Extent::new(2, 2), 1, vec![6.0_f32, 8.0, 10.0, 12.0])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Experiment {
    context: Context,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    passes: Vec<Pass>,
    /// Whether rows are reversed where numbers enter and leave.
    flips: bool,
    iteration: u64,
    upload_took: Duration,
    /// The uniforms from which extents follow, and their numbers.
    sized_by: Vec<(String, f64)>,
    /// Further facts that must be the same in a checkpoint, besides the experiment itself.
    facts: Vec<(String, String)>,
}

impl Experiment {
    /// Compiles a shader, checks the setup, and uploads the inputs.
    ///
    /// The shader is a plain fragment shader. A `sampler2D` reads floats, an `isampler2D` integers,
    /// a `usampler2D` unsigned integers; the numbers of an input are converted to that class where
    /// it is exact. An `in vec2` of any name is the coordinate from 0 to 1 across the target.
    /// `uniform int iteration` counts the steps from 0, and `uniform ivec2 size` is the extent of
    /// the outputs, unless they are given. Where a fragment discards, an output that feeds back
    /// keeps the cell's value of the step before, and another output the value that it had, at
    /// first 0.
    ///
    /// A shader of another [dialect](crate::Dialect) gets the uniforms that it expects, such as
    /// Shadertoy's `iTime`, unless they are given; its result is the output `colour`. An ISF shader
    /// of several passes is run once for each, and what they write to a target is the output
    /// `target.colour`.
    ///
    /// # Errors
    /// [`Error::Stream`] if the shader does not compile, or a name is missing or unknown; the other
    /// variants of [`Error`] for types, sizes and feedback that do not fit; errors of the device.
    pub fn new(context: &Context, source: &Source, setup: Setup) -> Result<Experiment> {
        let passes = setup.passes(&[PassSetup::new("", source.clone())])?;
        Experiment::assemble(context, &passes, setup)
    }

    /// Compiles the shaders of several passes, checks that they fit together, and uploads the
    /// inputs. Each step runs the passes in the order given. Every shader follows the rules of
    /// [`Experiment::new`].
    ///
    /// # Errors
    /// Those of [`Experiment::new`]; [`PassError::NotReadable`](crate::error::PassError) if a pass
    /// reads an output that no earlier pass writes;
    /// [`PassError::PassName`](crate::error::PassError),
    /// [`PassError::NoPass`](crate::error::PassError).
    pub fn from_passes(
        context: &Context,
        passes: impl IntoIterator<Item = PassSetup>,
        setup: Setup,
    ) -> Result<Experiment> {
        let passes: Vec<PassSetup> = passes.into_iter().collect();
        match passes.iter().find(|pass| pass.name.is_empty()) {
            Some(pass) => Err(PassError::PassName { name: pass.name.clone() }.into()),
            None => Experiment::assemble(context, &setup.passes(&passes)?, setup),
        }
    }

    /// Returns the coordinate of each shader that has rectangle textures, with the name of the
    /// shader, and whether the coordinate counts texels. It does so unless an ordinary texture is
    /// read at it too; then it runs from 0 to 1 across the target.
    pub fn rectangle_coordinates(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        self.passes.iter().filter_map(|pass| {
            let (coordinate, counts) = coordinate_of_rectangles(pass.executable.drawn_text()?)?;
            Some((pass.executable.name(), coordinate, counts))
        })
    }

    /// Returns what its shaders leave to chance: variables of plain shaders that are read before they
    /// are set, and `PRECISE` where the device has no such word.
    pub fn notes(&self) -> Vec<Note> {
        notes::notes(self.context(), self.passes.iter().filter_map(|pass| pass.executable.text()))
    }

    /// Returns the time that it took to convert the inputs to texels and to upload them.
    pub fn upload_took(&self) -> Duration {
        self.upload_took
    }

    /// Replaces all values of an input; each is converted to the class of its sampler, where that
    /// is exact. Nothing is written to an input that the compiler removed. A sequence of frames
    /// ends with this call.
    ///
    /// # Errors
    /// An unknown name; [`StateError::Values`](crate::error::StateError) for another number of
    /// values, [`InputError::Inexact`](crate::error::InputError); errors of the device.
    pub fn write(&mut self, input: &str, values: ValuesRef<'_>) -> Result<()> {
        let fits = |layout: Layout| match layout.len() == values.len() {
            true => Ok(()),
            false => {
                let name = format!("input `{input}`");
                Err(StateError::Values { name, expected: layout.len(), got: values.len() }.into())
            }
        };
        let mut known = false;
        for output in &mut self.outputs {
            if let Some(first) = output.first.as_ref().filter(|first| first.name == input) {
                fits(first.layout)?;
                output.write(values)?;
                known = true;
            }
        }
        match self.inputs.iter_mut().find(|known| known.name == input) {
            Some(known) => fits(known.layout).and_then(|()| known.replace(values)),
            None if known => Ok(()),
            None if self.passes.iter().any(|pass| pass.executable.declares(input)) => Ok(()),
            None => {
                let firsts = self.outputs.iter().filter_map(|output| output.first.as_ref());
                let firsts = firsts.map(|first| first.name.clone());
                let has =
                    self.inputs.iter().map(|known| known.name.clone()).chain(firsts).collect();
                Err(self.no_such("input", input, has))
            }
        }
    }

    /// Changes a uniform of all passes that declare it, by a text as in [`Setup::uniform`].
    ///
    /// # Errors
    /// An unknown name; [`InputError::Uniform`](crate::error::InputError) for a text that is no
    /// value of its type; [`StateError::Sizes`](crate::error::StateError) for another number where
    /// the size of an ISF shader's target follows from it.
    pub fn set(&mut self, uniform: &str, text: &str) -> Result<()> {
        if self
            .sized_by
            .iter()
            .any(|(name, known)| name == uniform && !lower::isf_passes::is(text, *known))
        {
            return Err(StateError::Sizes { name: uniform.to_owned() }.into());
        }
        let mut known = false;
        for pass in &mut self.passes {
            known |= pass.set(uniform, text)?;
        }
        if known {
            return Ok(());
        }
        let names = self.passes.iter().flat_map(|pass| pass.executable.uniforms());
        let has = names.map(str::to_owned).collect();
        Err(self.no_such("uniform", uniform, has))
    }

    /// Runs every pass once; then outputs that feed back replace their inputs.
    ///
    /// # Errors
    /// An input that was given by its [`shape`](Setup::shape) alone and not yet
    /// [written](Experiment::write); a sequence of frames that has ended, or whose next file cannot
    /// be read; errors of the device.
    pub fn step(&mut self) -> Result<()> {
        self.step_with(true)
    }

    /// Runs a step, with the passes that nothing reads, or without them where another step follows
    /// at once.
    fn step_with(&mut self, last: bool) -> Result<()> {
        let inputs = self.inputs.iter().filter(|input| !input.written).map(|input| &input.name);
        let firsts = self.outputs.iter().filter_map(|output| output.first.as_ref());
        let firsts = firsts.filter(|first| !first.written).map(|first| &first.name);
        if let Some(name) = inputs.chain(firsts).next() {
            let missing = vec![format!("the values of input {name}")];
            return Err(stream::Error::Missing { kernel: self.kernels(), missing }.into());
        }
        for input in &mut self.inputs {
            input.bring(self.iteration)?;
        }
        for pass in self.passes.iter_mut().filter(|pass| last || !pass.planned.is_last) {
            pass.run(&self.inputs, &mut self.outputs, self.iteration)?;
        }
        for output in &mut self.outputs {
            if let Some(input) = output.becomes.and_then(|index| self.inputs.get_mut(index)) {
                std::mem::swap(&mut output.store, &mut input.store);
            }
        }
        self.iteration += 1;
        Ok(())
    }

    /// Returns the inputs whose numbers were rounded to half precision, each with the largest
    /// relative error of one: 1 where one became 0.
    pub fn rounded(&self) -> impl Iterator<Item = (&str, f64)> {
        let rounded = self.inputs.iter().filter(|input| input.error > 0.0);
        rounded.map(|input| (input.name.as_str(), input.error))
    }

    /// Returns the number of steps that were run.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// Returns whether a further step can change anything: an output feeds back, a shader reads the
    /// number of the step or its time, or an input is a sequence of frames.
    pub fn changes(&self) -> bool {
        if self.inputs.iter().any(|input| input.frames.is_some()) {
            return true;
        }
        self.passes.iter().any(|pass| !pass.planned.moving.is_empty())
            || self.outputs.iter().any(Output::feeds_back)
    }

    /// Goes back to the inputs as they were before the first step.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn restart(&mut self) -> Result<()> {
        for input in &mut self.inputs {
            if let Some(field) = input.first.take() {
                let written = input.write(field.values().as_ref());
                input.first = Some(field);
                written?;
            }
        }
        for pass in &mut self.passes {
            pass.restart(&mut self.outputs)?;
        }
        self.iteration = 0;
        Ok(())
    }

    /// Returns the extent of the last pass's outputs.
    pub fn extent(&self) -> Extent {
        self.outputs.last().map(Output::extent).unwrap_or_default()
    }

    /// Returns the number of passes.
    pub fn passes(&self) -> usize {
        self.passes.len()
    }

    /// Returns the number of panels of the largest array, which is 1 where each array fits in a
    /// texture.
    pub fn panels(&self) -> usize {
        let tilings = self.outputs.iter().filter_map(|output| output.store.tiling());
        tilings.map(|tiling| tiling.count()).max().unwrap_or(1)
    }

    /// Returns the outputs of all passes, in order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Returns the context of the experiment.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns whether y = 0 of the shaders is the last row of arrays: see [`Setup::flip`].
    pub fn flips(&self) -> bool {
        self.flips
    }

    /// Waits until the device has completed all steps.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn finish(&self) -> Result<()> {
        Ok(self.context.finish()?)
    }

    /// Returns the names of all kernels.
    fn kernels(&self) -> String {
        plan::validate::listed(self.passes.iter().map(|pass| pass.executable.name()))
    }

    fn no_such(&self, what: &'static str, name: &str, has: Vec<String>) -> Error {
        let (kernel, name) = (self.kernels(), name.to_owned());
        stream::Error::NoSuchName { kernel, what, name, has }.into()
    }
}
