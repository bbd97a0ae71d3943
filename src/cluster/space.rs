//! Vectors on several ranks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bytemuck::cast_slice;

use crate::data::NineBanded;
use crate::gl::Texture;
use crate::grid::{DeviceGrid, Plan, Scalar};
use crate::linalg::blas1::{Blas1, Coefficient};
use crate::linalg::krylov::{DeviceOperator, Factor, Sealed, Space, singles};
use crate::linalg::nine_banded::Operator;
use crate::memory;

use super::collective;
use super::halo::Halos;
use super::{Error, Partition, Result, Team};

/// Vectors of which each rank has a grid on its device, with a nine-banded matrix, or another operator of parts. Numbers are the
/// host's: sums of what each rank has, in the order of the ranks, so that they are the same on all
/// ranks and in each run.
///
/// [`write`](Space::write) and [`add_to`](Space::add_to) take what this process's ranks store, one
/// after the other, halos included.
pub struct RankSpace<A = Operator> {
    team: Team,
    partition: Partition,
    ranks: Vec<OnRank<A>>,
    halos: RefCell<Halos<[f32; 4]>>,
    /// The depth to which halos are refreshed.
    reach: Cell<usize>,
}

/// The operator and the operations of a local rank.
struct OnRank<A> {
    rank: usize,
    operator: Rc<A>,
    blas: Blas1,
    sum: RefCell<Scalar>,
}

/// A grid of each local rank, with halos that hold anything until a product needs them.
pub struct Vector {
    grids: Vec<RefCell<DeviceGrid>>,
    /// The depth to which the halos are valid, in rows and columns.
    right: Cell<usize>,
}

impl Vector {
    /// Returns the grids of this process's ranks.
    pub(crate) fn grids(&self) -> &[RefCell<DeviceGrid>] {
        &self.grids
    }

    /// Returns the grids for writing, after which the halos are invalid.
    pub(crate) fn grids_mut(&mut self) -> impl Iterator<Item = &mut DeviceGrid> {
        self.right.set(0);
        self.grids.iter_mut().map(RefCell::get_mut)
    }

    /// Returns the depth to which the halos are valid, in rows and columns.
    pub(crate) fn right(&self) -> usize {
        self.right.get()
    }

    /// Sets that depth.
    pub(crate) fn set_right(&self, right: usize) {
        self.right.set(right);
    }

    /// Keeps to how far others are right, from which this one is computed.
    fn limit_right(&self, others: &[&Vector]) {
        let least = others.iter().map(|other| other.right()).min();
        self.right.set(self.right().min(least.unwrap_or_default()));
    }
}

impl RankSpace {
    /// Puts the parts of a matrix on the devices of this process's ranks: of each local rank the
    /// matrix of what it stores.
    ///
    /// # Errors
    ///
    /// [`Error::Ranks`] and [`Error::Part`] if team, partition and matrices do not fit each other;
    /// out of memory, and errors of the devices.
    pub fn new(team: &Team, partition: &Partition, matrices: &[NineBanded]) -> Result<RankSpace> {
        partition.must_suit(team, matrices.len())?;
        let mut operators = Vec::new();
        for ((rank, context), matrix) in team.local().zip(matrices) {
            partition.must_be_stored("a matrix", rank, matrix.n())?;
            let (owned, halo) = (partition.inside(rank), partition.halo());
            operators.push(Operator::on_rank(context, matrix, &owned, halo)?);
        }
        RankSpace::with(team, partition, operators)
    }
}

impl<A: DeviceOperator> RankSpace<A> {
    /// Makes a space of the operators of what this process's ranks store.
    pub(crate) fn with(
        team: &Team,
        partition: &Partition,
        operators: Vec<A>,
    ) -> Result<RankSpace<A>> {
        let mut ranks = Vec::new();
        for ((rank, context), operator) in team.local().zip(operators) {
            ranks.push(OnRank {
                rank,
                operator: Rc::new(operator),
                blas: Blas1::new(context),
                sum: RefCell::new(Scalar::new(context, 0.0)?),
            });
        }
        let plans: Vec<&Plan> = ranks.iter().map(|rank| &**rank.operator.plan()).collect();
        let halos = RefCell::new(Halos::new(team, &partition.copies(1, 4), &plans)?);
        let (team, partition, reach) = (team.clone(), partition.clone(), Cell::new(1));
        Ok(RankSpace { team, partition, ranks, halos, reach })
    }

