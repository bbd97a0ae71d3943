//! The tasks of multigrid's programs, and the names by which their shaders are compiled.

use crate::linalg::multigrid::plan::Coarsening;
use crate::linalg::nine_banded::Reading;

/// The task of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    Rows,
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
pub(crate) enum Of {
    Matrix,
    SymmetricPart,
    Transpose,
}

/// A sweep, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Relaxation {
    Sweep,
    FromZero,
    Residual,
    Product,
}

/// The task of a kernel of the line smoothers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lines {
    Entries,
    Factors,
    Reciprocals,
    Remaining,
    Elimination,
    Last { from_zero: bool },
}

impl Task {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Task::Rows => "rows",
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

    /// Returns the names that the text is compiled with.
    pub(super) fn defines(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        match self {
            Task::Weights { of, on_diagonals, .. } => {
                names.extend(on_diagonals.then_some("ON_DIAGONALS"));
                names.extend(of.define());
            }
            Task::Galerkin { below, .. } => names.extend(below.then_some("BELOW")),
            Task::Assembly { symmetric } => names.extend(symmetric.then_some("SYMMETRIC")),
            Task::Relaxation(relaxation) => names.extend(relaxation.define()),
            Task::Lines(lines) => names.extend(lines.define()),
            Task::Rows | Task::Restriction(_) | Task::Prolongation(_) | Task::Direct => {}
        }
        names
    }

    /// Returns the way in which the kernel asks for coefficients: what is stored by all in the programs that
    /// run once for each level, so that levels share these.
    pub(super) fn reading(self, of_matrix: Reading) -> Reading {
        let star = of_matrix.constant || matches!(self, Task::Relaxation(_));
        Reading { star: star && of_matrix.star, ..of_matrix }
    }

    pub(crate) fn coarsening(self) -> Option<Coarsening> {
        match self {
            Task::Weights { coarsening, .. }
            | Task::Galerkin { coarsening, .. }
            | Task::Restriction(coarsening)
            | Task::Prolongation(coarsening) => Some(coarsening),
            _ => None,
        }
    }

    /// Returns whether it asks for the coefficients of a level's matrix.
    pub(super) fn reads_matrix(self) -> bool {
        match self {
            Task::Rows | Task::Weights { .. } | Task::Galerkin { .. } => true,
            Task::Relaxation(relaxation) => relaxation != Relaxation::FromZero,
            Task::Lines(lines) => lines == Lines::Entries,
            Task::Assembly { .. } | Task::Restriction(_) | Task::Prolongation(_) | Task::Direct => {
                false
            }
        }
    }

    /// Returns how far from the points of its target, on the finer grid of two, are those whose
    /// coefficients it asks for; `None` where inner points are not drawn by themselves.
    pub(super) fn reach(self) -> Option<i64> {
        match self {
            Task::Rows => Some(0),
            Task::Relaxation(relaxation) if relaxation != Relaxation::FromZero => Some(0),
            Task::Weights { .. } | Task::Galerkin { .. } => Some(3),
            _ => None,
        }
    }

    pub(super) fn reads_neighbours(self) -> bool {
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

    pub(crate) fn name(self) -> &'static str {
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

/// Lists everything that programs compute.
pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = vec![Task::Direct, Task::Rows];
    tasks.extend(Lines::ALL.map(Task::Lines));
    for relaxation in
        [Relaxation::Sweep, Relaxation::FromZero, Relaxation::Residual, Relaxation::Product]
    {
        tasks.push(Task::Relaxation(relaxation));
    }
    for is_set in [false, true] {
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
