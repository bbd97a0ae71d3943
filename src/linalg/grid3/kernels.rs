//! The kernels, compiled when first needed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::Context;
use crate::linalg::nine_banded::Error;
use crate::shader::{Source, Stage};
use crate::stream::group::Group;
use crate::stream::{ComputeKernel, Engine, Kernel};

/// The work groups of compute shaders.
pub(super) const GROUP: Group = Group::new(16, 16);

/// What a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    Relaxation(Relaxation),
    Rows,
    Weights { axis: usize, side: usize, of: Of },
    Galerkin { axis: usize, towards: isize, same_line: bool },
    Restriction { axis: usize },
    Prolongation { axis: usize, adds: bool },
    Direct,
}

/// A product, or a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Relaxation {
    Product,
    Residual,
    Sweep,
    FromZero,
}

/// The matrix that weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    Matrix,
    SymmetricPart,
    Transpose,
}

/// How a kernel finds numbers, by which it is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Couplings depend on the kind of a point alone.
    pub(super) kinds: bool,
    /// Points are coupled along the axes alone.
    pub(super) star: bool,
    /// A grid may be in several stacks.
    pub(super) stacks: bool,
    /// Whether the ends of axes are neighbours.
    pub(super) wraps: [bool; 3],
    /// Every line of the target is inside, of which the numbers are uniforms.
    pub(super) inner: bool,
    /// There are several kinds at each end of an axis.
    pub(super) wide: bool,
}

impl Form {
    /// The form of a kernel that knows no grid.
    const NONE: Form = Form {
        kinds: false,
        star: false,
        stacks: false,
        wraps: [false; 3],
        inner: false,
        wide: false,
    };
}

impl Form {
    /// Leaves out what does not change a task's text.
    fn of(self, task: Task, engine: Engine) -> Form {
        let drawn = engine == Engine::Fragment;
        let (inner, wide) = (self.inner && drawn, self.wide && drawn && !self.inner);
        // Hardware takes no longer for several stacks than a driver for another program.
        let stacks = self.stacks || !drawn;
        match task {
            Task::Direct => Form::NONE,
            Task::Restriction { .. } | Task::Prolongation { .. } => {
                Form { star: false, stacks, inner, wide, ..self }
            }
            _ => Form { stacks, inner, wide, ..self },
        }
    }
}

impl Task {
    /// Returns the shader for an engine: one text in two stages.
    fn source(self, form: Form, engine: Engine) -> Result<Source, Error> {
        let (folder, name) = match self {
            Task::Relaxation(_) => ("grid3", "relaxation"),
            Task::Rows => ("grid3", "rows"),
            Task::Weights { .. } => ("grid3", "weights"),
            Task::Galerkin { .. } => ("grid3", "galerkin"),
            Task::Restriction { .. } => ("grid3", "restriction"),
            Task::Prolongation { .. } => ("grid3", "prolongation"),
            Task::Direct => ("multigrid", "direct"),
        };
        let path = format!("{folder}/{name}.frag");
        let mut source = match (engine, self) {
            (Engine::Fragment, _) => Source::library(Stage::Fragment, path)?,
            (Engine::Compute, Task::Direct) => {
                GROUP.define(Source::library(Stage::Compute, "multigrid/direct.comp")?)
            }
            (Engine::Compute, _) => GROUP.define(Source::library(Stage::Compute, path)?),
        };
        if engine == Engine::Compute && matches!(self, Task::Weights { .. } | Task::Galerkin { .. })
        {
            source = source.define("PART", 1);
        }
        let [x, y, z] = form.wraps;
        let names = [
            (form.kinds, "KINDS"),
            (form.star, "STAR"),
            (form.stacks, "STACKS"),
            (x, "WRAPS_X"),
            (y, "WRAPS_Y"),
            (z, "WRAPS_Z"),
            (form.inner, "INNER"),
            (form.wide, "WIDE"),
        ];
        for (_, name) in names.into_iter().filter(|(is_set, _)| *is_set) {
            source = source.define(name, 1);
        }
        Ok(match self {
            Task::Relaxation(Relaxation::Product) | Task::Rows | Task::Direct => source,
            Task::Relaxation(Relaxation::Residual) => source.define("RESIDUAL", 1),
            Task::Relaxation(Relaxation::Sweep) => source.define("SWEEP", 1),
            Task::Relaxation(Relaxation::FromZero) => {
                source.define("SWEEP", 1).define("FROM_ZERO", 1)
            }
            Task::Weights { axis, side, of } => {
                let source = source.define("AXIS", axis).define("SIDE", side);
                match of {
                    Of::Matrix => source,
                    Of::SymmetricPart => source.define("SYMMETRIC_PART", 1),
                    Of::Transpose => source.define("TRANSPOSED", 1),
                }
            }
            Task::Galerkin { axis, towards, same_line } => {
                let source = source.define("AXIS", axis).define("TOWARDS", format!("({towards})"));
                if same_line { source.define("SAME_LINE", 1) } else { source }
            }
            Task::Restriction { axis } | Task::Prolongation { axis, adds: false } => {
                source.define("AXIS", axis)
            }
            Task::Prolongation { axis, adds: true } => {
                source.define("AXIS", axis).define("ADDS", 1)
            }
        })
    }
}

