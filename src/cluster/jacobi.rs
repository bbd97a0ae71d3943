//! Jacobi's iteration on several ranks: each rank iterates the part that it stores, and receives
//! its halo again after as many steps as the halo is deep.
//!
//! With a halo of k steps a rank computes its halo too, of which one row and column less is correct
//! after each step, so that messages are sent at every k-th step only. While they are under way,
//! the device computes what reads no halo.

use crate::data::NineBanded;
use crate::gl::Texel;
use crate::linalg::jacobi::{
    self as device, Iteration, Layout, ResolvedVariant, Run, Solution, Stop, Variant, largest,
    residual_squares, scaled, slices, unscale,
};
use crate::stream::observer::Observer;

use super::checkpointer::{Checkpointer, CollectiveCheckpointer};
use super::collective;
use super::halo::Halos;
use super::{Error, Partition, Result, Team};

/// Nine-banded systems in parts on several ranks, to be solved for any number of right-hand sides.
///
/// After equal numbers of steps x has the bits of the same [variant](Variant) on one rank, where a
/// device rounds the expressions of a shader alike for all texels.
///
/// ```
/// use std::rc::Rc;
/// use quadrille::{Context, cluster::{InProcess, Partition, Team, jacobi::Jacobi}};
/// use quadrille::{data::Stencil, grid::Halo, linalg::jacobi::{Stop, Variant}};
/// let stencil: Stencil = "heat9:24".parse()?;
/// let partition = Partition::new((576, 24), [1, 2], Halo { steps: 4, across_ends: false })?;
/// let contexts = vec![Context::headless()?; 2];
/// let team = Team::new(Rc::new(InProcess::new(2)), contexts)?;
/// let parts = [0, 1].map(|rank| stencil.block(&partition.stored(rank)));
/// let [lower, upper] = parts;
/// let (lower, upper) = (lower?, upper?);
/// let mut jacobi = Jacobi::new(&team, &partition, &[&[&lower], &[&upper]], Variant::default())?;
/// let b = [vec![1.0; lower.n()], vec![1.0; upper.n()]];
/// let zero = [vec![0.0; lower.n()], vec![0.0; upper.n()]];
/// let solution = jacobi.solve(&[&[&b[0]], &[&b[1]]], &[&[&zero[0]], &[&zero[1]]], Stop::residual(1e-5), &mut ())?;
/// assert!(solution.residual < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Jacobi {
    team: Team,
    partition: Partition,
    ranks: Vec<device::Jacobi>,
    halos: AnyHalos,
    overlaps: bool,
}

/// Halos of the texels that a layout has.
enum AnyHalos {
    One(Halos<f32>),
    Four(Halos<[f32; 4]>),
}

/// x of each local rank: of each system the numbers that the rank owns.
pub type Owned = Vec<Vec<Vec<f32>>>;

