//! Smoothers of a level's error. A smoother has two halves, before and after the coarser levels.

mod iterate;
mod lines;
mod points;

use crate::linalg::multigrid::Smoother;
use crate::linalg::multigrid::plan::{DAMPINGS, damping};
use crate::linalg::nine_banded::Result;

use crate::linalg::multigrid::programs::texels;
use crate::linalg::multigrid::{Grid, Options};
pub(in crate::linalg::multigrid) use iterate::Iterate;
use lines::Lines;
pub(in crate::linalg::multigrid) use lines::Setup;
use points::Points;

/// The smoother of a level, with what it needs of the matrix.
pub(crate) enum Smoothing {
    Points(Points),
    Lines(Box<Lines>),
}

/// Returns the sweeps in both halves of a cycle of a smoother by points, each of which reads the
/// neighbours once; `None` for lines.
pub(crate) fn sweeps_of(smoother: Smoother) -> Option<[usize; 2]> {
    (smoother == Smoother::Jacobi).then_some([DAMPINGS; 2])
}

impl Smoothing {
    /// Makes the smoother of a level's matrix, with the reciprocals of its rows.
    pub(crate) fn new(
        setup: Setup<'_>,
        smoother: Smoother,
        scaling: Grid,
        options: &Options,
    ) -> Result<Smoothing> {
        Ok(match smoother {
            Smoother::Jacobi => {
                let factors = damping(options.symmetric);
                Smoothing::Points(Points::new(scaling, texels(setup.points), factors))
            }
            Smoother::LineJacobi => Smoothing::Lines(Box::new(Lines::new(setup)?)),
        })
    }

    /// Runs the sweeps of a half of a cycle, from x = 0 if `from_zero`, where x is not read.
    pub(crate) fn smooth(
        &mut self,
        iterate: Iterate<'_>,
        half: usize,
        from_zero: bool,
    ) -> Result<()> {
        match self {
            Smoothing::Points(points) => points.smooth(iterate, from_zero),
            Smoothing::Lines(lines) => lines.smooth(iterate, half, from_zero),
        }
    }

    /// Returns the sweeps in both halves of a cycle, each a product with the level's matrix.
    pub(crate) fn sweeps(&self) -> [usize; 2] {
        match self {
            Smoothing::Points(points) => points.sweeps(),
            Smoothing::Lines(lines) => lines.sweeps(),
        }
    }
}
