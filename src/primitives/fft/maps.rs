//! Kernels that compute each texel of a result by itself, on either engine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::Extent;
use crate::gl::{AnyTexture, Context, Texture, Value};
use crate::shader::{Source, Stage};
use crate::stream::group::Group;
use crate::stream::{ComputeKernel, Engine, Error, Kernel};

/// The texels of complex numbers, two each, or of four real ones.
pub(in crate::primitives) type Numbers = Texture<[f32; 4]>;
pub(in crate::primitives) type Roots = Texture<[f32; 2]>;
pub(in crate::primitives) type Uniforms<'a> = [(&'a str, Value)];

/// A shader of `glsl/fft` without its ending, and what it defines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::primitives) struct Task {
    pub(super) stem: &'static str,
    pub(super) defines: Vec<(&'static str, usize)>,
}

/// What a kernel reads.
#[derive(Clone, Copy)]
pub(in crate::primitives) struct Inputs<'a> {
    pub(in crate::primitives) x: &'a Numbers,
    pub(in crate::primitives) y: Option<&'a Numbers>,
    pub(in crate::primitives) roots: Option<&'a Roots>,
}

enum Compiled {
    Drawn(Kernel),
    Dispatched(ComputeKernel),
}

/// The kernels of one engine, compiled when first needed.
pub(in crate::primitives) struct Maps {
    context: Context,
    engine: Engine,
    compiled: RefCell<HashMap<Task, Rc<Compiled>>>,
}

/// The work groups, where the context allows them.
const SIDE: u32 = 16;

impl Task {
    pub(in crate::primitives) fn new(stem: &'static str) -> Task {
        Task { stem, defines: Vec::new() }
    }

    /// Defines a name as 1 if this holds.
    pub(in crate::primitives) fn with(self, name: &'static str, holds: bool) -> Task {
        if holds { self.defined(name, 1) } else { self }
    }

    pub(in crate::primitives) fn defined(mut self, name: &'static str, value: usize) -> Task {
        self.defines.push((name, value));
        self
    }

    pub(in crate::primitives) fn source(&self, engine: Engine, side: u32) -> Result<Source, Error> {
        let source = match engine {
            Engine::Fragment => Source::library(Stage::Fragment, format!("{}.frag", self.stem))?,
            Engine::Compute => {
                let source = Source::library(Stage::Compute, format!("{}.comp", self.stem))?;
                Group::new(side, side).define(source)
            }
        };
        let define = |source: Source, (name, value): &(&str, usize)| source.define(*name, value);
        Ok(self.defines.iter().fold(source, define))
    }
}

impl<'a> Inputs<'a> {
    pub(in crate::primitives) fn of(x: &'a Numbers) -> Inputs<'a> {
        Inputs { x, y: None, roots: None }
    }

    pub(in crate::primitives) fn with_roots(x: &'a Numbers, roots: &'a Roots) -> Inputs<'a> {
        Inputs { roots: Some(roots), ..Inputs::of(x) }
    }

    fn named(self) -> impl Iterator<Item = (&'static str, &'a dyn AnyTexture)> {
        let roots = self.roots.map(|roots| ("roots", roots as &dyn AnyTexture));
        let y = self.y.map(|y| ("y", y as _));
        [Some(("x", self.x as _)), y, roots].into_iter().flatten()
    }
}

impl Maps {
    pub(in crate::primitives) fn new(context: &Context, engine: Engine) -> Maps {
        Maps { context: context.clone(), engine, compiled: RefCell::default() }
    }

    pub(in crate::primitives) fn context(&self) -> &Context {
        &self.context
    }

    pub(in crate::primitives) fn engine(&self) -> Engine {
        self.engine
    }

    /// Computes all of a target, a texel in each invocation.
    pub(in crate::primitives) fn run(
        &self,
        task: &Task,
        inputs: Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Numbers,
    ) -> Result<(), Error> {
        self.run_over(target.extent(), task, inputs, uniforms, target)
    }

    /// Computes all of a target: a dispatch has this number of invocations across and down.
    pub(in crate::primitives) fn run_over(
        &self,
        invocations: Extent,
        task: &Task,
        inputs: Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Numbers,
    ) -> Result<(), Error> {
        match &*self.kernel(task)? {
            Compiled::Drawn(kernel) => {
                let pass =
                    inputs.named().fold(kernel.pass(), |pass, (name, x)| pass.input(name, x));
                let pass = uniforms
                    .iter()
                    .fold(pass, |pass, (name, value)| pass.uniform(name, value.clone()));
                pass.draw(target)
            }
            Compiled::Dispatched(kernel) => {
                let extent = target.extent();
                let side = Engine::group_side(&self.context, SIDE);
                let dispatch = kernel.dispatch();
                let dispatch = inputs.named().fold(dispatch, |all, (name, x)| all.input(name, x));
                let dispatch = uniforms
                    .iter()
                    .fold(dispatch, |all, (name, value)| all.uniform(name, value.clone()));
                let dispatch =
                    dispatch.uniform("extent", [extent.width as i32, extent.height as i32]);
                let groups = Group::new(side, side).cover(invocations);
                dispatch.image_mut("value", target).run(groups)
            }
        }
    }

    fn kernel(&self, task: &Task) -> Result<Rc<Compiled>, Error> {
        if let Some(kernel) = self.compiled.borrow().get(task) {
            return Ok(Rc::clone(kernel));
        }
        let source = task.source(self.engine, Engine::group_side(&self.context, SIDE))?;
        let made = Rc::new(match self.engine {
            Engine::Fragment => {
                let reads = self.context.abilities().reads();
                Compiled::Drawn(Kernel::from_fragment(&self.context, &source, reads)?)
            }
            Engine::Compute => Compiled::Dispatched(self.context.compute_kernel(source)?),
        });
        self.compiled.borrow_mut().insert(task.clone(), Rc::clone(&made));
        Ok(made)
    }
}
