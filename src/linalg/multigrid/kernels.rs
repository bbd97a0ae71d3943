//! The kernels of all levels, on either engine.

pub(super) mod task;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{Context, Target, Texture, Value};
use crate::grid::GridShape;
use crate::linalg::jacobi::ComputeShape;
use crate::linalg::nine_banded::{
    Coefficients, Error, Operator, Places, Reading, around, bind_coefficients, define,
};
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Engine, Geometry, Kernel};
use crate::{Extent, Rectangle};

use super::Grid;
use task::{Task, tasks};

/// The properties that the text of all kernels depends on.
#[derive(Clone, Copy)]
struct Form {
    engine: Engine,
    places: Places,
    shape: ComputeShape,
}

impl Form {
    /// Returns the source of a task, that asks for the coefficients of its matrix in this way; or for inner points
    /// alone.
    fn source(self, task: Task, matrix: Reading, inner: bool) -> Result<Source, Error> {
        let source = match self.engine {
            Engine::Fragment => {
                Source::library(Stage::Fragment, format!("multigrid/{}.frag", task.name()))?
            }
            Engine::Compute => {
                let path = format!("multigrid/{}.comp", task.name());
                let [x, y] = self.shape.group;
                let source = Source::library(Stage::Compute, path)?;
                let source = source.define("GROUP_X", x).define("GROUP_Y", y);
                match self.shape.tile && task.reads_neighbours() {
                    true => source.define("TILE", 1),
                    false => source,
                }
            }
        };
        let source = define(self.places.define(source), matrix);
        let source = if inner { source.define("INNER", 1) } else { source };
        let source = match task.coarsening() {
            Some(step) => source.define("STEP_X", step.x).define("STEP_Y", step.y),
            None => source,
        };
        Ok(task.defines().into_iter().fold(source, |source, name| source.define(name, 1)))
    }
}

enum Compiled {
    Drawn(Kernel),
    Dispatched(ComputeKernel),
}

/// The inputs and the uniforms of a kernel, by name.
pub(super) type Inputs<'a> = [(&'a str, &'a Texture<[f32; 4]>)];
pub(super) type Uniforms<'a> = [(&'a str, Value)];

/// The kernels, compiled when first needed. They are the same on all levels.
pub(super) struct Kernels {
    context: Context,
    form: Form,
    compiled: RefCell<HashMap<(Task, Reading, bool), Rc<Compiled>>>,
}

impl Kernels {
    pub(super) fn new(operator: &Operator) -> Kernels {
        let form =
            Form { engine: operator.engine(), places: operator.places(), shape: operator.shape() };
        let context = operator.context().clone();
        Kernels { context, form, compiled: RefCell::default() }
    }

    /// Returns the kernels for the grids of a matrix of this shape: the same ones, unless its bands
    /// have other places.
    pub(super) fn like(kernels: &Rc<Kernels>, shape: GridShape) -> Rc<Kernels> {
        let limit = kernels.context.abilities().max_texture_size;
        let places = Places::new(shape, limit, kernels.form.places.panels);
        if places == kernels.form.places {
            return Rc::clone(kernels);
        }
        let (context, form) = (kernels.context.clone(), Form { places, ..kernels.form });
        Rc::new(Kernels { context, form, compiled: RefCell::default() })
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
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
        let grid = || self.context.uninit(size);
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
        match &*self.kernel(task, reading, false)? {
            Compiled::Drawn(kernel) => {
                let targets = targets.into_iter().map(|(_, target)| target as &mut dyn Target);
                let mut targets = targets.collect::<Vec<_>>();
                let extent = targets.first().map_or_else(Extent::default, |one| one.extent());
                let mut draw = |kernel: &Kernel, rectangle: Option<Rectangle>| {
                    let pass = inputs
                        .iter()
                        .fold(kernel.pass(), |pass, (name, texture)| pass.input(name, *texture));
                    let pass = uniforms
                        .iter()
                        .fold(pass, |pass, (name, value)| pass.uniform(name, value.clone()));
                    let pass = match matrix {
                        Some(matrix) => bind_coefficients!(pass, matrix),
                        None => pass,
                    };
                    let pass = match rectangle {
                        Some(rectangle) => pass.over(Geometry::Rectangle(rectangle)),
                        None => pass,
                    };
                    pass.draw_into(&mut targets)
                };
                let step = task.coarsening().map(|by| (by.x as i64, by.y as i64));
                let inner = matrix.and_then(|matrix| matrix.inner(extent, step, task.reach()?));
                let Some(inner) = inner else { return Ok(draw(kernel, None)?) };
                if let Compiled::Drawn(of_inner) = &*self.kernel(task, reading, true)? {
                    draw(of_inner, Some(inner))?;
                }
                for rectangle in around(extent, inner) {
                    draw(kernel, Some(rectangle))?;
                }
                Ok(())
            }
            Compiled::Dispatched(kernel) => {
                let size =
                    targets.first().map_or_else(Extent::default, |(_, target)| target.extent());
                let dispatch =
                    inputs.iter().fold(kernel.dispatch(), |dispatch, (name, texture)| {
                        dispatch.input(name, *texture)
                    });
                let dispatch = uniforms.iter().fold(dispatch, |dispatch, (name, value)| {
                    dispatch.uniform(name, value.clone())
                });
                let dispatch = match matrix {
                    Some(matrix) => bind_coefficients!(dispatch, matrix),
                    None => dispatch,
                };
                let dispatch = dispatch.uniform("extent", self::size(size));
                let dispatch = targets
                    .into_iter()
                    .fold(dispatch, |dispatch, (name, target)| dispatch.image_mut(name, target));
                Ok(dispatch.run(self.form.shape.groups(size))?)
            }
        }
    }

    fn kernel(&self, task: Task, matrix: Reading, inner: bool) -> Result<Rc<Compiled>, Error> {
        if let Some(kernel) = self.compiled.borrow().get(&(task, matrix, inner)) {
            return Ok(Rc::clone(kernel));
        }
        let source = self.form.source(task, matrix, inner)?;
        let made = Rc::new(match self.form.engine {
            Engine::Fragment => {
                let reads = self.context.abilities().reads();
                Compiled::Drawn(Kernel::from_fragment(&self.context, &source, reads)?)
            }
            Engine::Compute => Compiled::Dispatched(self.context.compute_kernel(source)?),
        });
        self.compiled.borrow_mut().insert((task, matrix, inner), Rc::clone(&made));
        Ok(made)
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
