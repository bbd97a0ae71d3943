//! Multigrid on the host.

use crate::NoMemory;
use crate::data::{Float, NineBanded};
use crate::linalg::host::multigrid::{Decisions, Hierarchy, Nine, measures};
use crate::linalg::krylov::{HostSpace, Preconditioner, Real};
use crate::memory;

use super::plan::{LINE_DAMPING, LevelPlan, damping};
use super::{Error, Options, Result, Smoother};

/// Computes the levels of a matrix in double precision.
pub(super) fn hierarchy(matrix: &NineBanded, options: &Options) -> Result<Hierarchy> {
    if matrix.couples_across_ends() {
        return Err(Error::AcrossEnds { width: matrix.m() });
    }
    matrix.store()?;
    let Options { symmetric, constant_null_space, .. } = *options;
    let level = |a: &Nine, is_finest: bool| {
        LevelPlan::of(a.extent(), is_finest, Some(measures(a)), options)
    };
    let decisions = Decisions { level: &level, points: damping(symmetric), lines: LINE_DAMPING };
    Ok(Hierarchy::new(Nine::of(matrix), symmetric, constant_null_space, &decisions))
}

/// A nine-banded matrix on its levels, in double precision on the host: the twin of
/// [`Hierarchy`](super::Hierarchy).
pub struct OnHost {
    hierarchy: Hierarchy,
    products: u64,
}

impl OnHost {
    /// Computes the levels of a matrix.
    ///
    /// # Errors
    ///
    /// [`Error::AcrossEnds`] for a matrix that is not a grid's.
    pub fn new(matrix: &NineBanded, options: Options) -> Result<OnHost> {
        let hierarchy = hierarchy(matrix, &options)?;
        let points = |(width, height): &(usize, usize)| (width * height) as f64;
        let extents = hierarchy.extents();
        let whole = extents.first().map_or(1.0, points);
        let products = extents.iter().map(|extent| 4.0 * points(extent) / whole).sum::<f64>();
        Ok(OnHost { hierarchy, products: products.round() as u64 })
    }

    /// Returns a vector on the whole grid: a short last row is completed by zeros.
    fn completed<T: Real + Float>(&self, r: &[T]) -> Result<Vec<f64>, NoMemory> {
        let (width, height) = self.levels().first().copied().unwrap_or_default();
        let mut b = memory::zeroed(width * height)?;
        b.iter_mut().zip(r).for_each(|(b, r)| *b = (*r).into());
        Ok(b)
    }

    /// Returns the smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        self.hierarchy.smoothers()
    }

    /// Returns the points along x and y of each level, from the finest.
    pub fn levels(&self) -> Vec<(usize, usize)> {
        self.hierarchy.extents()
    }
}

impl<T: Real + Float> Preconditioner<HostSpace<T>> for OnHost {
    fn apply(&mut self, _: &HostSpace<T>, r: &Vec<T>, z: &mut Vec<T>) -> Result<(), NoMemory> {
        let x = self.hierarchy.apply(&self.completed(r)?);
        z.iter_mut().zip(x).for_each(|(z, x)| *z = T::nearest(x));
        Ok(())
    }

    fn applications(&self) -> u64 {
        self.products
    }
}
