//! Counts on the device: of passes, and of dispatches, each of which needs the one before.

use quadrille::Extent;
use quadrille::gl::Context;
use quadrille::internal::stream::Program;
use quadrille::shader::{Source, Stage};
use quadrille::stream::{Kernel, PingPong};

use crate::{Error, Result, shaders};

/// A texel each that counts in its channels.
pub(super) struct Counter {
    pass: Kernel,
    /// The program of the dispatches, where the context has compute shaders.
    dispatch: Option<Program>,
    passes: PingPong<[f32; 4]>,
    dispatches: PingPong<[f32; 4]>,
}

/// The shader that adds an amount to every texel of `x`: by passes, or by dispatches of one
/// invocation a texel.
pub fn adder(stage: Stage) -> Result<Source> {
    let path = if stage == Stage::Compute { "stream/add.comp" } else { "stream/add.frag" };
    Ok(shaders::source(stage, path)?)
}

/// Every shader of this module.
pub fn sources() -> Result<Vec<Source>> {
    Ok(vec![adder(Stage::Fragment)?, adder(Stage::Compute)?])
}

impl Counter {
    pub(super) fn new(context: &Context) -> Result<Counter> {
        let one = Extent::new(1, 1);
        let zero = || PingPong::new(context.texture(one, &[[0.0; 4]])?, context.uninit(one)?);
        let has_compute = context.abilities().compute.is_some();
        let dispatch = || Ok::<_, Error>(Program::compute(context, adder(Stage::Compute)?)?);
        let dispatch = has_compute.then(dispatch).transpose()?;
        let pass = context.kernel(adder(Stage::Fragment)?)?;
        Ok(Counter { pass, dispatch, passes: zero()?, dispatches: zero()? })
    }

    /// Counts by a pass.
    pub(super) fn pass(&mut self) -> Result<()> {
        let kernel = &self.pass;
        Ok(self
            .passes
            .step(|old, new| kernel.pass().input("x", old).uniform("amount", 1.0_f32).draw(new))?)
    }

    /// Counts by a dispatch.
    pub(super) fn dispatch(&mut self) -> Result<()> {
        let Some(program) = &self.dispatch else { return Ok(()) };
        Ok(self.dispatches.step(|old, new| {
            let launch = program.launch().input("x", old).uniform("amount", 1.0_f32);
            launch.groups([1, 1, 1]).write("sum", new)
        })?)
    }

    /// The passes so far.
    pub(super) fn passes(&self) -> Result<Vec<[f32; 4]>> {
        Ok(self.passes.newest().read()?)
    }

    /// The dispatches so far.
    pub(super) fn dispatches(&self) -> Result<Vec<[f32; 4]>> {
        Ok(self.dispatches.newest().read()?)
    }
}
