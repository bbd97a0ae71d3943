//! Experiments: a fragment shader of the user's over [fields](crate::data::Field), once or again
//! and again, its outputs taking the place of its inputs.
//!
//! ```
//! use quadrille::{Context, data::Field, shader::Source};
//! use quadrille::experiment::{Experiment, Setup};
//! let context = Context::headless()?;
//! let halve = Source::fragment("halve.frag", "
//!     uniform sampler2D x;
//!     uniform float factor;
//!     out float y;
//!     void main() { y = factor * READ(x, TEXEL).r; }");
//! let setup = Setup::new()
//!     .input("x", Field::line(vec![1.0_f32, 8.0])?)
//!     .uniform("factor", "0.5")
//!     .feedback("y", "x");
//! let mut experiment = Experiment::new(&context, &halve, setup)?;
//! for _ in 0..3 {
//!     experiment.step()?;
//! }
//! assert_eq!(experiment.read("y")?, Field::line(vec![0.125_f32, 1.0])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod grid;
mod plan;
mod setup;
mod uniform;
mod watch;

use std::time::{Duration, Instant};

use crate::data::Field;
use crate::gl::{AnyTexture, Context, Target, Value};
use crate::shader::{Source, Stage};
use crate::stream::{self, Kernel};
use crate::{Extent, gl};

use self::grid::Grid;
use self::plan::Plan;
use self::watch::Watch;

pub use error::Error;
pub use setup::Setup;

/// Every shader of this module: what stands around a user's text to watch its loops.
pub fn sources() -> Result<Vec<Source>, stream::Error> {
    Ok(vec![Source::library(Stage::Fragment, "probe/loop.frag")?.watched(1)])
}

/// A user's shader, what it reads and what it writes, on the device.
pub struct Experiment {
    kernel: Kernel,
    inputs: Vec<Input>,
    uniforms: Vec<(String, Value)>,
    outputs: Vec<Output>,
    extent: Extent,
    /// Whether results are arrays of one axis, as the inputs were.
    line: bool,
    /// Whether the shader wants to know the iteration.
    counts: bool,
    iteration: u64,
    upload_took: Duration,
    /// Where the device may end the shader's loops early.
    watch: Option<Watch>,
}

/// A texture that is read.
struct Input {
    name: String,
    grid: Grid,
    /// What it began with, if an output takes its place.
    first: Option<Field>,
}

/// What a step writes.
#[derive(Debug)]
pub struct Output {
    name: String,
    kind: String,
    channels: usize,
    grid: Grid,
    /// Which input it becomes.
    becomes: Option<usize>,
}

impl Output {
    /// Its name in the shader.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its GLSL type.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// How many numbers it has in each cell, 1 to 4.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Whether it takes the place of an input.
    pub fn feeds_back(&self) -> bool {
        self.becomes.is_some()
    }
}

impl Experiment {
    /// Compiles the shader, checks that all fits together, and uploads the inputs.
    ///
    /// The shader is a plain fragment shader. A `sampler2D` gets floats, an `isampler2D` integers, a
    /// `usampler2D` unsigned ones; what an input holds is turned into that where it is exact. A name
    /// of its own choice that it declares as `in vec2` is the coordinate 0 to 1 across the target;
    /// `uniform int iteration` counts the steps from 0 and `uniform ivec2 size` is the extent of the
    /// outputs, where they are not given. Where a fragment discards, an output that feeds back keeps
    /// the cell's value of the step before, and another one the value it had, at first 0.
    pub fn new(context: &Context, source: &Source, setup: Setup) -> Result<Experiment, Error> {
        let plan = Plan::new(context, source, setup)?;
        context.finish()?;
        let begun = Instant::now();
        let mut experiment = plan.upload(context)?;
        context.finish()?;
        experiment.upload_took = begun.elapsed();
        Ok(experiment)
    }

    /// How long the inputs took to become texels and to reach the device.
    pub fn upload_took(&self) -> Duration {
        self.upload_took
    }

