//! What makes errors smooth on a level. A smoother has two halves, before and after the coarser levels.

mod gauss_seidel;
mod iterate;
mod jacobi;
mod points;

use crate::Extent;
use crate::linalg::nine_banded::Error;
use crate::reference::multigrid::Smoother;

use super::{Grid, Options};
use points::Points;

pub(super) use iterate::Iterate;

/// The smoother of a level, with what it needs of the matrix.
pub(super) enum Smoothing {
    Points(Points),
}

impl Smoothing {
    /// For a level's matrix on a grid of this extent in texels, with the reciprocals of its rows.
    pub(super) fn new(scaling: Grid, size: Extent, options: &Options) -> Smoothing {
        let sweeps = match options.smoother {
            Smoother::Jacobi => jacobi::sweeps(options.symmetric),
            Smoother::GaussSeidel => gauss_seidel::sweeps(options.same_order),
        };
        Smoothing::Points(Points::new(scaling, size, sweeps))
    }

    /// Whether the reciprocals are those of the diagonal, or of the sums of magnitudes of rows.
    pub(super) fn divides_by_diagonal(options: &Options) -> bool {
        options.smoother == Smoother::GaussSeidel
    }

    /// The sweeps of a half of a cycle, from x = 0 if `from_zero`, where x is not read.
    pub(super) fn smooth(
        &self,
        iterate: Iterate<'_>,
        half: usize,
        from_zero: bool,
    ) -> Result<(), Error> {
        match self {
            Smoothing::Points(points) => points.smooth(iterate, half, from_zero),
        }
    }

    /// The products with the level's matrix in both halves.
    pub(super) fn products(&self) -> usize {
        match self {
            Smoothing::Points(points) => points.products(),
        }
    }
}