/// A kernel of either engine.
pub(super) enum Compiled {
    Drawn(Kernel),
    Dispatched(ComputeKernel),
}

/// The kernels of a context.
pub(super) struct Kernels {
    context: Context,
    engine: Engine,
    compiled: RefCell<HashMap<(Task, Form), Rc<Compiled>>>,
}

impl Kernels {
    pub(super) fn new(context: &Context, engine: Engine) -> Kernels {
        Kernels { context: context.clone(), engine, compiled: RefCell::default() }
    }

    pub(super) fn engine(&self) -> Engine {
        self.engine
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    pub(super) fn get(&self, task: Task, form: Form) -> Result<Rc<Compiled>, Error> {
        let key = (task, form.of(task, self.engine));
        if let Some(kernel) = self.compiled.borrow().get(&key) {
            return Ok(Rc::clone(kernel));
        }
        let source = task.source(key.1, self.engine)?;
        let made = Rc::new(match self.engine {
            Engine::Fragment => {
                let reads = self.context.abilities().reads();
                Compiled::Drawn(Kernel::from_fragment(&self.context, &source, reads)?)
            }
            Engine::Compute => Compiled::Dispatched(self.context.compute_kernel(source)?),
        });
        self.compiled.borrow_mut().insert(key, Rc::clone(&made));
        Ok(made)
    }
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    let relaxations =
        [Relaxation::Product, Relaxation::Residual, Relaxation::Sweep, Relaxation::FromZero];
    let mut of_kinds = relaxations.map(Task::Relaxation).to_vec();
    let mut stored = vec![Task::Rows];
    for axis in 0..3 {
        of_kinds.push(Task::Restriction { axis });
        of_kinds.extend([false, true].map(|adds| Task::Prolongation { axis, adds }));
        let of = [Of::Matrix, Of::SymmetricPart, Of::Transpose];
        for side in 0..2 {
            stored.extend(of.map(|of| Task::Weights { axis, side, of }));
        }
        for (towards, same_line) in [(-1, false), (0, false), (1, false), (-1, true), (1, true)] {
            stored.push(Task::Galerkin { axis, towards, same_line });
        }
    }
    stored.extend(&of_kinds);
    let mut sources = super::double::sources()?;
    for star in [false, true] {
        // Stacks and rings change different lines of a text.
        for both in [false, true] {
            let (stacks, wraps) = (both, [both; 3]);
            let of_form = |kinds, inner, wide| Form { kinds, star, stacks, wraps, inner, wide };
            for task in &stored {
                for engine in Engine::ALL {
                    sources.push(task.source(of_form(false, false, false), engine)?);
                }
            }
            for task in &of_kinds {
                sources.push(task.source(of_form(true, false, false), Engine::Compute)?);
                for (inner, wide) in [(true, false), (false, false), (false, true)] {
                    sources.push(task.source(of_form(true, inner, wide), Engine::Fragment)?);
                }
            }
        }
    }
    Ok(sources)
}
