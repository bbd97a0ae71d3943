//! The iterate x as a grid on a device, and its residual there, in 32-bit floats.

use crate::grid::{DeviceGrid, Scalar};
use crate::linalg::krylov::{DeviceOperator, DeviceSpace, Factor, Space};
use crate::memory;

use super::iterate::Iterate;
use crate::linalg::solve::Result;
use crate::linalg::solve::problem::Size;

const ONE: Factor<'static, Scalar> = Factor::Number(1.0);

/// x and r = b - A x beside a space, where A is the space's matrix over `matrix_factor`.
pub(crate) struct GridIterate<'a> {
    b: &'a DeviceGrid,
    x: &'a mut DeviceGrid,
    /// A copy of x, made when first needed.
    kept: Option<DeviceGrid>,
    r: DeviceGrid,
    matrix_factor: f64,
    /// Whether x is zero, whatever the grid has.
    empty: bool,
    /// Removes the mean where the constants are the null space, so that neither x nor r has a
    /// constant part.
    mean: Option<&'a mut Mean>,
    /// The 2-norm of r.
    size: f64,
}

impl<'a> GridIterate<'a> {
    /// Starts from the x in the grid.
    pub(crate) fn new<A: DeviceOperator>(
        space: &DeviceSpace<A>,
        b: &'a DeviceGrid,
        x: &'a mut DeviceGrid,
        matrix_factor: f64,
        mean: Option<&'a mut Mean>,
    ) -> Result<GridIterate<'a>> {
        let r = space.vector()?;
        let (kept, empty, size) = (None, false, 0.0);
        let mut iterate = GridIterate { b, x, kept, r, matrix_factor, empty, mean, size };
        iterate.look(space)?;
        Ok(iterate)
    }

    /// Returns the 2-norm of r.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    fn look<A: DeviceOperator>(&mut self, space: &DeviceSpace<A>) -> Result<f64> {
        if let Some(mean) = &mut self.mean {
            mean.remove(space, self.x)?;
        }
        space.apply(self.x, &mut self.r)?;
        space.axpby(ONE, self.b, Factor::Number(-1.0 / self.matrix_factor), &mut self.r)?;
        if let Some(mean) = &mut self.mean {
            mean.remove(space, &mut self.r)?;
        }
        self.size = space.norm(&self.r)?;
        Ok(self.size)
    }
}

impl<A: DeviceOperator> Iterate<DeviceSpace<A>> for GridIterate<'_> {
    fn clear(&mut self) {
        self.empty = true;
    }

    fn correct(&mut self, space: &DeviceSpace<A>, c: &DeviceGrid, factor: f64) -> Result<Size> {
        let kept = Factor::Number(if self.empty { 0.0 } else { 1.0 });
        space.axpby(Factor::Number(factor), c, kept, self.x)?;
        self.empty = false;
        Ok(Size::same(self.look(space)?))
    }

    fn give(&self, space: &DeviceSpace<A>, factor: f64, to: &mut DeviceGrid) -> Result<()> {
        Ok(space.axpby(Factor::Number(factor), &self.r, Factor::Number(0.0), to)?)
    }

    fn keep(&mut self, space: &DeviceSpace<A>) -> Result<()> {
        let mut kept = self.kept.take().map_or_else(|| space.vector(), Ok)?;
        space.copy(self.x, &mut kept)?;
        self.kept = Some(kept);
        Ok(())
    }

    fn recall(&mut self, space: &DeviceSpace<A>) -> Result<Size> {
        if let Some(kept) = &self.kept {
            space.copy(kept, self.x)?;
        }
        Ok(Size::same(self.look(space)?))
    }

    fn settle(&mut self) -> Result<Size> {
        Ok(Size::same(self.size))
    }

    fn x(&self) -> Result<Vec<f64>> {
        let x = self.x.read()?;
        Ok(memory::collected(x.len(), x.into_iter().map(f64::from))?)
    }

    /// Returns nothing: x stays on the device.
    fn into_x(self: Box<Self>) -> Vec<f64> {
        Vec::new()
    }
}

/// Removes the mean from grids.
pub(crate) struct Mean {
    ones: DeviceGrid,
    sum: Scalar,
}

impl Mean {
    pub(crate) fn new<A: DeviceOperator>(space: &DeviceSpace<A>) -> Result<Mean> {
        let (mut ones, sum) = (space.vector()?, space.scalar(0.0)?);
        space.write(&memory::filled(1.0, space.length())?, 1.0, &mut ones)?;
        Ok(Mean { ones, sum })
    }

    /// Subtracts the mean; returns it.
    pub(crate) fn remove<A: DeviceOperator>(
        &mut self,
        space: &DeviceSpace<A>,
        x: &mut DeviceGrid,
    ) -> Result<f64> {
        space.dot(x, &self.ones, &mut self.sum)?;
        let mean = space.value(&self.sum)? / space.length() as f64;
        space.axpby(Factor::Number(-mean), &self.ones, ONE, x)?;
        Ok(mean)
    }
}
