//! The programs of all levels, on either engine.

pub(super) mod component;

use std::rc::Rc;

use crate::Extent;
use crate::gl::{Context, Target, Texture, Value};
use crate::grid::GridShape;
use crate::linalg::jacobi::ComputeShape;
use crate::linalg::nine_banded::{Coefficients, Operator, Places, Reading, Result, around, define};
use crate::shader::Source;
use crate::stream::group::Setup;
use crate::stream::launch::Programs;
use crate::stream::{Engine, Geometry};

use super::Grid;
use component::{Component, components};

/// The properties that the text of all programs depends on.
#[derive(Clone, Copy)]
struct CompileOptions {
    engine: Engine,
    places: Places,
    shape: ComputeShape,
}

impl CompileOptions {
    fn setup(self) -> Setup {
        self.shape.setup(self.engine)
    }

    /// Returns the source of a component, that asks for the coefficients of its matrix in this way; or for inner points
    /// alone.
    fn source(self, component: Component, matrix: Reading, inner: bool) -> Result<Source> {
        let source = self.setup().library(&format!("multigrid/{}.frag", component.name()))?;
        let tile =
            self.engine == Engine::Compute && self.shape.tile && component.reads_neighbours();
        let source = if tile { source.define("TILE", 1) } else { source };
        let source = define(self.places.define(source), matrix);
        let source = if inner { source.define("INNER", 1) } else { source };
        let source = match component.coarsening() {
            Some(step) => source.define("STEP_X", step.x).define("STEP_Y", step.y),
            None => source,
        };
        Ok(component.defines().into_iter().fold(source, |source, name| source.define(name, 1)))
    }
}

/// The inputs and the uniforms of a component, by name.
pub(super) type Inputs<'a> = [(&'a str, &'a Texture<[f32; 4]>)];
pub(super) type Uniforms<'a> = [(&'a str, Value)];

/// The programs, which are the same on all levels.
pub(super) struct LevelPrograms {
    options: CompileOptions,
    programs: Programs<(Component, Reading, bool)>,
}

impl LevelPrograms {
    pub(super) fn new(operator: &Operator) -> LevelPrograms {
        let options = CompileOptions {
            engine: operator.engine(),
            places: operator.places(),
            shape: operator.shape(),
        };
        LevelPrograms::of(operator.context(), options)
    }

    fn of(context: &Context, options: CompileOptions) -> LevelPrograms {
        LevelPrograms { options, programs: Programs::new(context, options.setup()) }
    }

    /// Returns the programs for the grids of a matrix of this shape: the same ones, unless its bands
    /// have other places.
    pub(super) fn like(programs: &Rc<LevelPrograms>, shape: GridShape) -> Rc<LevelPrograms> {
        let (context, options) = (programs.context(), programs.options);
        let limit = context.abilities().max_texture_size;
        let places = Places::new(shape, limit, options.places.panels);
        if places == options.places {
            return Rc::clone(programs);
        }
        Rc::new(LevelPrograms::of(context, CompileOptions { places, ..options }))
    }

    pub(super) fn context(&self) -> &Context {
        self.programs.context()
    }

    pub(super) fn places(&self) -> Places {
        self.options.places
    }

    /// Computes all of a target, by a component and the coefficients of the matrix that it asks for.
    pub(super) fn run(
        &self,
        component: Component,
        matrix: Option<Coefficients<'_>>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Grid,
    ) -> Result<()> {
        self.run_into(component, matrix, inputs, uniforms, vec![("value", target)])
    }

    /// Computes all of three or four grids of an extent.
    pub(super) fn run_all<const N: usize>(
        &self,
        component: Component,
        matrix: Option<Coefficients<'_>>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        mut targets: [Grid; N],
    ) -> Result<[Grid; N]> {
        const NAMES: [&str; 4] = ["value_0", "value_1", "value_2", "value_3"];
        let named = NAMES.into_iter().zip(&mut targets).collect();
        self.run_into(component, matrix, inputs, uniforms, named)?;
        Ok(targets)
    }

    /// Computes all of four new grids.
    pub(super) fn run_four(
        &self,
        component: Component,
        matrix: Option<Coefficients<'_>>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        size: Extent,
    ) -> Result<[Grid; 4]> {
        let grid = || self.context().uninit(size);
        self.run_all(component, matrix, inputs, uniforms, [grid()?, grid()?, grid()?, grid()?])
    }

    fn run_into(
        &self,
        component: Component,
        matrix: Option<Coefficients<'_>>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        targets: Vec<(&str, &mut Grid)>,
    ) -> Result<()> {
        let reading = matrix.map_or(Reading::ALL, |matrix| component.reading(matrix.reading()));
        let mut targets: Vec<(&str, &mut dyn Target)> =
            targets.into_iter().map(|(name, target)| (name, target as &mut dyn Target)).collect();
        let extent = targets.first().map_or_else(Extent::default, |(_, target)| target.extent());
        let mut run = |inner: bool, over: Geometry<'_>| {
            let key = (component, reading, inner);
            let program =
                self.programs.get(&key, |_, _| self.options.source(component, reading, inner))?;
            let mut launch = program.launch().over(over);
            for (name, texture) in inputs {
                launch = launch.input(name, *texture);
            }
            for (name, value) in uniforms {
                launch = launch.uniform(name, value.clone());
            }
            if let Some(matrix) = matrix {
                launch = matrix.bind(launch);
            }
            Ok(launch.into(&mut targets)?)
        };
        // What runs once for each level has no second program for these points.
        let by_parts = self.options.engine == Engine::Fragment && component.reads_neighbours();
        let inner = by_parts.then(|| matrix?.inner(extent)).flatten();
        let Some(inner) = inner else {
            return run(false, Geometry::Full);
        };
        run(true, Geometry::Rectangle(inner))?;
        around(extent, inner).try_for_each(|part| run(false, Geometry::Rectangle(part)))
    }
}

/// Returns the extent of a grid of points in texels.
pub(super) fn texels((width, height): (usize, usize)) -> Extent {
    GridShape::new(width, height).texels()
}

/// Returns the extent of a grid as a uniform.
pub(super) fn size(extent: Extent) -> Value {
    [extent.width as i32, extent.height as i32].into()
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for (engine, shape) in ComputeShape::ON_ENGINES {
        for across in [9, 3] {
            let options =
                CompileOptions { engine, places: Places { across, panels: shape.panels }, shape };
            for component in components() {
                for reading in Reading::every() {
                    if reading == Reading::ALL || component.reads_matrix() {
                        sources.push(options.source(component, reading, false)?);
                    }
                    let drawn = engine == Engine::Fragment;
                    if reading.constant && component.reads_neighbours() && drawn {
                        sources.push(options.source(component, reading, true)?);
                    }
                }
            }
        }
    }
    Ok(sources)
}
