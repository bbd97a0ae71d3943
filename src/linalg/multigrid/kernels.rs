//! The kernels of all levels, on either engine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::Extent;
use crate::gl::{Context, Target, Texture, Value};
use crate::grid::GridShape;
use crate::linalg::jacobi::shape::Shape;
use crate::linalg::nine_banded::{Error, Operator, Places};
use crate::reference::multigrid::Coarsening;
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Engine, Kernel};

use super::Grid;

/// What a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    Rows { of_diagonal: bool },
    Weights { of: Of, on_diagonals: bool, coarsening: Coarsening },
    Galerkin { below: bool, coarsening: Coarsening },
    Assembly { symmetric: bool },
    Restriction(Coarsening),
    Prolongation(Coarsening),
    Relaxation(Relaxation),
    Lines(Lines),
    Direct,
}

/// The matrix that weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    Matrix,
    SymmetricPart,
    Transpose,
}

/// A sweep, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Relaxation {
    Sweep,
    FromZero,
    Residual,
    Product,
}

/// What smoothers by lines compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lines {
    Entries,
    Factors,
    Reciprocals,
    Remaining,
    Elimination,
    Last { from_zero: bool },
}

impl Task {
    fn name(self) -> &'static str {
        match self {
            Task::Rows { .. } => "rows",
            Task::Weights { .. } => "weights",
            Task::Galerkin { .. } => "galerkin",
            Task::Assembly { .. } => "assembly",
            Task::Restriction(_) => "restriction",
            Task::Prolongation(_) => "prolongation",
            Task::Relaxation(_) => "relaxation",
            Task::Lines(lines) => lines.name(),
            Task::Direct => "direct",
        }
    }

    /// The names that the text is compiled with.
    fn defines(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        match self {
            Task::Rows { of_diagonal } => names.extend(of_diagonal.then_some("OF_DIAGONAL")),
            Task::Weights { of, on_diagonals, .. } => {
                names.extend(on_diagonals.then_some("ON_DIAGONALS"));
                names.extend(of.define());
            }
            Task::Galerkin { below, .. } => names.extend(below.then_some("BELOW")),
            Task::Assembly { symmetric } => names.extend(symmetric.then_some("SYMMETRIC")),
            Task::Relaxation(relaxation) => names.extend(relaxation.define()),
            Task::Lines(lines) => names.extend(lines.define()),
            Task::Restriction(_) | Task::Prolongation(_) | Task::Direct => {}
        }
        names
    }

    fn coarsening(self) -> Option<Coarsening> {
        match self {
            Task::Weights { coarsening, .. }
            | Task::Galerkin { coarsening, .. }
            | Task::Restriction(coarsening)
            | Task::Prolongation(coarsening) => Some(coarsening),
            _ => None,
        }
    }

    fn reads_neighbours(self) -> bool {
        matches!(self, Task::Relaxation(relaxation) if relaxation != Relaxation::FromZero)
    }
}

impl Of {
    fn define(self) -> Option<&'static str> {
        match self {
            Of::Matrix => None,
            Of::SymmetricPart => Some("SYMMETRIC_PART"),
            Of::Transpose => Some("TRANSPOSED"),
        }
    }
}

impl Relaxation {
    fn define(self) -> Option<&'static str> {
        match self {
            Relaxation::Sweep => None,
            Relaxation::FromZero => Some("FROM_ZERO"),
            Relaxation::Residual => Some("RESIDUAL_ALONE"),
            Relaxation::Product => Some("PRODUCT_ALONE"),
        }
    }
}

impl Lines {
    const ALL: [Lines; 7] = [
        Lines::Entries,
        Lines::Factors,
        Lines::Reciprocals,
        Lines::Remaining,
        Lines::Elimination,
        Lines::Last { from_zero: false },
        Lines::Last { from_zero: true },
    ];

    fn name(self) -> &'static str {
        match self {
            Lines::Entries => "line_entries",
            Lines::Factors => "line_factors",
            Lines::Reciprocals | Lines::Remaining => "line_reciprocals",
            Lines::Elimination | Lines::Last { .. } => "elimination",
        }
    }

    fn define(self) -> Option<&'static str> {
        match self {
            Lines::Entries | Lines::Factors | Lines::Reciprocals | Lines::Elimination => None,
            Lines::Remaining => Some("REMAINING"),
            Lines::Last { from_zero: false } => Some("LAST"),
            Lines::Last { from_zero: true } => Some("FROM_ZERO"),
        }
    }
}

/// How kernels are written for a device.
#[derive(Clone, Copy)]
struct Form {
    engine: Engine,
    places: Places,
    shape: Shape,
}

impl Form {
    fn source(self, task: Task) -> Result<Source, Error> {
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
        let source = self.places.define(source);
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

/// What a kernel is run with.
pub(super) type Inputs<'a> = [(&'a str, &'a Texture<[f32; 4]>)];
pub(super) type Uniforms<'a> = [(&'a str, Value)];