    /// Computes once; then outputs that feed back take their inputs' place.
    pub fn step(&mut self) -> Result<(), Error> {
        self.keep_what_is_discarded()?;
        let mut pass = self.kernel.pass();
        for input in &self.inputs {
            pass = pass.input(&input.name, input.grid.any());
        }
        for (name, value) in &self.uniforms {
            pass = pass.uniform(name, value.clone());
        }
        if self.counts {
            pass = pass.uniform("iteration", i32::try_from(self.iteration).unwrap_or(i32::MAX));
        }
        match &mut self.watch {
            Some(watch) => watch.draw(&self.kernel, pass, &mut self.outputs)?,
            None => {
                let mut targets: Vec<&mut dyn Target> =
                    self.outputs.iter_mut().map(|output| output.grid.target()).collect();
                pass.draw_into(&mut targets)?;
            }
        }
        for output in &mut self.outputs {
            if let Some(input) = output.becomes.and_then(|index| self.inputs.get_mut(index)) {
                std::mem::swap(&mut output.grid, &mut input.grid);
            }
        }
        self.iteration += 1;
        Ok(())
    }

    /// A fragment that discards writes nothing: its cell keeps the value of the step before.
    fn keep_what_is_discarded(&mut self) -> Result<(), Error> {
        if !self.kernel.may_discard() {
            return Ok(());
        }
        for output in &mut self.outputs {
            if let Some(input) = output.becomes.and_then(|index| self.inputs.get(index)) {
                output.grid.copy_from(&input.grid)?;
            }
        }
        Ok(())
    }

    /// How many steps were done.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// Whether a further step can give anything new: an output feeds back, or the shader counts.
    pub fn changes(&self) -> bool {
        self.counts || self.outputs.iter().any(Output::feeds_back)
    }

    /// Goes back to the inputs as they were at first.
    pub fn restart(&mut self) -> Result<(), Error> {
        for input in &mut self.inputs {
            if let Some(field) = &input.first {
                input.grid.write(&input.name, field)?;
            }
        }
        if self.kernel.may_discard() {
            for output in &mut self.outputs {
                output.grid.clear()?;
            }
        }
        if let Some(watch) = &mut self.watch {
            watch.restart()?;
        }
        self.iteration = 0;
        Ok(())
    }

    /// The extent of the outputs.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// What it writes, by target.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The context it lives in.
    pub fn context(&self) -> &Context {
        self.kernel.context()
    }

    /// An output's newest texture. A `vec3` lives in four channels, the fourth undefined. Before the
    /// first step there are only those that feed back: the inputs. Loops that the device ended early
    /// are an error, as in [`read`](Experiment::read).
    pub fn texture(&self, output: &str) -> Result<&dyn AnyTexture, Error> {
        self.must_be_whole()?;
        Ok(self.newest(output)?.1.any())
    }

    /// Reads what an output holds; before the first step only of those that feed back.
    ///
    /// On a device with a [`loop_budget`](Context::loop_budget) a shader with loops is watched: if the
    /// device ended one early in any step so far, the result is an error instead of a wrong number.
    pub fn read(&self, output: &str) -> Result<Field, Error> {
        self.must_be_whole()?;
        let (output, grid) = self.newest(output)?;
        Ok(grid.read(output.channels)?.as_line(self.line))
    }

    /// Waits for all that was begun.
    pub fn finish(&self) -> Result<(), Error> {
        Ok(self.context().finish()?)
    }

    fn must_be_whole(&self) -> Result<(), Error> {
        match &self.watch {
            Some(watch) => watch.check(&self.kernel, self.iteration),
            None => Ok(()),
        }
    }

    fn newest(&self, name: &str) -> Result<(&Output, &Grid), Error> {
        let Some(output) = self.outputs.iter().find(|output| output.name == name) else {
            let has = self.outputs.iter().map(|output| output.name.clone()).collect();
            let (kernel, name) = (self.kernel.name().to_owned(), name.to_owned());
            return Err(stream::Error::NoSuchName { kernel, what: "output", name, has }.into());
        };
        if let Some(input) = output.becomes.and_then(|index| self.inputs.get(index)) {
            return Ok((output, &input.grid));
        }
        match self.iteration {
            0 => Err(Error::NotYet { output: name.to_owned() }),
            _ => Ok((output, &output.grid)),
        }
    }
}

impl From<gl::Error> for Error {
    fn from(error: gl::Error) -> Error {
        Error::Stream(stream::Error::Gl(error))
    }
}

impl From<crate::shader::Error> for Error {
    fn from(error: crate::shader::Error) -> Error {
        Error::Stream(stream::Error::Shader(error))
    }
}
