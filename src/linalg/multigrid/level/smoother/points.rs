//! Jacobi's iteration by points with Chebyshev's damping: sweeps x + w s (b - A x), with s the
//! reciprocals of sums of rows.

use crate::Extent;
use crate::linalg::nine_banded::Result;

use super::iterate::Iterate;
use crate::linalg::multigrid::Grid;
use crate::linalg::multigrid::plan::DAMPINGS;
use crate::linalg::multigrid::programs::component::Component;
use crate::linalg::multigrid::programs::size;
use crate::linalg::multigrid::relaxation::sweeps;

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
        from_zero: bool,
    ) -> Result<()> {
        sweeps(&self.factors, from_zero, (x, spare), |relaxation, factor, x, target| {
            let uniforms = [("factor", factor.into()), ("extent", size(self.size))];
            let component = Component::Relaxation(relaxation);
            let others = [("b", b), ("scaling", &self.scaling)];
            let inputs: Vec<_> = x.map(|x| ("x", x)).into_iter().chain(others).collect();
            programs.run(component, x.map(|_| coefficients), &inputs, &uniforms, target)
        })
    }

    pub(super) fn sweeps(&self) -> [usize; 2] {
        [self.factors.len(); 2]
    }
}