/// The kernels, compiled when first needed. They are the same on all levels.
pub(super) struct Kernels {
    context: Context,
    form: Form,
    compiled: RefCell<HashMap<Task, Rc<Compiled>>>,
}

impl Kernels {
    pub(super) fn new(operator: &Operator) -> Kernels {
        let form =
            Form { engine: operator.engine(), places: operator.places(), shape: operator.shape() };
        let context = operator.context().clone();
        Kernels { context, form, compiled: RefCell::default() }
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    pub(super) fn places(&self) -> Places {
        self.form.places
    }

    /// Computes all of a target.
    pub(super) fn run(
        &self,
        task: Task,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        target: &mut Grid,
    ) -> Result<(), Error> {
        self.run_into(task, inputs, uniforms, vec![("value", target)])
    }

    /// Computes all of three or four grids of an extent.
    pub(super) fn run_all<const N: usize>(
        &self,
        task: Task,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        mut targets: [Grid; N],
    ) -> Result<[Grid; N], Error> {
        const NAMES: [&str; 4] = ["value_0", "value_1", "value_2", "value_3"];
        let mut targets_left = targets.iter_mut();
        let named = NAMES.map(|name| targets_left.next().map(|target| (name, target)));
        self.run_into(task, inputs, uniforms, named.into_iter().flatten().collect())?;
        Ok(targets)
    }

    /// The same with four new grids.
    pub(super) fn run_four(
        &self,
        task: Task,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        size: Extent,
    ) -> Result<[Grid; 4], Error> {
        let grid = || self.context.uninit(size);
        self.run_all(task, inputs, uniforms, [grid()?, grid()?, grid()?, grid()?])
    }

    fn run_into(
        &self,
        task: Task,
        inputs: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
        targets: Vec<(&str, &mut Grid)>,
    ) -> Result<(), Error> {
        match &*self.kernel(task)? {
            Compiled::Drawn(kernel) => {
                let pass = inputs
                    .iter()
                    .fold(kernel.pass(), |pass, (name, texture)| pass.input(name, *texture));
                let pass = uniforms
                    .iter()
                    .fold(pass, |pass, (name, value)| pass.uniform(name, value.clone()));
                let targets = targets.into_iter().map(|(_, target)| target as &mut dyn Target);
                Ok(pass.draw_into(&mut targets.collect::<Vec<_>>())?)
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
                let dispatch = dispatch.uniform("extent", self::size(size));
                let dispatch = targets
                    .into_iter()
                    .fold(dispatch, |dispatch, (name, target)| dispatch.image_mut(name, target));
                Ok(dispatch.run(self.form.shape.groups(size))?)
            }
        }
    }

    fn kernel(&self, task: Task) -> Result<Rc<Compiled>, Error> {
        if let Some(kernel) = self.compiled.borrow().get(&task) {
            return Ok(Rc::clone(kernel));
        }
        let source = self.form.source(task)?;
        let made = Rc::new(match self.form.engine {
            Engine::Fragment => {
                let reads = self.context.abilities().reads();
                Compiled::Drawn(Kernel::from_fragment(&self.context, &source, reads)?)
            }
            Engine::Compute => Compiled::Dispatched(self.context.compute_kernel(source)?),
        });
        self.compiled.borrow_mut().insert(task, Rc::clone(&made));
        Ok(made)
    }
}

/// The extent of a grid of points in texels.
pub(super) fn texels((width, height): (usize, usize)) -> Extent {
    GridShape::new(width, height).texels()
}

/// The extent of a grid as a uniform.
pub(super) fn size(extent: Extent) -> Value {
    [extent.width as i32, extent.height as i32].into()
}

/// Everything that kernels compute.
fn tasks() -> Vec<Task> {
    let mut tasks = vec![Task::Direct];
    tasks.extend(Lines::ALL.map(Task::Lines));
    for relaxation in
        [Relaxation::Sweep, Relaxation::FromZero, Relaxation::Residual, Relaxation::Product]
    {
        tasks.push(Task::Relaxation(relaxation));
    }
    for is_set in [false, true] {
        tasks.push(Task::Rows { of_diagonal: is_set });
        tasks.push(Task::Assembly { symmetric: is_set });
    }
    for coarsening in [(2, 2), (1, 2), (2, 1)].map(|(x, y)| Coarsening { x, y }) {
        tasks.extend([Task::Restriction(coarsening), Task::Prolongation(coarsening)]);
        for is_set in [false, true] {
            tasks.push(Task::Galerkin { below: is_set, coarsening });
            for of in [Of::Matrix, Of::SymmetricPart, Of::Transpose] {
                tasks.push(Task::Weights { of, on_diagonals: is_set, coarsening });
            }
        }
    }
    tasks
}

/// Every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for (engine, shape) in [
        (Engine::Fragment, Shape::WIDE),
        (Engine::Compute, Shape::WIDE),
        (Engine::Compute, Shape::TILE),
    ] {
        for across in [9, 3] {
            let form = Form { engine, places: Places { across, panels: shape.panels }, shape };
            for task in tasks() {
                sources.push(form.source(task)?);
            }
        }
    }
    Ok(sources)
}
