//! Levels and cycles on a device.

use std::rc::Rc;

use crate::data::GridMatrix;
use crate::data::grid3::matrix::Row;
use crate::data::grid3::{MIDDLE, NEIGHBOURS, neighbours};
use crate::grid::DeviceGrid;
use crate::linalg::blas1::Blas1;
use crate::linalg::host::grid3::{Level as HostLevel, dense, levels};
use crate::linalg::host::multigrid::inverse;
use crate::linalg::krylov::{DeviceSpace, Preconditioner};
use crate::linalg::multigrid::plan::ON_HOST;
use crate::linalg::multigrid::relaxation::{Relaxation, sweeps};
use crate::linalg::multigrid::{
    COARSEST, CoarsenAlong, Error, Levels, Options, Result, Smoother, run_cycle,
};
use crate::linalg::nine_banded;
use crate::{Extent, memory};

use crate::stream::launch::Programs;

use super::Grid;
use super::launch::Launch;
use super::matrix::{Couplings, Matrix, Operands, scaling};
use super::operator::Operator;
use super::plan::{dampings, plan, steps};
use super::programs::{Component, Variant};
use super::setup::{coarsen, rows};
use super::transfer::{Transfer, TransferOperators, add_interpolation, restrict};

/// A matrix on a grid of three dimensions on its levels: an approximate inverse, kept for any number of right-hand sides.
///
/// Where couplings depend on the kind of a point alone it takes about three numbers for each unknown. Else it takes
/// about 27 / 4 more with the weights, and three times that where one axis alone becomes coarser.
pub struct Hierarchy {
    operator: Rc<Operator>,
    levels: Vec<Level>,
    inverse: Grid,
}

/// A grid on which errors are smoothed.
struct Level {
    matrix: Rc<Matrix>,
    /// The reciprocals that sweeps multiply by, of a stored matrix.
    scaling: Option<Grid>,
    dampings: Vec<f32>,
    x: Grid,
    spare: Grid,
    /// The way to the next level, axis by axis; none of the last.
    transfers: Vec<Transfer>,
}

impl Hierarchy {
    /// Computes the levels of a matrix on its device.
    ///
    /// # Errors
    ///
    /// [`Error::Lines`] for smoothers by lines, [`Error::OddRing`] where too many points are left because the ends of an
    /// axis of an odd number of points are neighbours; out of memory, and errors of the device.
    pub fn new(operator: &Rc<Operator>, options: Options) -> Result<Hierarchy> {
        Hierarchy::of(operator, options, operator.host.n() > ON_HOST)
    }

    /// Computes the levels of a stored matrix of any size on its device: to be compared with the twin's.
    #[doc(hidden)]
    pub fn on_device(operator: &Rc<Operator>, options: Options) -> Result<Hierarchy> {
        Hierarchy::of(operator, options, true)
    }

    fn of(operator: &Rc<Operator>, options: Options, on_device: bool) -> Result<Hierarchy> {
        super::must_smooth_by_points(options)?;
        let setup = Setup { programs: operator.programs(), options };
        let levels = match on_device && operator.host.is_stored() {
            true => setup.on_device(operator)?,
            false => setup.on_host(operator)?,
        };
        let inverse = setup.inverse(&levels, operator)?;
        Ok(Hierarchy { operator: Rc::clone(operator), levels, inverse })
    }

    /// Returns the points along x, y and z of each level, from the finest.
    pub fn levels(&self) -> Vec<[usize; 3]> {
        self.levels.iter().map(|level| level.matrix.layout.grid.points()).collect()
    }

    /// Returns the smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        vec![Smoother::Jacobi; self.levels.len() - 1]
    }

    /// Computes z, about the inverse times r, by a cycle.
    pub(crate) fn cycle(
        &mut self,
        r: &DeviceGrid,
        z: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        use crate::linalg::krylov::DeviceOperator;
        r.must_be(self.operator.plan(), "multigrid: the residual")?;
        z.must_be(self.operator.plan(), "multigrid: the result")?;
        if let (Some(r), Some(z)) = (r.panel(0), z.panel_mut(0)) {
            let Hierarchy { operator, levels, inverse, .. } = self;
            run_cycle(&mut Run { programs: operator.programs(), levels, inverse, r }, 0, true)?;
            std::mem::swap(&mut levels[0].x, z);
        }
        Ok(())
    }

    /// Returns a level's matrix, read from the device: to be compared with the twin's.
    #[doc(hidden)]
    pub fn matrix(&self, level: usize) -> Result<Option<GridMatrix>> {
        match self.levels.get(level) {
            Some(level) => read(&level.matrix, self.operator.host.periodic()).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the work of a cycle's matrix products on all levels, in products with the finest matrix.
    pub(crate) fn products(&self) -> u64 {
        let count = |level: &Level| level.matrix.layout.grid.n() as f64;
        let whole = count(&self.levels[0]);
        let sweeps = |level: &Level| 2.0 * level.dampings.len() as f64 * count(level) / whole;
        self.levels.iter().map(sweeps).sum::<f64>().round() as u64
    }
}

/// What levels are made with.
struct Setup<'a> {
    programs: &'a Rc<Programs<Variant>>,
    options: Options,
}