/// The numbers of each system that a rank stores.
type OfSystems<'a> = &'a [&'a [f32]];

impl Jacobi {
    /// Puts systems on the devices of this process's ranks: of each local rank the
    /// [matrices](crate::data::Stencil::block) of what it stores.
    ///
    /// # Errors
    ///
    /// [`Error::Ranks`] and [`Error::Part`] if team, partition and matrices do not fit each other;
    /// those of [`linalg::jacobi::Jacobi::with_systems`](device::Jacobi::with_systems); errors of
    /// the communicator.
    pub fn new(
        team: &Team,
        partition: &Partition,
        systems: &[&[&NineBanded]],
        variant: impl Into<Variant>,
    ) -> Result<Jacobi> {
        partition.must_suit(team, systems.len())?;
        for ((rank, _), systems) in team.local().zip(systems) {
            for system in *systems {
                partition.must_be_stored("a matrix", rank, system.n())?;
            }
        }
        let variant = agreed(team, systems, variant.into())?;
        let make = |((rank, context), systems): ((usize, _), &&[&NineBanded])| {
            let (owned, halo) = (partition.inside(rank), partition.halo());
            device::Jacobi::on_rank(context, systems, variant, &owned, halo)
        };
        let ranks = team.local().zip(systems).map(make).collect::<Result<Vec<_>, _>>()?;
        let layout = ranks.first().map_or(Layout::Packed, |rank| rank.variant().layout);
        let plans: Vec<_> = ranks.iter().map(device::Jacobi::plan).collect();
        let copies = partition.copies(partition.halo().steps, layout.lanes());
        let halos = match layout.channels() {
            1 => AnyHalos::One(Halos::new(team, &copies, &plans)?),
            _ => AnyHalos::Four(Halos::new(team, &copies, &plans)?),
        };
        let (team, partition) = (team.clone(), partition.clone());
        Ok(Jacobi { team, partition, ranks, halos, overlaps: true })
    }

    /// Returns the variant that runs on this process's first rank; the layout is that of all ranks.
    pub fn variant(&self) -> Option<ResolvedVariant> {
        self.ranks.first().map(device::Jacobi::variant)
    }

    /// Returns the parts of the ranks.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Lets devices compute while messages go, or, to measure what that gains, not.
    pub fn overlap(&mut self, overlaps: bool) {
        self.overlaps = overlaps;
    }

    /// Sets whether messages are sent. Without them, which is meant for measuring the time that
    /// they take, x is wrong around the cuts; devices gather and spread in any case.
    #[doc(hidden)]
    pub fn send(&mut self, sends: bool) {
        match &mut self.halos {
            AnyHalos::One(halos) => halos.send(sends),
            AnyHalos::Four(halos) => halos.send(sends),
        }
    }

    /// Returns the bytes that this process's ranks send at each exchange.
    pub fn bytes(&self) -> usize {
        match &self.halos {
            AnyHalos::One(halos) => halos.bytes(),
            AnyHalos::Four(halos) => halos.bytes(),
        }
    }

    /// Sets the right-hand sides and x: of each local rank, for each system what the rank stores.
    ///
    /// # Errors
    ///
    /// Those of [`linalg::jacobi::Jacobi::set_systems`](device::Jacobi::set_systems).
    pub fn set_systems(&mut self, b: &[OfSystems<'_>], x0: &[OfSystems<'_>]) -> Result<()> {
        for ((rank, b), x0) in self.ranks.iter_mut().zip(b).zip(x0) {
            rank.set_systems(b, x0)?;
        }
        Ok(())
    }

    /// Runs this number of steps. Waits for messages alone.
    ///
    /// # Errors
    ///
    /// Errors of the communicator and of the devices.
    pub fn iterate(&mut self, steps: u64) -> Result<()> {
        for _ in 0..steps {
            if self.ranks.iter().all(device::Jacobi::is_fresh) {
                self.ranks.iter_mut().try_for_each(|rank| rank.iterate(1))?;
            } else if self.overlaps {
                self.refresh(true)?;
                self.ranks.iter_mut().try_for_each(device::Jacobi::compute_rim)?;
            } else {
                self.refresh(false)?;
                self.ranks.iter_mut().try_for_each(|rank| rank.iterate(1))?;
            }
        }
        Ok(())
    }

    /// Iterates without messages, which makes x wrong around cuts: to measure the time that
    /// messages take.
    #[doc(hidden)]
    pub fn iterate_alone(&mut self, steps: u64) -> Result<()> {
        for _ in 0..steps {
            for rank in &mut self.ranks {
                if !rank.is_fresh() {
                    rank.refreshed()?;
                }
                rank.iterate(1)?;
            }
        }
        Ok(())
    }

    /// Waits for the devices of this process.
    ///
    /// # Errors
    ///
    /// Errors of the devices.
    pub fn finish(&self) -> Result<()> {
        Ok(self.ranks.iter().try_for_each(|rank| rank.context().finish())?)
    }

    fn refresh(&mut self, meanwhile: bool) -> Result<()> {
        match &mut self.halos {
            AnyHalos::One(halos) => refresh(halos, &mut self.ranks, meanwhile),
            AnyHalos::Four(halos) => refresh(halos, &mut self.ranks, meanwhile),
        }
    }

    /// Refreshes halos that are not fresh.
    fn freshen(&mut self) -> Result<()> {
        match self.ranks.iter().all(device::Jacobi::is_fresh) {
            true => Ok(()),
            false => self.refresh(false),
        }
    }

    /// Returns the 2-norm of b - A x of each system, over all ranks, in the devices' arithmetic.
    ///
    /// # Errors
    ///
    /// Errors of the communicator and of the devices.
    pub fn residual_norms(&mut self) -> Result<Vec<f64>> {
        self.freshen()?;
        let norms = self.ranks.iter_mut().map(|rank| Ok(rank.residual_norms()?));
        let norms = norms.collect::<Result<Vec<_>>>()?;
        let squares = norms.iter().map(|norms| norms.iter().map(|norm| norm * norm).collect());
        let all = self.summed(squares.collect())?;
        Ok(all.into_iter().map(f64::sqrt).collect())
    }

    /// Reads x of each local rank: of each system the numbers that the rank owns.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the devices.
    pub fn read(&self) -> Result<Owned> {
        let local = self.team.communicator().local();
        let read = |(rank, jacobi): (usize, &device::Jacobi)| {
            let stored = jacobi.read()?;
            Ok(stored.iter().map(|x| self.partition.owned_of(rank, x)).collect())
        };
        local.zip(&self.ranks).map(read).collect()
    }

    /// Solves from the first x that is given, as
    /// [`linalg::jacobi::Jacobi::solve_observed`](device::Jacobi::solve_observed) does: vectors as
    /// for [`set_systems`](Self::set_systems). All processes stop at the same step; the observer of
    /// any stops all.
    ///
    /// # Errors
    ///
    /// Those of [`linalg::jacobi::Jacobi::solve_observed`](device::Jacobi::solve_observed), and
    /// errors of the communicator.
    pub fn solve(
        &mut self,
        b: &[OfSystems<'_>],
        x0: &[OfSystems<'_>],
        stop: Stop,
        observer: &mut dyn Observer,
    ) -> Result<Solution<Owned>> {
        self.solve_keeping(b, x0, stop, observer, &mut ())
    }

    /// Solves like [`solve`](Self::solve), and saves x where that is due after a look at the
    /// residual. From a saved x, the remaining steps lead to the same bits.
    ///
    /// # Errors
    ///
    /// Those of [`solve`](Self::solve), and of the checkpointer.
    pub fn solve_keeping(
        &mut self,
        b: &[OfSystems<'_>],
        x0: &[OfSystems<'_>],
        stop: Stop,
        observer: &mut dyn Observer,
        checkpointer: &mut dyn Checkpointer<Owned>,
    ) -> Result<Solution<Owned>> {
        stop.check()?;
        for ((jacobi, b), x0) in self.ranks.iter().zip(b).zip(x0) {
            jacobi.check(b, x0)?;
        }
        let scales = self.scales(b, x0)?;
        let mut norms = Vec::new();
        for (((rank, jacobi), b), x0) in
            self.team.communicator().local().zip(&mut self.ranks).zip(b).zip(x0)
        {
            let (b, x0) = (scaled(b, &scales)?, scaled(x0, &scales)?);
            jacobi.send(&slices(&b), &slices(&x0))?;
            norms.push(b.iter().map(|b| squares(&self.partition.owned_of(rank, b))).collect());
        }
        let norms = self.summed(norms)?.into_iter().map(f64::sqrt).collect();
        self.finish()?;
        let team = self.team.clone();
        let checkpointer = CollectiveCheckpointer::new(&team, checkpointer);
        let mut on_ranks = OnRanks { jacobi: self, rhs: b, scales, checkpointer };
        Run::new(&mut on_ranks, norms, stop).go(observer)
    }

    /// Returns the factor of each system while it is solved, the same on all ranks.
    fn scales(&self, b: &[OfSystems<'_>], x0: &[OfSystems<'_>]) -> Result<Vec<f32>> {
        let count = b.first().map_or(0, |systems| systems.len());
        let most = |system: usize| -> Result<f32> {
            let of_rank = |(b, x0): (&OfSystems<'_>, &OfSystems<'_>)| {
                f64::from(largest(b[system]).max(largest(x0[system])))
            };
            let local: Vec<f64> = b.iter().zip(x0).map(of_rank).collect();
            Ok(collective::largest(self.team.communicator(), &local)? as f32)
        };
        (0..count).map(|system| Ok(device::unusual_scale(most(system)?))).collect()
    }

    /// Returns the sums over all ranks of what each local one has for each system.
    fn summed(&self, local: Vec<Vec<f64>>) -> Result<Vec<f64>> {
        let count = local.first().map_or(0, Vec::len);
        let of_system = |system: usize| {
            let local: Vec<f64> = local.iter().map(|systems| systems[system]).collect();
            collective::sum(self.team.communicator(), &local)
        };
        (0..count).map(of_system).collect()
    }
}

/// Returns the variant with the layout of the first rank: messages have its texels.
fn agreed(team: &Team, systems: &[&[&NineBanded]], variant: Variant) -> Result<Variant> {
    let own = |((_, context), systems): ((usize, _), &&[&NineBanded])| -> Result<u8> {
        let Some(first) = systems.first() else { return Ok(0) };
        let layout = variant.resolve_for(context, first)?.layout;
        Ok(Layout::ALL.iter().position(|known| *known == layout).unwrap_or(0) as u8)
    };
    let own = team.local().zip(systems).map(own).collect::<Result<Vec<u8>>>()?;
    let all = collective::gathered(team.communicator(), &own)?;
    let layout = all.first().and_then(|first| Layout::ALL.get(usize::from(*first)));
    Ok(layout.map_or(variant, |layout| variant.layout(*layout)))
}

/// Refreshes the halos of all ranks; meanwhile devices may compute what reads none.
fn refresh<T: Texel + 'static>(
    halos: &mut Halos<T>,
    ranks: &mut [device::Jacobi],
    meanwhile: bool,
) -> Result<()> {
    let newest = ranks.iter_mut().map(|rank| rank.newest::<T>().unwrap_or_default());
    let newest: Vec<_> = newest.map(|textures| &*textures).collect();
    halos.begin(&newest)?;
    if meanwhile {
        for rank in ranks.iter_mut() {
            rank.compute_inside()?;
            rank.context().flush()?;
        }
    }
    let newest = ranks.iter_mut().map(|rank| rank.newest::<T>().unwrap_or_default());
    halos.finish(&mut newest.collect::<Vec<_>>())?;
    Ok(ranks.iter_mut().try_for_each(device::Jacobi::refreshed)?)
}

fn squares(numbers: &[f32]) -> f64 {
    numbers.iter().map(|x| f64::from(*x).powi(2)).sum()
}

/// The systems while they are solved.
struct OnRanks<'a> {
    jacobi: &'a mut Jacobi,
    rhs: &'a [OfSystems<'a>],
    scales: Vec<f32>,
    checkpointer: CollectiveCheckpointer<'a, Owned>,
}

impl Iteration for OnRanks<'_> {
    type X = Owned;
    type Error = Error;

    fn iterate(&mut self, steps: u64) -> Result<()> {
        self.jacobi.iterate(steps)?;
        self.jacobi.finish()
    }

    fn residual_norms(&mut self) -> Result<Vec<f64>> {
        self.jacobi.residual_norms()
    }

    fn answer(&mut self, deciding: usize) -> Result<(Owned, Vec<f64>)> {
        self.jacobi.freshen()?;
        let (mut owned, mut residuals, mut norms) = (Vec::new(), Vec::new(), Vec::new());
        let partition = &self.jacobi.partition;
        let local = self.jacobi.team.communicator().local();
        for ((rank, jacobi), rhs) in local.zip(&self.jacobi.ranks).zip(self.rhs) {
            let mut systems = jacobi.read_stored()?;
            for (at, (x, scale)) in systems.iter_mut().zip(&self.scales).enumerate() {
                unscale(x, *scale, at < deciding)?;
            }
            let inside = partition.inside(rank);
            let each = jacobi.systems().iter().zip(&systems).zip(*rhs);
            let residual = |((matrix, x), rhs): ((_, &Vec<f32>), &&[f32])| {
                residual_squares(matrix, x, rhs, &inside)
            };
            residuals.push(each.map(residual).collect());
            norms.push(rhs.iter().map(|b| squares(&partition.owned_of(rank, b))).collect());
            owned.push(systems.iter().map(|x| partition.owned_of(rank, x)).collect());
        }
        let (residuals, norms) = (self.jacobi.summed(residuals)?, self.jacobi.summed(norms)?);
        let relative = |(r, b): (f64, f64)| if b == 0.0 { r.sqrt() } else { r.sqrt() / b.sqrt() };
        Ok((owned, residuals.into_iter().zip(norms).map(relative).collect()))
    }

    fn not_dominant(&self) -> Result<Option<usize>> {
        let jacobi = &*self.jacobi;
        let local = jacobi.team.communicator().local().zip(&jacobi.ranks);
        let row = |(rank, jacobi_on): (usize, &device::Jacobi)| {
            let row = jacobi_on.first_not_dominant();
            row.map_or(u64::MAX, |row| jacobi.partition.whole_row(rank, row) as u64)
        };
        let rows: Vec<u64> = local.map(row).collect();
        let first = collective::gathered(jacobi.team.communicator(), &rows)?.into_iter().min();
        Ok(first.filter(|row| *row != u64::MAX).map(|row| row as usize))
    }

    fn agreed_steps(&self, steps: u64) -> Result<u64> {
        let communicator = self.jacobi.team.communicator();
        let all = collective::gathered(communicator, &vec![steps; communicator.local().len()])?;
        Ok(all.first().copied().unwrap_or(steps))
    }

    fn agreed_stop(&self, stop: bool) -> Result<bool> {
        collective::any(self.jacobi.team.communicator(), stop)
    }

    fn keep(&mut self, done: u64) -> Result<()> {
        if !self.checkpointer.is_due()? {
            return Ok(());
        }
        let mut owned = self.jacobi.read()?;
        for systems in &mut owned {
            for (x, scale) in systems.iter_mut().zip(&self.scales) {
                unscale(x, *scale, false)?;
            }
        }
        self.checkpointer.keep(done, &owned)
    }
}
