//! Levels and cycles on a device.

use std::rc::Rc;

use crate::grid::DeviceGrid;
use crate::linalg::blas1::Blas1;
use crate::linalg::krylov::{DeviceSpace, Preconditioner};
use crate::linalg::nine_banded::{self, Operator};
use crate::reference::multigrid::Nine;

use super::coarsest::direct;
use super::cycle::Run;
use super::kernels::{Kernels, texels};
use super::level::{Level, matrix};
use super::plan::LevelPlan;
use super::rap::Rows;
use super::smoother::Smoothing;
use super::{Cycle, Error, Grid, Options, Smoother};

/// A nine-banded matrix on its levels: an approximate inverse, kept for any number of right-hand sides.
///
/// A level of n points has n / 2 along each axis that becomes coarser. Beside the operator's nine numbers for each unknown it takes
/// about eleven, and for a nonsymmetric matrix about fourteen; where one axis alone becomes coarser, up to three times that.
/// Where lines smooth a level, two more for each step of the reduction along each axis, and three: log2 of a line's length steps at most.
pub struct Hierarchy {
    operator: Rc<Operator>,
    kernels: Kernels,
    options: Options,
    levels: Vec<Level>,
    /// The matrices of the levels after the first.
    bands: Vec<Grid>,
    /// The inverse of the last level's.
    inverse: Grid,
}

impl Hierarchy {
    /// Computes the levels of a matrix on its device. Waits for each.
    ///
    /// # Errors
    ///
    /// [`Error::AcrossEnds`] for a matrix that is not a grid's, [`Error::Panels`] if it is in several textures, out of memory, and
    /// errors of the device.
    pub fn new(operator: &Rc<Operator>, options: Options) -> Result<Hierarchy, Error> {
        let [first] = operator.bands() else {
            return Err(Error::Panels { grid: operator.plan().to_string() });
        };
        if operator.matrix().couples_across_ends() {
            return Err(Error::AcrossEnds { width: operator.matrix().m() });
        }
        let (kernels, blas) = (Kernels::new(operator), Blas1::new(operator.context()));
        let shape = operator.plan().shape();
        let mut points = (shape.width(), shape.height());
        let (mut levels, mut bands) = (Vec::new(), Vec::<Grid>::new());
        loop {
            let own = bands.last().unwrap_or(first);
            let from = (&kernels, &blas);
            let of_diagonal = options.smoother == Some(Smoother::GaussSeidel);
            let (scaling, rows) = Rows::of(&kernels, texels(points), own, of_diagonal)?;
            let plan = LevelPlan::of(from, points, bands.is_empty(), &rows, &options)?;
            let (coarsening, smoother) = (plan.coarsening, plan.smoother);
            let smoothing =
                Smoothing::new(from, (own, &rows), points, (smoother, scaling), &options)?;
            let mut level = Level::new(&kernels, points, (smoother, smoothing))?;
            let Some(coarsening) = coarsening else {
                let own = matrix(&kernels, points, own)?;
                let inverse = direct(&kernels, &own, options.constant_null_space)?;
                levels.push(level);
                let operator = Rc::clone(operator);
                return Ok(Hierarchy { operator, kernels, options, levels, bands, inverse });
            };
            let next = level.coarsen(&kernels, own, &rows, coarsening, options.symmetric)?;
            levels.push(level);
            bands.push(next);
            points = coarsening.coarse(points);
        }
    }

    /// The points along x and y of each level, from the finest.
    pub fn levels(&self) -> impl Iterator<Item = (usize, usize)> {
        self.levels.iter().map(|level| level.points)
    }

