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
            let (b, scaling) = (("b", b), ("scaling", &self.scaling));
            match x {
                None => programs.run(component, &[b, scaling], &uniforms, target),
                Some(x) => {
                    let inputs = [("x", x), b, scaling];
                    programs.run_with(component, coefficients, &inputs, &uniforms, target)
                }
            }
        })
    }

    pub(super) fn sweeps(&self) -> [usize; 2] {
        [self.factors.len(); 2]
    }
}
