//! Programs that compute each texel of a result by itself, on either engine.

use crate::Extent;
use crate::gl::{AnyTexture, Context, Texture, Value};
use crate::grid::row_shift;
use crate::shader::Source;
use crate::stream::group::{Group, Setup};
use crate::stream::launch::Programs;
use crate::stream::{Engine, Result};

/// The texels of complex numbers, two each, or of four real ones.
pub(in crate::primitives) type Texels = Texture<[f32; 4]>;
pub(in crate::primitives) type Roots = Texture<[f32; 2]>;
pub(in crate::primitives) type Uniforms<'a> = [(&'a str, Value)];

/// A shader of the library with its defines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::primitives) struct ShaderVariant {
    pub(super) path: &'static str,
    pub(super) defines: Vec<(&'static str, usize)>,
}

/// What a kernel reads.
#[derive(Clone, Copy)]
pub(in crate::primitives) struct Inputs<'a> {
    pub(crate) x: &'a Texels,
    pub(crate) y: Option<&'a Texels>,
    pub(crate) roots: Option<&'a Roots>,
}

/// The programs of one engine.
pub(in crate::primitives) struct Maps {
    programs: Programs<ShaderVariant>,
}

/// The work groups, where the context allows them.
const SIDE: u32 = 16;

impl ShaderVariant {
    pub(crate) fn new(path: &'static str) -> ShaderVariant {
        ShaderVariant { path, defines: Vec::new() }
    }

    /// Defines a name as 1 if this holds.
    pub(crate) fn with(self, name: &'static str, holds: bool) -> ShaderVariant {
        if holds { self.defined(name, 1) } else { self }
    }

    pub(crate) fn defined(mut self, name: &'static str, value: usize) -> ShaderVariant {
        self.defines.push((name, value));
        self
    }

    pub(crate) fn source(&self, setup: Setup) -> Result<Source> {
        let define = |source: Source, (name, value): &(&str, usize)| source.define(*name, value);
        Ok(self.defines.iter().fold(setup.library(self.path)?, define))
    }
}

/// Returns an engine with the usual work groups.
pub(in crate::primitives) fn setup(engine: Engine) -> Setup {
    Setup::new(engine, Group::new(SIDE, SIDE))
}

impl<'a> Inputs<'a> {
    pub(crate) fn of(x: &'a Texels) -> Inputs<'a> {
        Inputs { x, y: None, roots: None }
    }

    pub(crate) fn with_roots(x: &'a Texels, roots: &'a Roots) -> Inputs<'a> {
        Inputs { roots: Some(roots), ..Inputs::of(x) }
    }

    /// Yields the textures with their names, and the names of the shifts of their rows.
    fn named(self) -> impl Iterator<Item = ([&'static str; 2], &'a dyn AnyTexture)> {
        let x = Some((["x", "shift"], self.x as &dyn AnyTexture));
        let y = self.y.map(|y| (["y", "shift_of_y"], y as _));
        let roots = self.roots.map(|roots| (["roots", "shift_of_roots"], roots as _));
        [x, y, roots].into_iter().flatten()
    }
}

impl Maps {
    pub(crate) fn new(context: &Context, engine: Engine) -> Maps {
        let side = Engine::group_side(context, SIDE);
        Maps { programs: Programs::new(context, Setup::new(engine, Group::new(side, side))) }
    }

    pub(crate) fn context(&self) -> &Context {
        self.programs.context()
    }

    pub(crate) fn engine(&self) -> Engine {
        self.programs.engine()
    }

    /// Computes all of a target, a texel in each invocation. The shifts of the textures' rows are uniforms besides those
    /// given.
    pub(crate) fn run(
        &self,
        variant: &ShaderVariant,
        inputs: Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Texels,
    ) -> Result<()> {
        self.run_over(target.extent(), variant, inputs, uniforms, target)
    }

    /// Computes all of a target: a dispatch has this number of invocations across and down.
    pub(crate) fn run_over(
        &self,
        invocations: Extent,
        variant: &ShaderVariant,
        inputs: Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Texels,
    ) -> Result<()> {
        let program = self.programs.get(variant, ShaderVariant::source)?;
        let mut launch = program.launch().invocations(invocations);
        for ([name, shift], texture) in inputs.named() {
            let rows = row_shift(texture.extent());
            launch = launch.input(name, texture).uniform_if_declared(shift, rows);
        }
        launch = launch.uniform_if_declared("shift_of_result", row_shift(target.extent()));
        for (name, value) in uniforms {
            launch = launch.uniform(name, value.clone());
        }
        launch.into(&mut [("value", target)])
    }
}
