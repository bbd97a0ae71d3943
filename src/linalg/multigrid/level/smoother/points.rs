//! Sweeps by points: x + w s (b - A x), with s the reciprocals of sums of rows or of diagonals.

use crate::Extent;
use crate::linalg::nine_banded::Error;

use super::iterate::Iterate;
use crate::linalg::multigrid::Grid;
use crate::linalg::multigrid::kernels::size;
use crate::linalg::multigrid::kernels::task::{Relaxation, Task};

/// The factors w of a sweep by lane, in rows of even and of odd index.
pub(super) type Factors = [[f32; 4]; 2];

/// The sweeps of the first half of a cycle, and those of the second.
pub(super) type Sweeps = [Vec<Factors>; 2];

pub(in crate::linalg::multigrid) struct Points {
    size: Extent,
    scaling: Grid,
    sweeps: Sweeps,
}

impl Points {
    pub(super) fn new(scaling: Grid, size: Extent, sweeps: Sweeps) -> Points {
        Points { size, scaling, sweeps }
    }

    pub(super) fn smooth(
        &self,
        Iterate { kernels, bands, b, x, spare }: Iterate<'_>,
        half: usize,
        mut from_zero: bool,
    ) -> Result<(), Error> {
        for [even, odd] in &self.sweeps[half] {
            let uniforms = [
                ("factors_even", (*even).into()),
                ("factors_odd", (*odd).into()),
                ("owned", size(self.size)),
            ];
            if std::mem::replace(&mut from_zero, false) {
                let inputs = [("b", b), ("scaling", &self.scaling)];
                let task = Task::Relaxation(Relaxation::FromZero);
                kernels.run(task, &inputs, &uniforms, x)?;
            } else {
                let inputs = [("x", &*x), ("b", b), ("scaling", &self.scaling), ("bands", bands)];
                let task = Task::Relaxation(Relaxation::Sweep);
                kernels.run(task, &inputs, &uniforms, spare)?;
                std::mem::swap(x, spare);
            }
        }
        Ok(())
    }

    pub(super) fn sweeps(&self) -> [usize; 2] {
        self.sweeps.each_ref().map(Vec::len)
    }
}
