//! A pass of an experiment, compiled.

use std::ops::Range;

use crate::gl::{Target, Value};
use crate::shader::{Reads, Source};
use crate::stream::Kernel;

use super::Error;
use super::plan::{From, ITERATION, Planned, parsed};
use super::state::{Input, Output};
use super::watch::Watch;

/// One draw of each step.
pub(super) struct Pass {
    pub(super) kernel: Kernel,
    reads: Vec<(String, From)>,
    uniforms: Vec<(String, Value)>,
    /// Whether it gets the number of the step.
    pub(super) counts: bool,
    outputs: Range<usize>,
    /// Where the device may end the shader's loops early.
    pub(super) watch: Option<Watch>,
}

impl Pass {
    pub(super) fn new(
        kernel: Kernel,
        source: &Source,
        planned: Planned,
        form: Option<Reads>,
    ) -> Result<Pass, Error> {
        let Planned { reads, uniforms, counts, outputs, extent } = planned;
        for (name, value) in &uniforms {
            kernel.check_value(name, value)?;
        }
        let (kernel, watch) = match Watch::new(source, &kernel, extent, form)? {
            Some((watched, watch)) => (watched, Some(watch)),
            None => (kernel, None),
        };
        Ok(Pass { kernel, reads, uniforms, counts, outputs, watch })
    }

    /// Draws. `outputs` are those of all passes; the earlier ones can be read.
    pub(super) fn draw(
        &mut self,
        inputs: &[Input],
        outputs: &mut [Output],
        iteration: u64,
    ) -> Result<(), Error> {
        let (earlier, rest) = outputs.split_at_mut(self.outputs.start);
        let own = &mut rest[..self.outputs.len()];
        self.keep_what_is_discarded(inputs, own)?;
        let mut pass = self.kernel.pass();
        for (sampler, from) in &self.reads {
            let grid = match *from {
                From::Input(index) => &inputs[index].grid,
                From::Output(index) => &earlier[index].grid,
            };
            pass = pass.input(sampler, grid.any());
        }
        for (name, value) in &self.uniforms {
            pass = pass.uniform(name, value.clone());
        }
        if self.counts {
            pass = pass.uniform(ITERATION, i32::try_from(iteration).unwrap_or(i32::MAX));
        }
        let mut targets: Vec<&mut dyn Target> =
            own.iter_mut().map(|output| output.grid.target()).collect();
        match &mut self.watch {
            Some(watch) => watch.draw(&self.kernel, pass, targets),
            None => Ok(pass.draw_into(&mut targets)?),
        }
    }

    /// A fragment that discards writes nothing: its cell keeps the value of the step before.
    fn keep_what_is_discarded(&self, inputs: &[Input], own: &mut [Output]) -> Result<(), Error> {
        if !self.kernel.may_discard() {
            return Ok(());
        }
        for output in own {
            if let Some(input) = output.becomes.and_then(|index| inputs.get(index)) {
                output.grid.copy_from(&input.grid)?;
            }
        }
        Ok(())
    }

    /// Changes a uniform, and tells whether the shader declares it.
    pub(super) fn set(&mut self, name: &str, text: &str) -> Result<bool, Error> {
        let Some(glsl) = self.kernel.type_of(name) else { return Ok(self.kernel.declares(name)) };
        let value = parsed(self.kernel.name(), name, glsl, text)?;
        match self.uniforms.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.uniforms.push((name.to_owned(), value)),
        }
        self.counts &= name != ITERATION;
        Ok(true)
    }

    /// Goes back to the state before the first step.
    pub(super) fn restart(&mut self, outputs: &mut [Output]) -> Result<(), Error> {
        if self.kernel.may_discard() {
            for output in &mut outputs[self.outputs.clone()] {
                output.grid.clear()?;
            }
        }
        match &mut self.watch {
            Some(watch) => Ok(watch.restart()?),
            None => Ok(()),
        }
    }
}
