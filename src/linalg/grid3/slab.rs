//! Multigrid of one of several ranks that have slabs of a grid: sweeps on what it stores, and the next level, which each
//! rank has as a whole.
//!
//! The host computes the way between both, for all ranks alike (`src/reference/grid3/hierarchy.rs`).

use std::ops::Range;
use std::rc::Rc;

use crate::data::GridMatrix;
use crate::grid::DeviceGrid;
use crate::linalg::blas1::Blas1;
use crate::linalg::host::grid3::Level;
use crate::linalg::krylov::DeviceOperator;
use crate::linalg::multigrid::relaxation::Relaxation;
use crate::linalg::multigrid::{Options, Result};
use crate::linalg::nine_banded;
use crate::memory;

use super::Grid;
use super::hierarchy::Hierarchy;
use super::layout::Layout;
use super::matrix::Operands;
use super::operator::Operator;
use super::setup::rows;
use super::transfer::{Transfer, TransferOperators, add_interpolation, restrict};

/// The finest level where a rank stores it, and the next one.
pub(crate) struct Slab {
    operator: Rc<Operator>,
    /// The reciprocals that sweeps multiply by, of a stored matrix.
    scaling: Option<Grid>,
    /// The way to the next level, axis by axis; none where the grid is so small that it is the last.
    transfers: Vec<Transfer>,
    /// What the rank stores of the next level.
    coarse: Layout,
    /// A correction there.
    e: Grid,
    next: Next,
}

/// The next level as a whole.
struct Next {
    hierarchy: Hierarchy,
    r: DeviceGrid,
    z: DeviceGrid,
}

impl Slab {
    /// Makes the level of a rank that stores some slices, from an even one on; `coarse` is the matrix of the next level.
    pub(crate) fn new(
        operator: &Rc<Operator>,
        level: &Level,
        coarse: &GridMatrix,
        slices: Range<usize>,
        options: Options,
    ) -> Result<Slab> {
        let (context, programs) = (operator.context(), operator.programs());
        let scaling = match operator.host.is_stored() {
            true => Some(rows(programs, &Blas1::new(context), &operator.matrix)?.0),
            false => None,
        };
        let (mut transfers, mut slices) = (Vec::new(), slices);
        for way in &level.transfers {
            let local = way.slab(slices.clone())?;
            slices = if way.axis == 2 { slices.start / 2..slices.end / 2 } else { slices };
            let operators = TransferOperators::of(programs, operator.matrix.access, &local)?;
            transfers.push(Transfer::new(context, operators)?);
        }
        let coarse_here =
            transfers.last().map_or(operator.matrix.layout, |last| last.operators.coarse);
        let whole = Rc::new(Operator::new(context, coarse)?);
        let vector = || DeviceGrid::zeros(context, whole.plan()).map_err(nine_banded::Error::from);
        let next = Next { r: vector()?, z: vector()?, hierarchy: Hierarchy::new(&whole, options)? };
        let e = context.uninit(coarse_here.extent()).map_err(nine_banded::Error::from)?;
        let operator = Rc::clone(operator);
        Ok(Slab { operator, scaling, transfers, coarse: coarse_here, e, next })
    }

    /// Returns the number of levels.
    pub(crate) fn levels(&self) -> usize {
        self.next.hierarchy.levels().len() + usize::from(!self.transfers.is_empty())
    }

    /// Returns the work of a cycle on the next level, in products with its matrix.
    pub(crate) fn products(&self) -> u64 {
        self.next.hierarchy.products()
    }

    /// Computes a sweep with a factor, from x or from zero.
    pub(crate) fn sweep(
        &self,
        factor: f32,
        b: &DeviceGrid,
        x: Option<&DeviceGrid>,
        to: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        let relaxation = if x.is_some() { Relaxation::Sweep } else { Relaxation::FromZero };
        let sweep = Some((factor, self.scaling.as_ref()));
        let operands = Operands { x: x.map(panel), b: Some(panel(b)), sweep };
        self.operator.matrix.relax(self.operator.programs(), relaxation, operands, panel_mut(to))
    }

    /// Computes b - A x.
    pub(crate) fn residual(
        &self,
        b: &DeviceGrid,
        x: &DeviceGrid,
        to: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        let operands = Operands { x: Some(panel(x)), b: Some(panel(b)), sweep: None };
        let programs = self.operator.programs();
        self.operator.matrix.relax(programs, Relaxation::Residual, operands, panel_mut(to))
    }

    /// Computes the restriction of a vector: the numbers of what the rank stores of the next level.
    pub(crate) fn restrict(&mut self, fine: &DeviceGrid) -> Result<Vec<f32>, nine_banded::Error> {
        restrict(&mut self.transfers, self.operator.programs(), panel(fine))?;
        let last = self.transfers.last().map_or(panel(fine), |last| &last.vector);
        let texels = last.read()?;
        let mut numbers = memory::zeroed(self.coarse.grid.n())?;
        let place = self.coarse.extent().rectangle();
        self.coarse.shape().unpack(bytemuck::cast_slice(&texels), place, &mut numbers);
        Ok(numbers)
    }

    /// Solves approximately on the next level, by a cycle.
    pub(crate) fn solve_next(&mut self, r: &[f32]) -> Result<Vec<f32>, nine_banded::Error> {
        self.next.r.write(r)?;
        self.next.hierarchy.cycle(&self.next.r, &mut self.next.z)?;
        Ok(self.next.z.read()?)
    }

    /// Computes the sum of x and the interpolation of a correction, which has the numbers of what the rank stores of the
    /// next level; or the correction itself, where that is the same grid.
    pub(crate) fn correct(
        &mut self,
        correction: &[f32],
        x: &DeviceGrid,
        to: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        let place = self.coarse.extent().rectangle();
        let texels = self.coarse.shape().pack(correction, place, 0.0)?;
        let texels = bytemuck::cast_slice(&texels);
        if self.transfers.is_empty() {
            return Ok(panel_mut(to).write(texels)?);
        }
        self.e.write(texels)?;
        let programs = self.operator.programs();
        add_interpolation(&mut self.transfers, programs, &self.e, panel(x), panel_mut(to))
    }
}

/// Returns the only panel of a vector.
fn panel(x: &DeviceGrid) -> &Grid {
    match x.panel(0) {
        Some(panel) => panel,
        None => unreachable!("a slab is in one texture"),
    }
}

fn panel_mut(x: &mut DeviceGrid) -> &mut Grid {
    match x.panel_mut(0) {
        Some(panel) => panel,
        None => unreachable!("a slab is in one texture"),
    }
}
