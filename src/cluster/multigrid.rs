//! Multigrid over ranks: an approximate inverse of a nine-banded matrix of which each rank has a part, in cycles that are those of
//! one rank ([`linalg::multigrid`](crate::linalg::multigrid)).
//!
//! A rank stores its part with a halo so deep that the levels of what it stores are, on what it owns of each level, those of the
//! whole matrix: setting up takes no messages but the sums by which all agree how levels are smoothed and coarsened. A cycle computes on all
//! that is stored, as on one rank, and refreshes a halo by messages only before the numbers that ranks own would become wrong. Where
//! ranks have few points, their part of a level's matrix is gathered on fewer ranks, which go on in the same way, and at last on one
//! (redundant or agglomerated coarse grids: Gropp 1992; Womble and Young 1990). A level that is smoothed by lines is gathered at once.

mod distribution;
mod layout;
mod reach;
mod setup;
mod stage;
mod transfer;

use std::rc::Rc;

use crate::cluster::{Error, Partition, Team};
use crate::grid::{DeviceGrid, Plan};
use crate::linalg::blas1::Blas1;
use crate::linalg::multigrid::{Grid, Ladder, Levels, Options, Smoother, climb, visit};
use crate::linalg::nine_banded::Operator;

use layout::Layout;
use reach::Refreshed;
use setup::Setup;
use stage::{Stage, StageLevel};

pub use distribution::Distribution;

/// A nine-banded matrix in parts of ranks, on its levels: an approximate inverse, kept for any number of right-hand sides.
pub struct Multigrid {
    team: Team,
    options: Options,
    stages: Vec<Stage>,
    /// The plans of the local operators, of whose grids the vectors are.
    plans: Vec<Rc<Plan>>,
}

impl Multigrid {
    /// Computes the levels of a matrix, of which each local rank has that of the block it stores
    /// ([`NineBanded::block`](crate::data::NineBanded::block)). Waits for each level.
    ///
    /// It needs the partition that [`Distribution::partition`] gives: with shallower halos, or cuts elsewhere, levels are gathered sooner.
    ///
    /// # Errors
    ///
    /// [`Error::Ranks`] and [`Error::Part`] if team, partition and operators do not fit each other; those of
    /// [`Hierarchy::new`](crate::linalg::multigrid::Hierarchy::new), and of the communicator.
    pub fn new(
        team: &Team,
        partition: &Partition,
        operators: &[Rc<Operator>],
        options: Options,
        distribution: Distribution,
    ) -> Result<Multigrid, Error> {
        partition.must_suit(team, operators.len())?;
        let mut ladders = Vec::new();
        for ((rank, _), operator) in team.local().zip(operators) {
            partition.must_be_stored("a matrix", rank, operator.matrix().n())?;
            ladders.push(Some(Ladder::of(operator)?));
        }
        let layout = Layout::of(partition, (0..partition.ranks()).collect());
        let blas = team.contexts().iter().map(Blas1::new).collect();
        let setup = Setup { team, options: &options, distribution, blas };
        let stages = setup.stages(layout, ladders)?;
        let plans = operators.iter().map(|operator| Rc::clone(operator.plan())).collect();
        Ok(Multigrid { team: team.clone(), options, stages, plans })
    }

    /// The points along x and y of each level, from the finest, and the number of ranks that have it.
    pub fn levels(&self) -> Vec<((usize, usize), usize)> {
        self.own_levels().map(|level| (level.layout.points, level.layout.parts.len())).collect()
    }