impl Setup<'_> {
    fn level(
        &self,
        matrix: Rc<Matrix>,
        scaling: Option<Grid>,
        dampings: Vec<f64>,
        transfers: Vec<Transfer>,
    ) -> Result<Level> {
        let vector = || self.programs.context().uninit(matrix.layout.extent());
        let (x, spare) = (vector()?, vector()?);
        let dampings = dampings.into_iter().map(|factor| factor as f32).collect();
        Ok(Level { matrix, scaling, dampings, x, spare, transfers })
    }

    /// Makes the levels of a matrix whose couplings depend on the kind of a point alone, or of a small one: the host computes
    /// them.
    fn on_host(&self, operator: &Operator) -> Result<Vec<Level>> {
        let context = self.programs.context();
        let Options { symmetric, .. } = self.options;
        let decide = |matrix: &GridMatrix, is_finest: bool| {
            plan(matrix, symmetric, self.options.coarsens(), is_finest)
        };
        let computed = levels(&operator.host, symmetric, &decide)?;
        let mut made: Vec<Level> = Vec::new();
        for HostLevel { matrix, dampings, transfers } in computed {
            let own = match made.is_empty() {
                true => Rc::clone(&operator.matrix),
                false => Rc::new(Matrix::new(self.programs, &matrix)?),
            };
            let mut to_coarser = Vec::new();
            for way in &transfers {
                let operators = TransferOperators::of(self.programs, own.access, way)?;
                to_coarser.push(Transfer::new(context, operators)?);
            }
            let scaling = matrix.is_stored().then(|| scaling(context, &own.layout, &matrix));
            made.push(self.level(own, scaling.transpose()?, dampings, to_coarser)?);
        }
        Ok(made)
    }

    /// Computes the levels of a stored matrix.
    fn on_device(&self, operator: &Operator) -> Result<Vec<Level>> {
        let blas = Blas1::new(self.programs.context());
        let (symmetric, periodic) = (self.options.symmetric, operator.host.periodic());
        let mut made = Vec::new();
        let mut next = Rc::clone(&operator.matrix);
        loop {
            let points = next.layout.grid.points();
            let (scaling, measures) = rows(self.programs, &blas, &next)?;
            let strengths = match self.options.coarsens() {
                CoarsenAlong::Strong => measures.strengths,
                _ => [1.0; 3],
            };
            let own = next;
            let Some(chosen) = steps(points, periodic, strengths) else {
                made.push(self.level(own, Some(scaling), Vec::new(), Vec::new())?);
                return Ok(made);
            };
            let one_sided = measures.one_sided / own.layout.grid.n() as f64;
            let dampings = dampings(points, chosen, symmetric, one_sided, made.is_empty());
            let mut transfers = Vec::new();
            let mut last: Option<Matrix> = None;
            for axis in (0..3).filter(|axis| chosen[*axis] == 2) {
                let from = last.as_ref().unwrap_or(&own);
                let (transfer, coarser) = coarsen(self.programs, from, axis, symmetric)?;
                transfers.push(transfer);
                last = Some(coarser);
            }
            made.push(self.level(Rc::clone(&own), Some(scaling), dampings, transfers)?);
            next = match last {
                Some(coarser) => Rc::new(coarser),
                None => return Ok(made),
            };
        }
    }

    /// Inverts the matrix of the last level.
    fn inverse(&self, levels: &[Level], operator: &Operator) -> Result<Grid> {
        let periodic = operator.host.periodic();
        let Some(last) = levels.last() else {
            return Ok(self.programs.context().uninit(Extent::new(1, 1))?);
        };
        let grid = last.matrix.layout.grid;
        if grid.n() > COARSEST {
            return Err(Error::OddRing { points: operator.host.grid().points() });
        }
        let matrix = read(&last.matrix, periodic)?;
        let inverse = inverse(dense(&matrix)?, self.options.constant_null_space);
        let layout = last.matrix.layout;
        let size = layout.extent();
        // The number of the point in each lane of each texel.
        let order: Vec<f32> = (0..grid.n()).map(|index| index as f32 + 1.0).collect();
        let place = layout.shape().pack(&order, size.rectangle(), 0.0)?;
        let side = size.texels();
        let mut numbers: Vec<[f32; 4]> = memory::zeroed(4 * side * side)?;
        for (at, four) in numbers.iter_mut().enumerate() {
            let (row, column) = (at / (4 * side), at % (4 * side));
            for (lane, number) in four.iter_mut().enumerate() {
                let (row, column) = (place[4 * row + lane] as usize, place[column] as usize);
                if row > 0 && column > 0 {
                    *number = inverse[(row - 1) * grid.n() + column - 1] as f32;
                }
            }
        }
        Ok(self.programs.context().texture(Extent::new(4 * side as u32, side as u32), &numbers)?)
    }
}

