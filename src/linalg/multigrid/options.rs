//! The options of a hierarchy.

use super::{Axes, CoarsenAlong, Cycle, Smoother};
use crate::error::named;

/// The options of multigrid: how cycles run, and the known properties of the matrix.
///
/// ```
/// use quadrille::linalg::multigrid::{Axes, Cycle, Options, Smoother};
/// let options = Options::new().smoother(Smoother::Zebra(Axes::Both)).cycle(Cycle::F);
/// assert!(options.symmetric);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// The smoother of all levels; by default the one that suits each level.
    pub smoother: Option<Smoother>,
    /// The axes along which levels become coarser; by default both where lines smooth all levels,
    /// else the strong one.
    pub coarsen: Option<CoarsenAlong>,
    /// The order of the levels; V.
    pub cycle: Cycle,
    /// Whether a [solver](crate::linalg::solve) starts from a solution of the coarser levels
    /// instead of zero, in mixed precision.
    pub full_start: bool,
    /// Whether the matrix is symmetric; then the cycle is too, as conjugate gradients need, unless
    /// `same_order`.
    pub symmetric: bool,
    /// Whether the second half of a cycle takes the colours of sweeps by lines in the order of the
    /// first: fewer cycles where they are repeated by themselves, and no symmetry.
    pub same_order: bool,
    /// Whether the constants are the matrix's null space.
    pub constant_null_space: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

impl Options {
    /// Returns the defaults, for symmetric matrices.
    pub const fn new() -> Options {
        Options {
            smoother: None,
            coarsen: None,
            cycle: Cycle::V,
            full_start: false,
            symmetric: true,
            same_order: false,
            constant_null_space: false,
        }
    }

    /// Sets the smoother of all levels.
    pub fn smoother(self, smoother: Smoother) -> Options {
        Options { smoother: Some(smoother), ..self }
    }

    /// Sets the axes along which levels become coarser.
    pub fn coarsen(self, along: CoarsenAlong) -> Options {
        Options { coarsen: Some(along), ..self }
    }

    /// Returns the axes along which levels become coarser.
    pub fn coarsens(&self) -> CoarsenAlong {
        self.coarsen.unwrap_or(match self.smoother {
            Some(Smoother::LineJacobi(_) | Smoother::Zebra(_)) => CoarsenAlong::Both,
            Some(Smoother::Jacobi) | None => CoarsenAlong::Strong,
        })
    }

    /// Sets the cycle.
    pub fn cycle(self, cycle: Cycle) -> Options {
        Options { cycle, ..self }
    }

    /// Sets whether a solve starts from a solution of the coarser levels, or from zero.
    pub fn full_start(self, full_start: bool) -> Options {
        Options { full_start, ..self }
    }

    /// Returns the name of the first option that a caller has set, of those that no matrix decides.
    pub(crate) fn first_set(&self) -> Option<&'static str> {
        let set = [
            ("smoother", self.smoother.is_some()),
            ("cycle", self.cycle != Cycle::V),
            ("coarsen", self.coarsen.is_some()),
            ("full_start", self.full_start),
        ];
        set.into_iter().find(|(_, set)| *set).map(|(name, _)| name)
    }

    /// Sets whether the matrix is symmetric.
    pub fn symmetric(self, symmetric: bool) -> Options {
        Options { symmetric, ..self }
    }

    /// Sets whether the colours are taken in the same order in both halves of a cycle.
    pub fn same_order(self, same_order: bool) -> Options {
        Options { same_order, ..self }
    }

    /// Sets whether the constants are the null space of the matrix.
    pub fn constant_null_space(self, constant_null_space: bool) -> Options {
        Options { constant_null_space, ..self }
    }
}

impl Smoother {
    /// All smoothers.
    pub const ALL: [Smoother; 7] = [
        Smoother::Jacobi,
        Smoother::LineJacobi(Axes::Both),
        Smoother::LineJacobi(Axes::X),
        Smoother::LineJacobi(Axes::Y),
        Smoother::Zebra(Axes::Both),
        Smoother::Zebra(Axes::X),
        Smoother::Zebra(Axes::Y),
    ];

    /// Returns the name as text.
    pub fn name(self) -> &'static str {
        match self {
            Smoother::Jacobi => "jacobi",
            Smoother::LineJacobi(Axes::Both) => "line-jacobi",
            Smoother::LineJacobi(Axes::X) => "line-jacobi-x",
            Smoother::LineJacobi(Axes::Y) => "line-jacobi-y",
            Smoother::Zebra(Axes::Both) => "zebra",
            Smoother::Zebra(Axes::X) => "zebra-x",
            Smoother::Zebra(Axes::Y) => "zebra-y",
        }
    }
}

impl CoarsenAlong {
    /// The list of both choices.
    pub const ALL: [CoarsenAlong; 2] = [CoarsenAlong::Strong, CoarsenAlong::Both];

    /// Returns the name as text.
    pub fn name(self) -> &'static str {
        match self {
            CoarsenAlong::Strong => "strong",
            CoarsenAlong::Both => "both",
        }
    }
}

impl Cycle {
    /// All cycles.
    pub const ALL: [Cycle; 2] = [Cycle::V, Cycle::F];

    /// Returns the name as text.
    pub fn name(self) -> &'static str {
        match self {
            Cycle::V => "v",
            Cycle::F => "f",
        }
    }
}

named!(Smoother: "smoother", CoarsenAlong: "axes to coarsen", Cycle: "cycle");