    /// Refreshes halos as far as this before products, so that a residual that products change
    /// stays right in its halo: what a preconditioner reads there needs no messages of its own
    /// then. No further than halos go.
    pub(crate) fn refresh_as_far_as(&self, steps: usize) -> Result<()> {
        let steps = steps.min(self.partition.halo().steps);
        let plans: Vec<&Plan> = self.ranks.iter().map(|rank| &**rank.operator.plan()).collect();
        self.halos.replace(Halos::new(&self.team, &self.partition.copies(steps, 4), &plans)?);
        self.reach.set(steps);
        Ok(())
    }

    /// Returns the parts of the ranks.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Returns the ranks of this process, and their devices.
    pub fn team(&self) -> &Team {
        &self.team
    }

    /// Returns the matrices of what this process's ranks store.
    pub(crate) fn operators(&self) -> impl Iterator<Item = &Rc<A>> {
        self.ranks.iter().map(|rank| &rank.operator)
    }

    /// Refreshes the halos of a vector.
    pub(crate) fn refresh(&self, x: &Vector) -> Result<()> {
        let mut grids: Vec<_> = x.grids.iter().map(RefCell::borrow_mut).collect();
        let mut halos = self.halos.borrow_mut();
        halos.begin(&grids.iter().map(|grid| grid.textures()).collect::<Vec<_>>())?;
        let mut textures: Vec<&mut [Texture<[f32; 4]>]> =
            grids.iter_mut().map(|grid| grid.textures_mut()).collect();
        halos.finish(&mut textures)?;
        x.set_right(self.reach.get());
        Ok(())
    }

    /// Does something with each local rank.
    fn each(&self, mut work: impl FnMut(usize, &OnRank<A>) -> Result<()>) -> Result<()> {
        self.ranks.iter().enumerate().try_for_each(|(at, rank)| work(at, rank))
    }

    /// Computes the sum over all ranks of a number that each leaves on its device: all devices
    /// compute before the first is waited for.
    fn sum(&self, leave: impl Fn(usize, &OnRank<A>, &mut Scalar) -> Result<()>) -> Result<f64> {
        self.each(|at, rank| leave(at, rank, &mut rank.sum.borrow_mut()))?;
        let local = self.ranks.iter().map(|rank| Ok(rank.sum.borrow().read()?));
        let local = local.collect::<Result<Vec<_>>>()?;
        collective::sum(self.team.communicator(), &local)
    }
}

