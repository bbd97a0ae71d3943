//! Element-wise operations: expressions compiled for an engine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::gl::{Context, Target, Texture};
use crate::grid::Scalar;
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Engine, Error, Kernel};

use super::expression::{self, Expressions};

/// A scalar of an operation: a number of the host, or one that stays on the device.
#[derive(Clone, Copy, Debug)]
pub enum Coefficient<'a> {
    /// A number of the host.
    Host(f32),
    /// A number on the device.
    Device(&'a Scalar),
}

impl From<f32> for Coefficient<'_> {
    fn from(number: f32) -> Self {
        Coefficient::Host(number)
    }
}

impl<'a> From<&'a Scalar> for Coefficient<'a> {
    fn from(scalar: &'a Scalar) -> Self {
        Coefficient::Device(scalar)
    }
}

/// A fused element-wise operation, from an expression in GLSL: [`Blas1::map`](super::Blas1::map) compiles one, and
/// [`apply`](Self::apply) runs it.
pub struct Map {
    context: Context,
    engine: Engine,
    pub(super) expressions: Expressions,
    /// By the scalars that are on the device, a bit each.
    kernels: RefCell<HashMap<u32, Compiled>>,
}

enum Compiled {
    Drawn(Kernel),
    Dispatched { kernel: ComputeKernel, side: u32 },
}

/// The invocations of a work group along each side, where the device allows them.
const SIDE: u32 = 16;

/// The shader of an engine, without the expressions.
pub(super) fn source(engine: Engine, side: u32) -> Result<Source, Error> {
    Ok(match engine {
        Engine::Fragment => Source::library(Stage::Fragment, "blas1/map.frag")?,
        Engine::Compute => Source::library(Stage::Compute, "blas1/map.comp")?.define("SIDE", side),
    })
}

/// What an operation computes a panel from.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub(super) vectors: &'a [&'a Texture<[f32; 4]>],
    pub(super) scalars: &'a [Coefficient<'a>],
    /// The numbers in the panel.
    pub(super) length: usize,
}

/// Gives the inputs to a pass or a dispatch, which have methods of the same names.
macro_rules! given {
    ($run:expr, $inputs:expr, $width:expr) => {{
        let length = i32::try_from($inputs.length).unwrap_or(i32::MAX);
        let mut run = $run.uniform("panel", [$width as i32, length]);
        for (index, texture) in $inputs.vectors.iter().enumerate() {
            run = run.input(&expression::vector(index), *texture);
        }
        for (index, scalar) in $inputs.scalars.iter().enumerate() {
            let name = expression::scalar(index);
            run = match scalar {
                Coefficient::Host(number) => run.uniform(&name, *number),
                Coefficient::Device(scalar) => run.input(&name, scalar.texture()),
            };
        }
        run
    }};
}

impl Map {
    /// Compiles nothing yet.
    pub(super) fn new(context: &Context, engine: Engine, expressions: Expressions) -> Map {
        Map { context: context.clone(), engine, expressions, kernels: RefCell::default() }
    }

    /// Compiles it for scalars of the host, so that errors in the expression come now.
    pub(super) fn compiled(self) -> Result<Map, Error> {
        let compiled = compile(&self.context, self.engine, &self.expressions, 0)?;
        self.kernels.borrow_mut().insert(0, compiled);
        Ok(self)
    }

    /// Computes one panel of each result. The targets have one extent.
    pub(super) fn panel(
        &self,
        inputs: Inputs<'_>,
        targets: &mut [&mut Texture<[f32; 4]>],
    ) -> Result<(), Error> {
        let Some(extent) = targets.first().map(|target| target.extent()) else { return Ok(()) };
        let is_on_device = |scalar: &Coefficient<'_>| matches!(scalar, Coefficient::Device(_));
        let bits = inputs.scalars.iter().enumerate();
        let on_device = bits.map(|(index, scalar)| u32::from(is_on_device(scalar)) << index).sum();
        let mut kernels = self.kernels.borrow_mut();
        let compiled = match kernels.entry(on_device) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let (context, engine) = (&self.context, self.engine);
                entry.insert(compile(context, engine, &self.expressions, on_device)?)
            }
        };
        match compiled {
            Compiled::Drawn(kernel) => {
                let targets = targets.iter_mut().map(|target| &mut **target as &mut dyn Target);
                let mut targets: Vec<_> = targets.collect();
                given!(kernel.pass(), inputs, extent.width).draw_into(&mut targets)
            }
            Compiled::Dispatched { kernel, side } => {
                let mut dispatch = given!(kernel.dispatch(), inputs, extent.width);
                for (index, target) in targets.iter_mut().enumerate() {
                    dispatch = dispatch.image_mut(&format!("result_{index}"), target);
                }
                dispatch.run([extent.width.div_ceil(*side), extent.height.div_ceil(*side), 1])
            }
        }
    }
}

fn compile(
    context: &Context,
    engine: Engine,
    expressions: &Expressions,
    on_device: u32,
) -> Result<Compiled, Error> {
    let side = Engine::group_side(context, SIDE);
    let source = expressions.complete(source(engine, side)?, on_device);
    let compiled = match engine {
        Engine::Fragment => {
            let reads = context.abilities().reads();
            Kernel::from_fragment(context, &source, reads).map(Compiled::Drawn)
        }
        Engine::Compute => {
            context.compute_kernel(source).map(|kernel| Compiled::Dispatched { kernel, side })
        }
    };
    // Errors belong to the expression, not to the shader around it.
    let kernel = || expressions.name().to_owned();
    compiled.map_err(|error| match error {
        Error::Compile { diagnostics, .. } => {
            Error::Compile { kernel: kernel(), diagnostics: expressions.explain(diagnostics) }
        }
        Error::Link { diagnostics, .. } => Error::Link { kernel: kernel(), diagnostics },
        error => error,
    })
}
