//! Jacobi's iteration by points with Chebyshev's damping: sweeps x + w s (b - A x), with s the
//! reciprocals of sums of rows.

use crate::Extent;
use crate::linalg::nine_banded::Error;

use super::iterate::Iterate;
use crate::linalg::multigrid::Grid;
use crate::linalg::multigrid::plan::DAMPINGS;
use crate::linalg::multigrid::programs::component::{Component, Relaxation};
use crate::linalg::multigrid::programs::size;

pub(crate) struct Points {
    size: Extent,
    scaling: Grid,
    /// The factors w of the sweeps in each half of a cycle.
    factors: [f32; DAMPINGS],
}

impl Points {
    pub(super) fn new(scaling: Grid, size: Extent, factors: [f64; DAMPINGS]) -> Points {
        Points { size, scaling, factors: factors.map(|factor| factor as f32) }
    }

    pub(super) fn smooth(
        &self,
        Iterate { programs, coefficients, b, x, spare }: Iterate<'_>,
        mut from_zero: bool,
    ) -> Result<(), Error> {
        for factor in self.factors {
            let uniforms = [("factor", factor.into()), ("extent", size(self.size))];
            if std::mem::replace(&mut from_zero, false) {
                let inputs = [("b", b), ("scaling", &self.scaling)];
                let component = Component::Relaxation(Relaxation::FromZero);
                programs.run(component, &inputs, &uniforms, x)?;
            } else {
                let inputs = [("x", &*x), ("b", b), ("scaling", &self.scaling)];
                let component = Component::Relaxation(Relaxation::Sweep);
                programs.run_with(component, coefficients, &inputs, &uniforms, spare)?;
                std::mem::swap(x, spare);
            }
        }
        Ok(())
    }

    pub(super) fn sweeps(&self) -> [usize; 2] {
        [self.factors.len(); 2]
    }
}
