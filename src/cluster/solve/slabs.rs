//! Grids of three dimensions on several ranks, each of which has a slab of slices along z.
//!
//! Ranks exchange the slices at the ends of what they own, as many as several products read. Multigrid is that of one rank:
//! on the finest level each sweeps on its slab, and all levels below, an eighth of the work, each rank has as a whole.

use std::ops::Range;

use crate::data::{self, GridMatrix};
use crate::grid::DeviceGrid;
use crate::linalg::grid3::plan;
use crate::linalg::grid3::{Operator, Slab};
use crate::linalg::host::grid3::{Level, level};
use crate::linalg::krylov::{self, Space as _};
use crate::linalg::multigrid::{self, Smoother};
use crate::linalg::nine_banded;
use crate::linalg::solve::engine;
use crate::linalg::solve::scaling::Scale;
use crate::linalg::solve::{
    Choice, Error, Method, Options, Preconditioner, Properties, Result, Watch, must_divide_in_space,
};
use crate::memory;

use super::super::{Error as RankError, Incoming, Outgoing, Partition, RankSpace, Team, Vector};
use super::system::RankSystem;
use super::{Maker, RankEngine, Solver};

type Space = RankSpace<Operator>;

impl Solver<f64> {
    /// Puts the slabs of a matrix on a grid of three dimensions on the devices of this process's ranks, cut by
    /// [`Partition::of_slabs`]. Each process has the whole matrix on its host.
    ///
    /// # Errors
    ///
    /// [`Error::PeriodicSlabs`] for a matrix that couples the ends along z; [`Error::FftInSpace`] for
    /// the method [`Fft`](Method::Fft); those of [`new`](Solver::new) and of
    /// [`linalg::solve::Solver::of_grid`](crate::linalg::solve::Solver::of_grid).
    pub fn of_grid(
        team: &Team,
        partition: &Partition,
        matrix: &GridMatrix,
        options: Options,
    ) -> Result<Solver<f64>> {
        if options.method == Some(Method::Fft) {
            return Err(Error::FftInSpace);
        }
        partition.must_suit(team, team.communicator().local().len())?;
        if partition.ranks() > 1 && matrix.periodic()[2] {
            return Err(Error::PeriodicSlabs);
        }
        let [points, lines, slices] = matrix.grid().points();
        if *partition != Partition::of_slabs(matrix.grid(), partition.ranks())? {
            let expected = format!("slabs of a grid of {points} x {lines} x {slices}");
            let got = "another partition".into();
            let what = "the parts of a matrix of three dimensions";
            return Err(RankError::Part { what, rank: 0, expected, got }.into());
        }
        let watch = Watch::new(team.contexts().to_vec());
        let properties = Properties::of_grid(matrix);
        let slabs = team.local().map(|(rank, _)| matrix.slab(slices_of(partition, rank, lines)));
        let slabs = slabs.collect::<data::Result<Vec<_>>>()?;
        let system = RankSystem::new(team, partition, &slabs);
        let whole = matrix.clone();
        Maker::new(system, properties, options, watch)
            .solver(move |maker, choice, scale| maker.engine(&whole, choice, scale))
    }
}

/// Returns the slices that a rank stores.
fn slices_of(partition: &Partition, rank: usize, lines: usize) -> Range<usize> {
    let rows = partition.stored(rank).rows;
    rows.start / lines..rows.end / lines
}

/// Returns the whole matrix in the scale of the steps. Multigrid scales by a factor alone.
fn scaled_whole(whole: &GridMatrix, scale: Scale<'_>) -> Result<GridMatrix> {
    match scale {
        Scale::Factor(_) => scale.of_grid(whole),
        Scale::Sides(_) => {
            unreachable!("multigrid is for systems that are not scaled from both sides")
        }
    }
}

impl Maker<GridMatrix> {
    /// Returns a method on the slabs of the whole matrix, from which the levels come.
    fn engine(
        &self,
        whole: &GridMatrix,
        choice: &mut Choice,
        scale: Scale<'_>,
    ) -> Result<RankEngine<Operator>> {
        let RankSystem { team, partition, .. } = &*self.system;
        let (mut operators, mut diagonals) = (Vec::new(), Vec::new());
        for ((rank, slab, place), (_, context)) in self.system.matrices().zip(team.local()) {
            let scaled = scale.part(place).of_grid(slab)?;
            if choice.preconditioner != Preconditioner::Identity {
                must_divide_in_space(&scaled, |place| {
                    let row = slab.grid().index(place);
                    (partition.whole_row(rank, row), slab.diagonal(place))
                })?;
            }
            if engine::needs_diagonal(choice.preconditioner) {
                let numbers =
                    scaled.grid().places().map(|at| f64::from(scaled.diagonal(at) as f32));
                diagonals.extend(memory::collected(scaled.n(), numbers)?);
            }
            let (owned, halo) = (partition.inside(rank), partition.halo());
            operators.push(Operator::on_rank(context, &scaled, &owned, halo)?);
        }
        let space = RankSpace::with(team, partition, operators)?;
        self.engine_in(space, choice, scale, diagonals, |space, options| {
            let made = Multigrid::new(space, &scaled_whole(whole, scale)?, options)?;
            let smoothers = made.smoothers.clone();
            Ok((made, smoothers))
        })
    }
}

