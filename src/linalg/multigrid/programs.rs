//! The programs of all levels, on either engine.

pub(super) mod task;

use std::rc::Rc;

use crate::Extent;
use crate::gl::{Context, Target, Texture, Value};
use crate::grid::GridShape;
use crate::linalg::jacobi::ComputeShape;
use crate::linalg::nine_banded::{Coefficients, Error, Operator, Places, Reading, around, define};
use crate::shader::Source;
use crate::stream::group::Setup;
use crate::stream::launch::Programs;
use crate::stream::{Engine, Geometry};

use super::Grid;
use task::{Task, tasks};

/// The properties that the text of all programs depends on.
#[derive(Clone, Copy)]
struct Form {
    engine: Engine,
    places: Places,
    shape: ComputeShape,
}

impl Form {
    fn setup(self) -> Setup {
        self.shape.setup(self.engine)
    }

    /// Returns the source of a task, that asks for the coefficients of its matrix in this way; or for inner points
    /// alone.
    fn source(self, task: Task, matrix: Reading, inner: bool) -> Result<Source, Error> {
        let source = self.setup().library(&format!("multigrid/{}.frag", task.name()))?;
        let tile = self.engine == Engine::Compute && self.shape.tile && task.reads_neighbours();
        let source = if tile { source.define("TILE", 1) } else { source };
        let source = define(self.places.define(source), matrix);
        let source = if inner { source.define("INNER", 1) } else { source };
        let source = match task.coarsening() {
            Some(step) => source.define("STEP_X", step.x).define("STEP_Y", step.y),
            None => source,
        };
        Ok(task.defines().into_iter().fold(source, |source, name| source.define(name, 1)))
    }
}

/// The inputs and the uniforms of a task, by name.
pub(super) type Inputs<'a> = [(&'a str, &'a Texture<[f32; 4]>)];
pub(super) type Uniforms<'a> = [(&'a str, Value)];

/// The programs, which are the same on all levels.
pub(super) struct LevelPrograms {
    form: Form,
    programs: Programs<(Task, Reading, bool)>,
}

impl LevelPrograms {
    pub(super) fn new(operator: &Operator) -> LevelPrograms {
        let form =
            Form { engine: operator.engine(), places: operator.places(), shape: operator.shape() };
        LevelPrograms::of(operator.context(), form)
    }

    fn of(context: &Context, form: Form) -> LevelPrograms {
        LevelPrograms { form, programs: Programs::new(context, form.setup()) }
    }

    /// Returns the programs for the grids of a matrix of this shape: the same ones, unless its bands
    /// have other places.
    pub(super) fn like(programs: &Rc<LevelPrograms>, shape: GridShape) -> Rc<LevelPrograms> {
        let (context, form) = (programs.context(), programs.form);
        let limit = context.abilities().max_texture_size;
        let places = Places::new(shape, limit, form.places.panels);
        if places == form.places {
            return Rc::clone(programs);
        }
        Rc::new(LevelPrograms::of(context, Form { places, ..form }))
    }

    pub(super) fn context(&self) -> &Context {
        self.programs.context()
    }

    pub(super) fn places(&self) -> Places {
        self.form.places
    }

    /// Computes all of a target, by a task without a matrix.
    pub(super) fn run(
        &self,
        task: Task,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Grid,
    ) -> Result<(), Error> {
        self.run_into(task, None, inputs, uniforms, vec![("value", target)])
    }

    /// Computes all of a target, by a task that asks for the coefficients of a matrix.
    pub(super) fn run_with(
        &self,
        task: Task,
        matrix: Coefficients<'_>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Grid,
    ) -> Result<(), Error> {
        self.run_into(task, Some(matrix), inputs, uniforms, vec![("value", target)])
    }

    /// Computes all of three or four grids of an extent.
    pub(super) fn run_all<const N: usize>(
        &self,
        task: Task,
        matrix: Option<Coefficients<'_>>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        mut targets: [Grid; N],
    ) -> Result<[Grid; N], Error> {
        const NAMES: [&str; 4] = ["value_0", "value_1", "value_2", "value_3"];
        let mut targets_left = targets.iter_mut();
        let named = NAMES.map(|name| targets_left.next().map(|target| (name, target)));
        self.run_into(task, matrix, inputs, uniforms, named.into_iter().flatten().collect())?;
        Ok(targets)
    }

    /// Computes all of four new grids.
    pub(super) fn run_four(
        &self,
        task: Task,
        matrix: Option<Coefficients<'_>>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        size: Extent,
    ) -> Result<[Grid; 4], Error> {
        let grid = || self.context().uninit(size);
        self.run_all(task, matrix, inputs, uniforms, [grid()?, grid()?, grid()?, grid()?])
    }

    fn run_into(
        &self,
        task: Task,
        matrix: Option<Coefficients<'_>>,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        targets: Vec<(&str, &mut Grid)>,
    ) -> Result<(), Error> {
        let reading = matrix.map_or(Reading::ALL, |matrix| task.reading(matrix.reading()));
        let mut targets: Vec<(&str, &mut dyn Target)> =
            targets.into_iter().map(|(name, target)| (name, target as &mut dyn Target)).collect();
        let extent = targets.first().map_or_else(Extent::default, |(_, target)| target.extent());
        let mut run = |inner: bool, over: Geometry<'_>| {
            let key = (task, reading, inner);
            let program = self.programs.get(&key, |_, _| self.form.source(task, reading, inner))?;
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
        let step = task.coarsening().map(|by| (by.x as i64, by.y as i64));
        let inner = || matrix?.inner(extent, step, task.reach()?);
        let Some(inner) = (self.form.engine == Engine::Fragment).then(inner).flatten() else {
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
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for (engine, shape) in [
        (Engine::Fragment, ComputeShape::WIDE),
        (Engine::Compute, ComputeShape::WIDE),
        (Engine::Compute, ComputeShape::TILE),
    ] {
        for across in [9, 3] {
            let form = Form { engine, places: Places { across, panels: shape.panels }, shape };
            for task in tasks() {
                for reading in Reading::every() {
                    if reading == Reading::ALL || task.reads_matrix() {
                        sources.push(form.source(task, reading, false)?);
                    }
                    if reading.constant && task.reach().is_some() && engine == Engine::Fragment {
                        sources.push(form.source(task, reading, true)?);
                    }
                }
            }
        }
    }
    Ok(sources)
}