    /// The smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        let mut smoothers: Vec<_> = self.own_levels().map(|level| level.smoother).collect();
        smoothers.pop();
        smoothers
    }

    fn own_levels(&self) -> impl Iterator<Item = &StageLevel> {
        self.stages.iter().flat_map(|stage| &stage.levels[..stage.own_levels()])
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// z = M r by a cycle from zero, for the grids of the local ranks, as their operators have them.
    ///
    /// # Errors
    ///
    /// [`grid::Error::Unlike`](crate::grid::Error::Unlike) for grids of other extents, errors of the communicator and of the devices.
    pub fn apply(&mut self, r: &[DeviceGrid], z: &mut [DeviceGrid]) -> Result<(), Error> {
        let cycle = self.options.cycle;
        self.run(r, z, |levels| visit(levels, 0, cycle, true))
    }

    /// An approximate solution z of A z = r to start from, by full multigrid, as
    /// [`Hierarchy::start`](crate::linalg::multigrid::Hierarchy::start) computes it.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply).
    pub fn start(&mut self, r: &[DeviceGrid], z: &mut [DeviceGrid]) -> Result<(), Error> {
        let cycle = self.options.cycle;
        self.run(r, z, |levels| climb(levels, 0, cycle))
    }

    fn run(
        &mut self,
        r: &[DeviceGrid],
        z: &mut [DeviceGrid],
        on_levels: impl FnOnce(&mut Multigrid) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for ((r, z), plan) in r.iter().zip(&*z).zip(&self.plans) {
            r.must_be(plan, "multigrid: the residual")?;
            z.must_be(plan, "multigrid: the result")?;
        }
        let Some(first) = self.stages.first_mut() else { return Ok(()) };
        for (b, r) in first.b.iter_mut().zip(r) {
            if let (Some(b), Some(r)) = (b, r.panel(0)) {
                b.copy_from(r)?;
            }
        }
        if first.own_levels() == 0 {
            self.hand_over(0)?;
            on_levels(self)?;
            self.take_over(0)?;
        } else {
            // The residual's halos may hold anything.
            first.refresh(&self.team, 0, Refreshed { x: false, b: true })?;
            on_levels(self)?;
        }
        self.give(z);
        Ok(())
    }

    /// Sets z to the finest level's x.
    fn give(&mut self, z: &mut [DeviceGrid]) {
        let Some(first) = self.stages.first_mut() else { return };
        let own_levels = first.own_levels();
        for (at, z) in z.iter_mut().enumerate() {
            let x = match (&mut first.next, &mut first.ladders[at]) {
                (Some(next), _) if own_levels == 0 => next.x[at].as_mut(),
                (_, Some(ladder)) => Some(ladder.x_mut(0)),
                _ => None,
            };
            if let (Some(x), Some(z)) = (x, z.panel_mut(0)) {
                std::mem::swap(x, z);
            }
        }
    }

    /// The stage that has a level, and which of its own it is.
    fn place(&self, mut at: usize) -> (usize, usize) {
        for (number, stage) in self.stages.iter().enumerate() {
            match at.checked_sub(stage.own_levels()) {
                Some(beyond) => at = beyond,
                None => return (number, at),
            }
        }
        (self.stages.len() - 1, at)
    }

    /// Gathers the last level's right-hand side of a stage on the next one's ranks.
    fn hand_over(&mut self, stage: usize) -> Result<(), Error> {
        let (stage, next) = self.pair(stage);
        let own = stage.own_levels();
        let from: Vec<Option<&Grid>> = match own {
            0 => stage.b.iter().map(Option::as_ref).collect(),
            _ => stage.ladders.iter().map(|ladder| ladder.as_ref()?.b(own)).collect(),
        };
        let mut to: Vec<_> = next.b.iter_mut().map(Option::as_mut).collect();
        if let Some(way) = &mut stage.next {
            way.down.run(&from, &mut to)?;
        }
        next.levels[0].b = [0; 2];
        Ok(())
    }

    /// Gives the last level of a stage the x that the next one has computed.
    fn take_over(&mut self, stage: usize) -> Result<(), Error> {
        let (stage, next) = self.pair(stage);
        if let Some(way) = &mut stage.next {
            let mut to: Vec<_> = way.x.iter_mut().map(Option::as_mut).collect();
            way.up.run(&next.x(), &mut to)?;
        }
        Ok(())
    }

    fn pair(&mut self, stage: usize) -> (&mut Stage, &mut Stage) {
        let (before, after) = self.stages.split_at_mut(stage + 1);
        (&mut before[stage], &mut after[0])
    }
}