fn coefficient(factor: Factor<'_, f64>) -> Coefficient<'static> {
    Coefficient::Host(factor.number() as f32)
}

impl<A> Sealed for RankSpace<A> {}

impl<A: DeviceOperator> Space for RankSpace<A> {
    type Vector = Vector;
    type Scalar = f64;
    type Error = Error;

    fn length(&self) -> usize {
        self.ranks.iter().map(|rank| self.partition.stored_size(rank.rank).0).sum()
    }

    fn check_interval(&self) -> u64 {
        1
    }

    fn vector(&self) -> Result<Vector> {
        let zeros = |rank: &OnRank<A>| {
            let (context, plan) = (rank.operator.context(), rank.operator.plan());
            Ok(RefCell::new(DeviceGrid::zeros(context, plan)?))
        };
        let grids = self.ranks.iter().map(zeros).collect::<Result<_>>()?;
        Ok(Vector { grids, right: Cell::new(usize::MAX) })
    }

    fn scalar(&self, value: f64) -> Result<f64> {
        Ok(value)
    }

    fn apply(&self, x: &Vector, y: &mut Vector) -> Result<()> {
        if x.right() == 0 {
            self.refresh(x)?;
        }
        y.set_right(x.right().min(self.partition.halo().steps).saturating_sub(1));
        self.each(|at, rank| {
            Ok(rank.operator.apply(&x.grids[at].borrow(), y.grids[at].get_mut())?)
        })
    }

    fn axpby(
        &self,
        a: Factor<'_, f64>,
        x: &Vector,
        b: Factor<'_, f64>,
        y: &mut Vector,
    ) -> Result<()> {
        let (a, b) = (coefficient(a), coefficient(b));
        y.limit_right(&[x]);
        self.each(|at, rank| {
            Ok(rank.blas.grids().axpby(a, &x.grids[at].borrow(), b, y.grids[at].get_mut())?)
        })
    }

    fn clear(&self, x: &mut Vector) -> Result<()> {
        x.grids_mut().try_for_each(|grid| Ok::<(), Error>(grid.clear()?))?;
        x.set_right(usize::MAX);
        Ok(())
    }

    fn scale(&self, a: f64, x: &mut Vector) -> Result<()> {
        self.each(|at, rank| Ok(rank.blas.grids().scal(a as f32, x.grids[at].get_mut())?))
    }

    fn multiply(&self, d: &Vector, x: &Vector, y: &mut Vector) -> Result<()> {
        y.set_right(d.right().min(x.right()));
        self.each(|at, rank| {
            let (d, x) = (d.grids[at].borrow(), x.grids[at].borrow());
            Ok(rank.blas.grids().multiply(&d, &x, y.grids[at].get_mut())?)
        })
    }

    fn dot(&self, x: &Vector, y: &Vector, result: &mut f64) -> Result<()> {
        *result = self.sum(|at, rank, sum| {
            let (x, y) = (x.grids[at].borrow(), y.grids[at].borrow());
            Ok(rank.blas.grids().dot_into(&x, &y, sum)?)
        })?;
        Ok(())
    }

    fn divide(&self, a: &f64, b: &f64, quotient: &mut f64) -> Result<()> {
        *quotient = Factor::Quotient(a, b).number();
        Ok(())
    }

    fn least(&self, a: &f64, least: &mut f64) -> Result<()> {
        *least = least.min(*a);
        Ok(())
    }

    fn value(&self, a: &f64) -> Result<f64> {
        Ok(*a)
    }

    fn norm(&self, x: &Vector) -> Result<f64> {
        let square = |(rank, x): (&OnRank<A>, &RefCell<DeviceGrid>)| {
            Ok(rank.blas.grids().nrm2(&x.borrow())?.powi(2))
        };
        let local = self.ranks.iter().zip(&x.grids).map(square);
        let local = local.collect::<Result<Vec<_>>>()?;
        Ok(collective::sum(self.team.communicator(), &local)?.sqrt())
    }

    fn write(&self, numbers: &[f64], factor: f64, x: &mut Vector) -> Result<()> {
        let mut from = 0;
        x.set_right(0);
        self.each(|at, rank| {
            let (count, _) = self.partition.stored_size(rank.rank);
            let numbers = &numbers[from..from + count];
            from += count;
            Ok(x.grids[at].get_mut().write(&singles::rounded(numbers, factor)?)?)
        })
    }

    /// Adds after refreshing the halos of `x`, so that those of the numbers remain valid.
    fn add_to(&self, x: &Vector, factor: f64, numbers: &mut [f64]) -> Result<()> {
        self.refresh(x)?;
        let mut from = 0;
        self.each(|at, rank| {
            let (count, _) = self.partition.stored_size(rank.rank);
            let numbers = &mut numbers[from..from + count];
            from += count;
            singles::add(&stored(&x.grids[at].borrow())?, factor, numbers);
            Ok(())
        })
    }

    fn advance(
        &self,
        a: Factor<'_, f64>,
        (p, x): (&Vector, &mut Vector),
        (q, r): (&Vector, &mut Vector),
    ) -> Result<()> {
        let a = coefficient(a);
        x.limit_right(&[p]);
        r.limit_right(&[q]);
        self.each(|at, rank| {
            let (p, q) = (p.grids[at].borrow(), q.grids[at].borrow());
            let (x, r) = (x.grids[at].get_mut(), r.grids[at].get_mut());
            Ok(rank.blas.grids().advance(a, (&p, x), (&q, r))?)
        })
    }
}

/// Reads all stored numbers of a grid, those of halos included.
fn stored(grid: &DeviceGrid) -> Result<Vec<f32>> {
    let mut numbers = memory::zeroed(grid.shape().len())?;
    for (panel, part) in grid.panels() {
        grid.shape().unpack(cast_slice(&panel.read()?), part.stored, &mut numbers);
    }
    Ok(numbers)
}
