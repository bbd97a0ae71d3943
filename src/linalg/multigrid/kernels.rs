//! The kernels of all levels, on either engine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::Extent;
use crate::gl::{Context, Texture, Value};
use crate::linalg::jacobi::shape::Shape;
use crate::linalg::nine_banded::{Error, Operator, Places};
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Engine, Kernel};

/// What a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    Strengths,
    Reciprocals { of_diagonal: bool },
    Diagonal,
    Weights(Of),
    Galerkin,
    Assembly,
    Restriction,
    Prolongation,
    Relaxation(Relaxation),
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

impl Task {
    fn name(self) -> &'static str {
        match self {
            Task::Strengths => "strengths",
            Task::Reciprocals { .. } | Task::Diagonal => "reciprocals",
            Task::Weights(_) => "weights",
            Task::Galerkin => "galerkin",
            Task::Assembly => "assembly",
            Task::Restriction => "restriction",
            Task::Prolongation => "prolongation",
            Task::Relaxation(_) => "relaxation",
            Task::Direct => "direct",
        }
    }

    fn define(self) -> Option<&'static str> {
        match self {
            Task::Reciprocals { of_diagonal: true } => Some("DIAGONAL"),
            Task::Diagonal => Some("ALONE"),
            Task::Weights(Of::SymmetricPart) => Some("SYMMETRIC_PART"),
            Task::Weights(Of::Transpose) => Some("TRANSPOSED"),
            Task::Relaxation(Relaxation::FromZero) => Some("FROM_ZERO"),
            Task::Relaxation(Relaxation::Residual) => Some("RESIDUAL_ALONE"),
            Task::Relaxation(Relaxation::Product) => Some("PRODUCT_ALONE"),
            _ => None,
        }
    }

    fn reads_neighbours(self) -> bool {
        matches!(self, Task::Relaxation(relaxation) if relaxation != Relaxation::FromZero)
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
        Ok(task.define().into_iter().fold(source, |source, name| source.define(name, 1)))
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
        target: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        match &*self.kernel(task)? {
            Compiled::Drawn(kernel) => {
                let pass = inputs
                    .iter()
                    .fold(kernel.pass(), |pass, (name, texture)| pass.input(name, *texture));
                let pass = uniforms
                    .iter()
                    .fold(pass, |pass, (name, value)| pass.uniform(name, value.clone()));
                Ok(pass.draw(target)?)
            }
            Compiled::Dispatched(kernel) => {
                let Extent { width, height } = target.extent();
                let dispatch =
                    inputs.iter().fold(kernel.dispatch(), |dispatch, (name, texture)| {
                        dispatch.input(name, *texture)
                    });
                let dispatch = uniforms.iter().fold(dispatch, |dispatch, (name, value)| {
                    dispatch.uniform(name, value.clone())
                });
                let dispatch = dispatch.uniform("extent", [width as i32, height as i32]);
                let groups = self.form.shape.groups(target.extent());
                Ok(dispatch.image_mut("value", target).run(groups)?)
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

/// The extent of a grid as a uniform.
pub(super) fn size(extent: Extent) -> Value {
    [extent.width as i32, extent.height as i32].into()
}

const TASKS: [Task; 16] = [
    Task::Strengths,
    Task::Reciprocals { of_diagonal: false },
    Task::Reciprocals { of_diagonal: true },
    Task::Diagonal,
    Task::Weights(Of::Matrix),
    Task::Weights(Of::SymmetricPart),
    Task::Weights(Of::Transpose),
    Task::Galerkin,
    Task::Assembly,
    Task::Restriction,
    Task::Prolongation,
    Task::Relaxation(Relaxation::Sweep),
    Task::Relaxation(Relaxation::FromZero),
    Task::Relaxation(Relaxation::Residual),
    Task::Relaxation(Relaxation::Product),
    Task::Direct,
];

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
            for task in TASKS {
                sources.push(form.source(task)?);
            }
        }
    }
    Ok(sources)
}