impl Levels for Multigrid {
    type Error = Error;

    fn last(&self) -> usize {
        self.stages.iter().map(Stage::own_levels).sum::<usize>() - 1
    }

    fn smooth(&mut self, at: usize, half: usize, from_zero: bool) -> Result<(), Error> {
        let (stage, at) = self.place(at);
        let stage = &mut self.stages[stage];
        let level = &stage.levels[at];
        let sweeps = level.sweeps[half];
        let which = level.reach.before_sweeps([level.x, level.b], sweeps, from_zero);
        stage.refresh(&self.team, at, which)?;
        for (ladder, b) in stage.parts() {
            ladder.smooth(at, b, half, from_zero)?;
        }
        let level = &mut stage.levels[at];
        level.x = level.reach.swept([level.x, level.b], sweeps, from_zero);
        Ok(())
    }

    fn descend(&mut self, at: usize) -> Result<(), Error> {
        let (number, at) = self.place(at);
        let stage = &mut self.stages[number];
        let (level, next) = (&stage.levels[at], &stage.levels[at + 1]);
        let which = level.reach.before_descent(&next.reach, [level.x, level.b]);
        stage.refresh(&self.team, at, which)?;
        for (ladder, b) in stage.parts() {
            ladder.descend(at, b)?;
        }
        let level = &stage.levels[at];
        stage.levels[at + 1].b = level.reach.restricted_residual([level.x, level.b]);
        match at + 1 == stage.own_levels() {
            true => self.hand_over(number),
            false => Ok(()),
        }
    }

    fn hand_down(&mut self, at: usize) -> Result<(), Error> {
        let (number, at) = self.place(at);
        let stage = &mut self.stages[number];
        let (level, next) = (&stage.levels[at], &stage.levels[at + 1]);
        let b = !next.reach.fits(level.reach.restricted(level.b));
        stage.refresh(&self.team, at, Refreshed { x: false, b })?;
        for (ladder, b) in stage.parts() {
            ladder.hand_down(at, b)?;
        }
        let level = &mut stage.levels[at];
        level.x = [0; 2];
        stage.levels[at + 1].b = stage.levels[at].reach.restricted(stage.levels[at].b);
        match at + 1 == stage.own_levels() {
            true => self.hand_over(number),
            false => Ok(()),
        }
    }

    fn ascend(&mut self, at: usize) -> Result<(), Error> {
        let (number, at) = self.place(at);
        let is_last = at + 1 == self.stages[number].own_levels();
        if is_last {
            self.take_over(number)?;
            self.stages[number].levels[at + 1].x = [0; 2];
        }
        let stage = &mut self.stages[number];
        let (level, next) = (&stage.levels[at], &stage.levels[at + 1]);
        let x = level.reach.before_ascent([level.x, level.b], next.x, level.sweeps[1]);
        if !is_last {
            stage.refresh(&self.team, at + 1, Refreshed { x, b: false })?;
        }
        let e = stage.next.as_ref().filter(|_| is_last).map(|next| &next.x);
        for (local, ladder) in stage.ladders.iter_mut().enumerate() {
            match (ladder, e.and_then(|e| e[local].as_ref())) {
                (Some(ladder), Some(e)) => ladder.ascend_from(at, e)?,
                (Some(ladder), None) => ladder.ascend(at)?,
                (None, _) => {}
            }
        }
        let e = stage.levels[at + 1].x;
        let level = &mut stage.levels[at];
        level.x = level.reach.prolonged(level.x, e);
        Ok(())
    }

    fn solve(&mut self) -> Result<(), Error> {
        let Some(stage) = self.stages.last_mut() else { return Ok(()) };
        stage.parts().try_for_each(|(ladder, b)| Ok(ladder.solve(b)?))
    }
}
