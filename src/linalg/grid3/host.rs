//! Multigrid on the host.

use crate::NoMemory;
use crate::data::{Float, GridMatrix};
use crate::linalg::host::grid3::Hierarchy;
use crate::linalg::krylov::{HostSpace, Preconditioner, Real};
use crate::linalg::multigrid::{Error, Options, Result, Smoother};
use crate::memory;

use super::plan::plan;

/// A matrix on a grid of three dimensions on its levels, in double precision on the host: the twin of
/// [`Hierarchy`](super::Hierarchy).
pub struct OnHost {
    hierarchy: Hierarchy,
}

impl OnHost {
    /// Computes the levels of a matrix.
    ///
    /// # Errors
    ///
    /// [`Error::Lines`] for smoothers by lines, and [`Error::OddRing`] as on a device; out of memory.
    pub fn new(matrix: &GridMatrix, options: Options) -> Result<OnHost> {
        super::must_smooth_by_points(options)?;
        let Options { symmetric, constant_null_space, .. } = options;
        let decide = |matrix: &GridMatrix, is_finest: bool| {
            plan(matrix, symmetric, options.coarsens(), is_finest)
        };
        let made = Hierarchy::new(matrix, symmetric, constant_null_space, &decide)?;
        let hierarchy = made.ok_or(Error::OddRing { points: matrix.grid().points() })?;
        Ok(OnHost { hierarchy })
    }

    /// Returns the smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        vec![Smoother::Jacobi; self.hierarchy.levels().len() - 1]
    }
}

fn doubles<T: Real + Float>(r: &[T]) -> Result<Vec<f64>, NoMemory> {
    memory::collected(r.len(), r.iter().map(|r| (*r).into()))
}

fn set<T: Real + Float>(z: &mut [T], x: Vec<f64>) {
    z.iter_mut().zip(x).for_each(|(z, x)| *z = T::nearest(x));
}

impl<T: Real + Float> Preconditioner<HostSpace<T>> for OnHost {
    fn apply(&mut self, _: &HostSpace<T>, r: &Vec<T>, z: &mut Vec<T>) -> Result<(), NoMemory> {
        set(z, self.hierarchy.apply(&doubles(r)?)?);
        Ok(())
    }

    fn applications(&self) -> u64 {
        self.hierarchy.products()
    }
}
