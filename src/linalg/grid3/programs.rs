//! The programs: what each computes, and its text.

use crate::linalg::nine_banded::Error;
use crate::shader::Source;
use crate::stream::Engine;
use crate::stream::group::{Group, Setup};

/// The work groups of compute shaders.
const GROUP: Group = Group::new(16, 16);

/// Returns an engine with its work groups.
pub(super) fn setup(engine: Engine) -> Setup {
    Setup::new(engine, GROUP)
}

/// What a program computes, and how it finds numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    task: Task,
    form: Form,
}

impl Variant {
    /// Leaves out what does not change the text of an engine.
    pub(super) fn new(task: Task, form: Form, engine: Engine) -> Variant {
        Variant { task, form: form.of(task, engine) }
    }

    /// Returns the text.
    pub(super) fn source(&self, setup: Setup) -> Result<Source, Error> {
        self.task.source(self.form, setup)
    }
}

/// What a program computes.
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
    fn source(self, form: Form, setup: Setup) -> Result<Source, Error> {
        let path = match self {
            Task::Relaxation(_) => "grid3/relaxation.frag",
            Task::Rows => "grid3/rows.frag",
            Task::Weights { .. } => "grid3/weights.frag",
            Task::Galerkin { .. } => "grid3/galerkin.frag",
            Task::Restriction { .. } => "grid3/restriction.frag",
            Task::Prolongation { .. } => "grid3/prolongation.frag",
            Task::Direct => "multigrid/direct.frag",
        };
        let mut source = setup.library(path)?;
        let dispatched = setup.engine() == Engine::Compute;
        if dispatched && matches!(self, Task::Weights { .. } | Task::Galerkin { .. }) {
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
    let mut sources = Vec::new();
    for star in [false, true] {
        // Stacks and rings change different lines of a text.
        for both in [false, true] {
            let (stacks, wraps) = (both, [both; 3]);
            let of_form = |kinds, inner, wide| Form { kinds, star, stacks, wraps, inner, wide };
            for task in &stored {
                for engine in Engine::ALL {
                    sources.push(task.source(of_form(false, false, false), setup(engine))?);
                }
            }
            for task in &of_kinds {
                sources.push(task.source(of_form(true, false, false), setup(Engine::Compute))?);
                for (inner, wide) in [(true, false), (false, false), (false, true)] {
                    sources.push(task.source(of_form(true, inner, wide), Setup::Fragment)?);
                }
            }
        }
    }
    Ok(sources)
}
