//! The options of a hierarchy.

use crate::error::named;

/// A smoother of a level's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Smoother {
    /// Two sweeps of Jacobi's iteration, each row divided by the sum of its magnitudes.
    #[default]
    Jacobi,
    /// A damped sweep of Jacobi's iteration by rows, and one by columns: all lines at once, each
    /// solved as a whole.
    LineJacobi,
}

/// The axes along which levels become coarser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoarsenAlong {
    /// The one along which couplings are stronger, and both where they are about as strong: for
    /// smoothers by points.
    Strong,
    /// The grid becomes coarser along both axes.
    Both,
}

/// The options of multigrid: how levels are made, and the known properties of the matrix.
///
/// ```
/// use quadrille::linalg::multigrid::{CoarsenAlong, Options, Smoother};
/// let options = Options::new().smoother(Smoother::LineJacobi).coarsen(CoarsenAlong::Both);
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
    /// Whether the matrix is symmetric; then the cycle is too, as conjugate gradients need.
    pub symmetric: bool,
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
        Options { smoother: None, coarsen: None, symmetric: true, constant_null_space: false }
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
            Some(Smoother::LineJacobi) => CoarsenAlong::Both,
            Some(Smoother::Jacobi) | None => CoarsenAlong::Strong,
        })
    }

    /// Returns the name of the first option that a caller has set, of those that no matrix decides.
    pub(crate) fn first_set(&self) -> Option<&'static str> {
        let set = [("smoother", self.smoother.is_some()), ("coarsen", self.coarsen.is_some())];
        set.into_iter().find(|(_, set)| *set).map(|(name, _)| name)
    }

    /// Sets whether the matrix is symmetric.
    pub fn symmetric(self, symmetric: bool) -> Options {
        Options { symmetric, ..self }
    }

    /// Sets whether the constants are the null space of the matrix.
    pub fn constant_null_space(self, constant_null_space: bool) -> Options {
        Options { constant_null_space, ..self }
    }
}

named!(
    Smoother: "smoother" { Jacobi: "jacobi", LineJacobi: "line-jacobi" },
    CoarsenAlong: "axes to coarsen" { Strong: "strong", Both: "both" },
);
