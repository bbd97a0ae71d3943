//! The components of multigrid, and the names by which their shaders are compiled.

use crate::linalg::multigrid::plan::Coarsening;
use crate::linalg::multigrid::relaxation::{Of, Relaxation};
use crate::linalg::nine_banded::Reading;

/// The component of multigrid that a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Component {
    Rows,
    Weights { of: Of, coarsening: Coarsening },
    Galerkin(Coarsening),
    Assembly { symmetric: bool },
    Restriction(Coarsening),
    Prolongation(Coarsening),
    Relaxation(Relaxation),
    Lines(Lines),
    Direct,
}

/// The part of a line smoother that a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lines {
    Entries,
    Factors,
    Reciprocals,
    Remaining,
    Elimination,
    Last { from_zero: bool },
}

impl Component {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Component::Rows => "rows",
            Component::Weights { .. } => "weights",
            Component::Galerkin(_) => "galerkin",
            Component::Assembly { .. } => "assembly",
            Component::Restriction(_) => "restriction",
            Component::Prolongation(_) => "prolongation",
            Component::Relaxation(_) => "relaxation",
            Component::Lines(lines) => lines.name(),
            Component::Direct => "direct",
        }
    }

    /// Returns the names that the text is compiled with.
    pub(super) fn defines(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        match self {
            Component::Weights { of, .. } => names.extend(of.define()),
            Component::Assembly { symmetric } => names.extend(symmetric.then_some("SYMMETRIC")),
            Component::Relaxation(relaxation) => names.extend(relaxation.define()),
            Component::Lines(lines) => names.extend(lines.define()),
            Component::Rows
            | Component::Galerkin(_)
            | Component::Restriction(_)
            | Component::Prolongation(_)
            | Component::Direct => {}
        }
        names
    }

    /// Returns the way in which the kernel asks for coefficients: what is stored by all in the programs that
    /// run once for each level, so that levels share these.
    pub(super) fn reading(self, of_matrix: Reading) -> Reading {
        let star = of_matrix.constant || matches!(self, Component::Relaxation(_));
        Reading { star: star && of_matrix.star, ..of_matrix }
    }

    pub(crate) fn coarsening(self) -> Option<Coarsening> {
        match self {
            Component::Weights { coarsening, .. }
            | Component::Galerkin(coarsening)
            | Component::Restriction(coarsening)
            | Component::Prolongation(coarsening) => Some(coarsening),
            _ => None,
        }
    }

    /// Returns whether it asks for the coefficients of a level's matrix.
    pub(super) fn reads_matrix(self) -> bool {
        match self {
            Component::Rows | Component::Weights { .. } | Component::Galerkin(_) => true,
            Component::Relaxation(relaxation) => relaxation != Relaxation::FromZero,
            Component::Lines(lines) => lines == Lines::Entries,
            Component::Assembly { .. }
            | Component::Restriction(_)
            | Component::Prolongation(_)
            | Component::Direct => false,
        }
    }

    pub(super) fn reads_neighbours(self) -> bool {
        matches!(self, Component::Relaxation(relaxation) if relaxation != Relaxation::FromZero)
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
pub(super) fn components() -> Vec<Component> {
    let mut components = vec![Component::Direct, Component::Rows];
    components.extend(Lines::ALL.map(Component::Lines));
    components.extend(Relaxation::ALL.map(Component::Relaxation));
    for is_set in [false, true] {
        components.push(Component::Assembly { symmetric: is_set });
    }
    for coarsening in [(2, 2), (1, 2), (2, 1)].map(|(x, y)| Coarsening { x, y }) {
        components
            .extend([Component::Restriction(coarsening), Component::Prolongation(coarsening)]);
        components.push(Component::Galerkin(coarsening));
        components.extend(Of::ALL.map(|of| Component::Weights { of, coarsening }));
    }
    components
}
