//! Levels and cycles on a device.

pub(super) mod cycle;
mod from_host;
pub(super) mod local_levels;

use std::rc::Rc;

use crate::grid::DeviceGrid;
use crate::linalg::blas1::Blas1;
use crate::linalg::host::multigrid::Nine;
use crate::linalg::krylov::{DeviceSpace, Preconditioner};
use crate::linalg::nine_banded::{self, Operator};

use super::level::Level;
use super::plan::{LevelPlan, ON_HOST};
use super::{Grid, Options, Result, Smoother};
use cycle::{Levels, run_cycle};
use local_levels::LocalLevels;

/// A nine-banded matrix on its levels: an approximate inverse, kept for any number of right-hand
/// sides.
///
/// A level of n points has n / 2 along each axis that becomes coarser. Beside the operator's nine
/// numbers for each unknown it takes about eleven, and for a nonsymmetric matrix about fourteen;
/// where one axis alone becomes coarser, up to three times that. Where lines smooth a level, two
/// more for each step of the reduction along each axis, and three: log2 of a line's length steps at
/// most.
pub struct Hierarchy {
    operator: Rc<Operator>,
    options: Options,
    local: LocalLevels,
}

impl Hierarchy {
    /// Computes the levels of a matrix: of a small one on the host, else on its device, where it waits for each.
    ///
    /// # Errors
    ///
    /// [`Error::AcrossEnds`](super::Error::AcrossEnds) for a matrix that is not a grid's, [`Error::Panels`](super::Error::Panels) if it is in
    /// several textures, out of memory, and errors of the device.
    pub fn new(operator: &Rc<Operator>, options: Options) -> Result<Hierarchy> {
        if operator.matrix().n() > ON_HOST {
            return Hierarchy::on_device(operator, options);
        }
        let local = LocalLevels::by_host(operator, &options)?;
        Ok(Hierarchy { operator: Rc::clone(operator), options, local })
    }

    /// Computes the levels of a matrix of any size on its device: to be compared with the twin's.
    #[doc(hidden)]
    pub fn on_device(operator: &Rc<Operator>, options: Options) -> Result<Hierarchy> {
        let (mut local, blas) = (LocalLevels::of(operator)?, Blas1::new(operator.context()));
        loop {
            let (points, is_finest) = (local.points(), local.levels().is_empty());
            let (scaling, rows) = local.rows()?;
            let measures = match LevelPlan::is_open(points, &options) {
                true => Some(local.measures(&rows, &blas, None)?),
                false => None,
            };
            let plan = LevelPlan::of(points, is_finest, measures, &options);
            local.extend(&blas, scaling, rows, plan, &options)?;
            if plan.coarsening.is_none() {
                return Ok(Hierarchy { operator: Rc::clone(operator), options, local });
            }
        }
    }

    /// Returns the points along x and y of each level, from the finest.
    pub fn levels(&self) -> impl Iterator<Item = (usize, usize)> {
        self.local.levels().iter().map(|level| level.points)
    }

    /// Returns the smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        let smoothed = self.local.levels().split_last().map_or(&[][..], |(_, smoothed)| smoothed);
        smoothed.iter().map(|level| level.smoother).collect()
    }

    /// Returns the options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Computes z = M r by a cycle from zero, for grids of the operator's plan. It waits for
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`grid::Error::Unlike`](crate::grid::Error::Unlike) for grids of another plan, and errors of
    /// the device.
    pub fn apply(&mut self, r: &DeviceGrid, z: &mut DeviceGrid) -> Result<(), nine_banded::Error> {
        r.must_be(self.operator.plan(), "multigrid: the residual")?;
        z.must_be(self.operator.plan(), "multigrid: the result")?;
        if let (Some(r), Some(z)) = (r.panel(0), z.panel_mut(0)) {
            run_cycle(&mut Run { local: &mut self.local, r }, 0, true)?;
            std::mem::swap(self.local.x_mut(0), z);
        }
        Ok(())
    }

    /// Returns the damped solutions of the finest level's lines along x (0) or y (1): to be compared with the twin's.
    #[doc(hidden)]
    pub fn lines(&mut self, b: &DeviceGrid, axis: usize) -> Result<DeviceGrid, nine_banded::Error> {
        let mut z = DeviceGrid::uninit(self.operator.context(), self.operator.plan())?;
        if let (Some(b), Some(z)) = (b.panel(0), z.panel_mut(0)) {
            self.local.solve_lines(b, axis)?;
            std::mem::swap(self.local.x_mut(0), z);
        }
        Ok(z)
    }

    /// Returns a level's matrix, read from the device: to be compared with the twin's.
    #[doc(hidden)]
    pub fn matrix(&self, level: usize) -> Result<Option<Nine>, nine_banded::Error> {
        self.local.matrix(level)
    }

    /// Returns the work of a cycle's matrix products on all levels, in products with the finest
    /// matrix.
    fn products(&self) -> u64 {
        let count = |points: (usize, usize)| (points.0 * points.1) as f64;
        let whole = self.local.levels().first().map_or(1.0, |first| count(first.points));
        let smoothed = self.local.levels().split_last().map_or(&[][..], |(_, smoothed)| smoothed);
        let sweeps = |level: &Level| level.sweeps().iter().sum::<usize>();
        let products = |level: &Level| sweeps(level) as f64 * count(level.points) / whole;
        smoothed.iter().map(products).sum::<f64>().round() as u64
    }
}

/// The levels with a right-hand side.
struct Run<'a> {
    local: &'a mut LocalLevels,
    r: &'a Grid,
}

impl Levels for Run<'_> {
    type Error = nine_banded::Error;

    fn last(&self) -> usize {
        self.local.levels().len() - 1
    }

    fn smooth(&mut self, at: usize, half: usize, from_zero: bool) -> Result<(), Self::Error> {
        self.local.smooth(at, self.r, half, from_zero)
    }

    fn restrict_residual(&mut self, at: usize) -> Result<(), Self::Error> {
        self.local.restrict_residual(at, self.r)
    }

    fn add_interpolation(&mut self, at: usize) -> Result<(), Self::Error> {
        self.local.add_interpolation(at)
    }

    fn solve(&mut self) -> Result<(), Self::Error> {
        self.local.solve(self.r)
    }
}

impl Preconditioner<DeviceSpace> for Hierarchy {
    fn apply(
        &mut self,
        _: &DeviceSpace,
        r: &DeviceGrid,
        z: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        Hierarchy::apply(self, r, z)
    }

    fn applications(&self) -> u64 {
        self.products()
    }
}