    /// The smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        let smoothed = self.levels.split_last().map_or(&[][..], |(_, smoothed)| smoothed);
        smoothed.iter().map(|level| level.smoother).collect()
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// z = M r by a cycle from zero, for grids of the operator's plan. Waits for nothing.
    ///
    /// # Errors
    ///
    /// [`grid::Error::Unlike`](crate::grid::Error::Unlike) for grids of another plan, and errors of the device.
    pub fn apply(&mut self, r: &DeviceGrid, z: &mut DeviceGrid) -> Result<(), nine_banded::Error> {
        self.run(r, z, |run, levels, cycle, r| run.visit(levels, 0, cycle, r, true))
    }

    /// An approximate solution z of A z = r to start from, by full multigrid (Brandt 1977): from the coarsest level up each level's
    /// solution is interpolated to the next one and improved by a cycle. For grids of the operator's plan. Waits for nothing.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Hierarchy::apply).
    pub fn start(&mut self, r: &DeviceGrid, z: &mut DeviceGrid) -> Result<(), nine_banded::Error> {
        self.run(r, z, |run, levels, cycle, r| run.climb(levels, 0, cycle, r))
    }

    fn run(
        &mut self,
        r: &DeviceGrid,
        z: &mut DeviceGrid,
        on_levels: impl FnOnce(&Run<'_>, &mut [Level], Cycle, &Grid) -> Result<(), nine_banded::Error>,
    ) -> Result<(), nine_banded::Error> {
        r.must_be(self.operator.plan(), "multigrid: the residual")?;
        z.must_be(self.operator.plan(), "multigrid: the result")?;
        let run = Run {
            kernels: &self.kernels,
            finest: self.operator.bands(),
            bands: &self.bands,
            inverse: &self.inverse,
        };
        if let (Some(r), Some(z)) = (r.panel(0), z.panel_mut(0)) {
            on_levels(&run, &mut self.levels, self.options.cycle, r)?;
            if let Some(level) = self.levels.first_mut() {
                std::mem::swap(&mut level.x, z);
            }
        }
        Ok(())
    }

    /// The finest level's sweeps before the coarser ones, from zero: to be compared with the twin's.
    #[doc(hidden)]
    pub fn smoothed(&mut self, b: &DeviceGrid) -> Result<DeviceGrid, nine_banded::Error> {
        let mut z = DeviceGrid::uninit(self.operator.context(), self.operator.plan())?;
        let parts = (self.levels.first_mut(), self.operator.bands().first(), b.panel(0));
        if let ((Some(level), Some(bands), Some(b)), Some(z)) = (parts, z.panel_mut(0)) {
            level.smooth(&self.kernels, bands, b, 0, true)?;
            std::mem::swap(&mut level.x, z);
        }
        Ok(z)
    }

    /// A level's matrix, read from the device: to be compared with the twin's.
    #[doc(hidden)]
    pub fn matrix(&self, level: usize) -> Result<Option<Nine>, nine_banded::Error> {
        let bands = match level.checked_sub(1) {
            None => self.operator.bands().first(),
            Some(at) => self.bands.get(at),
        };
        match (bands, self.levels.get(level)) {
            (Some(bands), Some(level)) => Ok(Some(matrix(&self.kernels, level.points, bands)?)),
            _ => Ok(None),
        }
    }

    /// What the products with the matrix and its levels' in a cycle come to, in products with the matrix.
    fn products(&self) -> u64 {
        let count = |points: (usize, usize)| (points.0 * points.1) as f64;
        let whole = self.levels.first().map_or(1.0, |first| count(first.points));
        let smoothed = self.levels.split_last().map_or(&[][..], |(_, smoothed)| smoothed);
        let products = |level: &Level| level.products() as f64 * count(level.points) / whole;
        smoothed.iter().map(products).sum::<f64>().round() as u64
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

    fn start(
        &mut self,
        _: &DeviceSpace,
        r: &DeviceGrid,
        z: &mut DeviceGrid,
    ) -> Result<bool, nine_banded::Error> {
        Hierarchy::start(self, r, z)?;
        Ok(true)
    }

    fn applications(&self) -> u64 {
        self.products()
    }
}