/// Multigrid on the slabs of the ranks. Each sweeps on what it stores; all solve for the next level, an eighth of the
/// grid, alike.
struct Multigrid {
    slabs: Vec<Slab>,
    dampings: Vec<f32>,
    next: NextLevel,
    x: Vector,
    spare: Vector,
    smoothers: Vec<Smoother>,
    products: u64,
}

/// What ranks have of the next level.
struct NextLevel {
    /// The points of a slice.
    slice: usize,
    /// The slices along z, and those of each rank.
    slices: usize,
    owned: Vec<Range<usize>>,
    stored: Vec<Range<usize>>,
}

impl NextLevel {
    fn new(partition: &Partition, level: &Level, coarse: &GridMatrix) -> NextLevel {
        let [x, y, slices] = coarse.grid().points();
        let [_, lines, of_fine] = level.matrix.grid().points();
        let step = if of_fine == slices { 1 } else { 2 };
        let of = |rows: Range<usize>| rows.start / lines / step..rows.end / lines / step;
        let ranks = 0..partition.ranks();
        let owned = ranks.clone().map(|rank| of(partition.owned(rank).rows)).collect();
        let stored = ranks.map(|rank| of(partition.stored(rank).rows)).collect();
        NextLevel { slice: x * y, slices, owned, stored }
    }

    fn numbers(&self, slices: &Range<usize>) -> Range<usize> {
        slices.start * self.slice..slices.end * self.slice
    }

    /// Gives each rank the whole vector, of which each has what it owns among what it stores.
    fn gathered(&self, team: &Team, local: &[Vec<f32>]) -> Result<Vec<f32>, RankError> {
        let communicator = team.communicator();
        let here = communicator.local();
        let own = |rank: usize, numbers: &'_ Vec<f32>| -> Vec<f32> {
            let first = self.owned[rank].start - self.stored[rank].start;
            let count = self.owned[rank].len();
            numbers[first * self.slice..(first + count) * self.slice].to_vec()
        };
        let owned: Vec<Vec<f32>> =
            here.clone().zip(local).map(|(rank, numbers)| own(rank, numbers)).collect();
        let mut outgoing = Vec::new();
        for (from, numbers) in here.clone().zip(&owned) {
            let others = (0..self.owned.len()).filter(|to| !here.contains(to));
            let bytes = bytemuck::cast_slice(numbers);
            outgoing.extend(others.map(|to| Outgoing { from, to, bytes }));
        }
        // What comes from another process comes for each rank of this one, and is the same.
        let mut copies: Vec<Vec<f32>> = Vec::new();
        for _ in here.clone() {
            copies.push(memory::zeroed(self.slices * self.slice)?);
        }
        let mut incoming = Vec::new();
        for (to, copy) in here.clone().zip(&mut copies) {
            let mut rest = copy.as_mut_slice();
            for (from, slices) in self.owned.iter().enumerate() {
                let (part, behind) = rest.split_at_mut(slices.len() * self.slice);
                if !here.contains(&from) {
                    incoming.push(Incoming { from, to, bytes: bytemuck::cast_slice_mut(part) });
                }
                rest = behind;
            }
        }
        communicator.exchange(&outgoing, &mut incoming)?;
        let mut whole = copies.swap_remove(0);
        for (rank, numbers) in here.zip(&owned) {
            whole[self.numbers(&self.owned[rank])].copy_from_slice(numbers);
        }
        Ok(whole)
    }
}