/// Reads a matrix from the device, unless the host has it.
fn read(matrix: &Matrix, periodic: [bool; 3]) -> Result<GridMatrix> {
    let grid = matrix.layout.grid;
    let middle = |mut row: Row| {
        // What is there is the sum of the row.
        row[MIDDLE] -= (0..NEIGHBOURS).filter(|k| *k != MIDDLE).map(|k| row[k]).sum::<f64>();
        row
    };
    match &matrix.couplings {
        Couplings::Kinds { host, .. } => Ok(host.clone()),
        Couplings::Stored(bands) => {
            let mut rows: Vec<Row> = memory::filled([0.0; NEIGHBOURS], grid.n())?;
            let mut numbers = memory::zeroed(grid.n())?;
            for (slot, k) in neighbours(matrix.access.star).iter().enumerate() {
                let texels = bands.read_rectangle(matrix.layout.place(slot))?;
                let whole = matrix.layout.extent().rectangle();
                matrix.layout.shape().unpack(bytemuck::cast_slice(&texels), whole, &mut numbers);
                rows.iter_mut().zip(&numbers).for_each(|(row, number)| row[*k] = (*number).into());
            }
            rows.iter_mut().for_each(|row| *row = middle(*row));
            Ok(GridMatrix::by_rows(grid, periodic, |place| rows[grid.index(place)])?)
        }
    }
}

/// The levels with a right-hand side.
struct Run<'a> {
    programs: &'a Programs<Variant>,
    levels: &'a mut [Level],
    inverse: &'a Grid,
    r: &'a Grid,
}

/// Returns the right-hand side of a level.
fn rhs<'a>(finer: &'a [Level], r: &'a Grid) -> &'a Grid {
    finer.last().and_then(|level| level.transfers.last()).map_or(r, |transfer| &transfer.vector)
}

impl Level {
    /// Restricts a vector, or its spare one, to the next level's right-hand side.
    fn restrict(
        &mut self,
        programs: &Programs<Variant>,
        from: Option<&Grid>,
    ) -> Result<(), nine_banded::Error> {
        let Level { spare, transfers, .. } = self;
        restrict(transfers, programs, from.unwrap_or(spare))
    }
}

impl Levels for Run<'_> {
    type Error = nine_banded::Error;

    fn last(&self) -> usize {
        self.levels.len() - 1
    }

    fn smooth(&mut self, at: usize, _half: usize, from_zero: bool) -> Result<(), Self::Error> {
        let (finer, rest) = self.levels.split_at_mut(at);
        let b = rhs(finer, self.r);
        let Level { matrix, scaling, dampings, x, spare, .. } = &mut rest[0];
        sweeps(dampings, from_zero, (x, spare), |relaxation, factor, x, target| {
            let operands = Operands { x, b: Some(b), sweep: Some((factor, scaling.as_ref())) };
            matrix.relax(self.programs, relaxation, operands, target)
        })
    }

    fn restrict_residual(&mut self, at: usize) -> Result<(), Self::Error> {
        let (finer, rest) = self.levels.split_at_mut(at);
        let b = rhs(finer, self.r);
        let Level { matrix, x, spare, .. } = &mut rest[0];
        let operands = Operands { x: Some(x), b: Some(b), sweep: None };
        matrix.relax(self.programs, Relaxation::Residual, operands, spare)?;
        rest[0].restrict(self.programs, None)
    }

    fn add_interpolation(&mut self, at: usize) -> Result<(), Self::Error> {
        let (finer, coarser) = self.levels.split_at_mut(at + 1);
        let Level { x, spare, transfers, .. } = &mut finer[at];
        add_interpolation(transfers, self.programs, &coarser[0].x, x, spare)?;
        std::mem::swap(x, spare);
        Ok(())
    }

    fn solve(&mut self) -> Result<(), Self::Error> {
        let last = self.levels.len() - 1;
        let (finer, rest) = self.levels.split_at_mut(last);
        let b = rhs(finer, self.r);
        let size = rest[0].matrix.layout.extent();
        let launch = Launch::of(self.programs, Component::Direct, rest[0].matrix.access);
        let launch = launch.input("b", b).input("inverted", self.inverse);
        let size = [size.width as i32, size.height as i32];
        launch.uniform("size", size).run(&mut rest[0].x)
    }
}

impl Preconditioner<DeviceSpace<Operator>> for Hierarchy {
    fn apply(
        &mut self,
        _: &DeviceSpace<Operator>,
        r: &DeviceGrid,
        z: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        self.cycle(r, z)
    }

    fn applications(&self) -> u64 {
        self.products()
    }
}