impl Multigrid {
    fn new(space: &Space, matrix: &GridMatrix, options: multigrid::Options) -> Result<Multigrid> {
        let partition = space.partition();
        let depth = partition.halo().steps;
        if partition.ranks() > 1 && depth < 2 {
            return Err(Error::ThinSlabs);
        }
        space.refresh_as_far_as(depth)?;
        let decide = |matrix: &GridMatrix, is_finest: bool| {
            plan::plan(matrix, options.symmetric, options.coarsens(), is_finest)
        };
        let (level, next) = level(matrix.clone(), options.symmetric, &decide, true)?;
        let coarse = next.as_ref().unwrap_or(matrix);
        let next = NextLevel::new(partition, &level, coarse);
        let [_, lines, _] = matrix.grid().points();
        let mut slabs = Vec::new();
        for (operator, (rank, _)) in space.operators().zip(space.team().local()) {
            let slices = slices_of(partition, rank, lines);
            slabs.push(Slab::new(operator, &level, coarse, slices, options)?);
        }
        let first = slabs.first();
        let levels = first.map_or(1, Slab::levels);
        let dampings: Vec<f32> = level.dampings.iter().map(|factor| *factor as f32).collect();
        let part = coarse.n() as f64 / matrix.n() as f64;
        let of_next = first.map_or(0.0, |slab| slab.products() as f64 * part);
        Ok(Multigrid {
            products: 2 * dampings.len() as u64 + of_next.round() as u64,
            slabs,
            dampings,
            next,
            x: space.vector()?,
            spare: space.vector()?,
            smoothers: vec![Smoother::Jacobi; levels - 1],
        })
    }

    /// The depth to which rows of the matrix are right where a rank stores them: those at the end of a halo lack
    /// couplings.
    fn known(space: &Space) -> usize {
        space.partition().halo().steps.saturating_sub(1)
    }

    /// Computes x, or the residual, from b and x.
    fn relax(
        &mut self,
        space: &Space,
        b: &Vector,
        work: impl Fn(
            &Slab,
            &DeviceGrid,
            &DeviceGrid,
            &mut DeviceGrid,
        ) -> Result<(), nine_banded::Error>,
    ) -> Result<(), RankError> {
        if self.x.right() == 0 {
            space.refresh(&self.x)?;
        }
        let right = b.right().min(self.x.right() - 1).min(Multigrid::known(space));
        let vectors = b.grids().iter().zip(self.x.grids()).zip(self.spare.grids_mut());
        for (slab, ((b, x), to)) in self.slabs.iter().zip(vectors) {
            work(slab, &b.borrow(), &x.borrow(), to)?;
        }
        self.spare.set_right(right);
        Ok(())
    }

    /// Sweeps, from x = 0 or from x.
    fn smooth(&mut self, space: &Space, b: &Vector, from_zero: bool) -> Result<(), RankError> {
        for index in 0..self.dampings.len() {
            let factor = self.dampings[index];
            if from_zero && index == 0 {
                for (slab, (b, x)) in
                    self.slabs.iter().zip(b.grids().iter().zip(self.x.grids_mut()))
                {
                    slab.sweep(factor, &b.borrow(), None, x)?;
                }
                self.x.set_right(b.right().min(Multigrid::known(space)));
                continue;
            }
            self.relax(space, b, |slab, b, x, to| slab.sweep(factor, b, Some(x), to))?;
            std::mem::swap(&mut self.x, &mut self.spare);
        }
        Ok(())
    }

    /// Solves for the error on the next level, whose right-hand side is a restriction, and adds it to x.
    fn correct(&mut self, space: &Space, r: Option<&Vector>) -> Result<(), RankError> {
        let r = r.unwrap_or(&self.spare);
        if r.right() == 0 {
            space.refresh(r)?;
        }
        let mut local = Vec::new();
        for (slab, r) in self.slabs.iter_mut().zip(r.grids()) {
            local.push(slab.restrict(&r.borrow())?);
        }
        let whole = self.next.gathered(space.team(), &local)?;
        let right = self.x.right().min(Multigrid::known(space));
        let ranks = space.team().communicator().local();
        let vectors = self.x.grids().iter().zip(self.spare.grids_mut());
        for ((rank, slab), (x, to)) in ranks.zip(&mut self.slabs).zip(vectors) {
            let e = slab.solve_next(&whole)?;
            slab.correct(&e[self.next.numbers(&self.next.stored[rank])], &x.borrow(), to)?;
        }
        self.spare.set_right(right);
        std::mem::swap(&mut self.x, &mut self.spare);
        Ok(())
    }
}

impl krylov::Preconditioner<Space> for Multigrid {
    fn apply(&mut self, space: &Space, r: &Vector, z: &mut Vector) -> Result<(), RankError> {
        if r.right() < space.partition().halo().steps {
            space.refresh(r)?;
        }
        if self.dampings.is_empty() {
            self.correct(space, Some(r))?;
        } else {
            self.smooth(space, r, true)?;
            self.relax(space, r, |slab, b, x, to| slab.residual(b, x, to))?;
            self.correct(space, None)?;
            self.smooth(space, r, false)?;
        }
        std::mem::swap(&mut self.x, z);
        Ok(())
    }

    fn applications(&self) -> u64 {
        self.products
    }
}
