//! Multigrid over ranks: an approximate inverse of a nine-banded matrix of which each rank has a
//! part, in cycles that are those of one rank ([`linalg::multigrid`](crate::linalg::multigrid)).
//!
//! A rank stores its part with a halo so deep that the levels of what it stores are, on what it
//! owns of each level, those of the whole matrix: setting up takes no messages but the sums by
//! which all agree how levels are smoothed and coarsened. A cycle computes on all that is stored,
//! as on one rank, and refreshes a halo by messages only before the numbers that ranks own would
//! become wrong. Where ranks have few points, their part of a level's matrix is gathered on fewer
//! ranks, which continue in the same way, and at last on one, or on each of a few: then all compute
//! what one would, and no message brings it back. A level that is smoothed by lines is gathered at
//! once.
//!
//! ```
//! use std::rc::Rc;
//! use quadrille::cluster::multigrid::{Distribution, Multigrid};
//! use quadrille::cluster::{InProcess, RankSpace, Team};
//! use quadrille::linalg::krylov::{Cg, Method, Space};
//! use quadrille::linalg::multigrid::Options;
//! let stencil: quadrille::data::Stencil = "poisson5:60".parse()?;
//! let distribution = Distribution::new().fewest(100);
//! let partition = distribution.partition((3600, 60), [1, 2])?;
//! let contexts = vec![quadrille::Context::headless()?; 2];
//! let team = Team::new(Rc::new(InProcess::new(2)), contexts)?;
//! let parts = [0, 1].map(|rank| stencil.block(&partition.stored(rank)));
//! let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let space = RankSpace::new(&team, &partition, &parts)?;
//! let mut multigrid = Multigrid::new(&space, Options::new(), distribution)?;
//! let mut cg = Cg::new(&space)?;
//! space.write(&vec![1.0; space.length()], 1.0, cg.residual_mut())?;
//! cg.restart(&space)?;
//! for _ in 0..6 {
//!     cg.step(&space, &mut multigrid)?;
//! }
//! assert!(space.norm(cg.residual())? < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod distribution;
mod halo_validity;
mod layout;
mod setup;
mod stage;
mod transfer;

use std::rc::Rc;

use crate::cluster::space::{RankSpace, Vector};
use crate::cluster::{Error, Result, Team};
use crate::grid::Plan;
use crate::linalg::blas1::Blas1;
use crate::linalg::krylov::Preconditioner;
use crate::linalg::multigrid::{Grid, Levels, LocalLevels, Options, Smoother, run_cycle};

use halo_validity::Refreshed;
use layout::Layout;
use setup::Setup;
use stage::{Stage, StageLevel};

pub use distribution::Distribution;

/// A nine-banded matrix in parts of ranks, on its levels: an approximate inverse, kept for any
/// number of right-hand sides.
pub struct Multigrid {
    team: Team,
    options: Options,
    stages: Vec<Stage>,
    /// The plans of the local operators, of whose grids the vectors are.
    plans: Vec<Rc<Plan>>,
}

impl Multigrid {
    /// Computes the levels of a space's matrix. Waits for each level.
    ///
    /// The space needs the partition that [`Distribution::partition`] gives: with shallower halos,
    /// or cuts elsewhere, levels are gathered sooner.
    ///
    /// # Errors
    ///
    /// Those of [`Hierarchy::new`](crate::linalg::multigrid::Hierarchy::new), and of the
    /// communicator.
    pub fn new(
        space: &RankSpace,
        options: Options,
        distribution: Distribution,
    ) -> Result<Multigrid> {
        let (team, partition) = (space.team(), space.partition());
        let local_levels = space.operators().map(|operator| Ok(Some(LocalLevels::of(operator)?)));
        let local_levels = local_levels.collect::<Result<_>>()?;
        let layout = Layout::of(partition, (0..partition.ranks()).collect());
        let blas = team.contexts().iter().map(Blas1::new).collect();
        let stages =
            Setup { team, options: &options, distribution, blas }.stages(layout, local_levels)?;
        if stages[0].own_levels() > 0 && partition.ranks() > 1 {
            // A product takes one off what is right, and leaves as much in the residual as a cycle
            // begins with.
            space.refresh_as_far_as(stages[0].levels[0].depths.refreshed + 1)?;
        }
        let plans = space.operators().map(|operator| Rc::clone(operator.plan())).collect();
        Ok(Multigrid { team: team.clone(), options, stages, plans })
    }

    /// Returns the points along x and y of each level, from the finest, and in how many parts ranks
    /// have it.
    pub fn levels(&self) -> Vec<((usize, usize), usize)> {
        let parts = |layout: &Layout| if layout.is_whole() { 1 } else { layout.parts.len() };
        self.own_levels().map(|level| (level.layout.points, parts(&level.layout))).collect()
    }

    /// Returns the smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        let mut smoothers: Vec<_> = self.own_levels().map(|level| level.smoother).collect();
        smoothers.pop();
        smoothers
    }

    fn own_levels(&self) -> impl Iterator<Item = &StageLevel> {
        self.stages.iter().flat_map(|stage| &stage.levels[..stage.own_levels()])
    }

    /// Returns the options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Runs a cycle. The right-hand side of the finest level is a residual while a cycle
    /// runs: refreshing its halos changes no value.
    fn run(&mut self, r: &Vector, z: &mut Vector) -> Result<()> {
        for ((r, z), plan) in r.grids().iter().zip(z.grids_mut()).zip(&self.plans) {
            r.borrow().must_be(plan, "multigrid: the residual")?;
            z.must_be(plan, "multigrid: the result")?;
        }
        self.exchange_b(r);
        let level = &mut self.stages[0].levels[0];
        level.b = level.validity.beyond(r.right());
        let done = self.cycle();
        let level = &self.stages[0].levels[0];
        r.set_right(level.validity.depth(level.b));
        self.exchange_b(r);
        done?;
        self.exchange_x(z);
        Ok(())
    }

    fn cycle(&mut self) -> Result<()> {
        if self.stages[0].own_levels() == 0 {
            self.hand_over(0)?;
            run_cycle(self, 0, true)?;
            return self.take_over(0);
        }
        run_cycle(self, 0, true)
    }

    /// Exchanges the textures of the finest level's right-hand side and of r.
    fn exchange_b(&mut self, r: &Vector) {
        for (b, r) in self.stages[0].b.iter_mut().zip(r.grids()) {
            if let (Some(b), Some(r)) = (b, r.borrow_mut().panel_mut(0)) {
                std::mem::swap(b, r);
            }
        }
    }

    /// Exchanges the textures of the finest level's x and of z.
    fn exchange_x(&mut self, z: &mut Vector) {
        let first = &mut self.stages[0];
        let own_levels = first.own_levels();
        for (at, z) in z.grids_mut().enumerate() {
            let x = match (&mut first.next, &mut first.local_levels[at]) {
                (Some(next), _) if own_levels == 0 => next.x[at].as_mut(),
                (_, Some(part_levels)) => Some(part_levels.x_mut(0)),
                _ => None,
            };
            if let (Some(x), Some(z)) = (x, z.panel_mut(0)) {
                std::mem::swap(x, z);
            }
        }
    }

    /// Returns the stage that has a level, and which of its own it is.
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
    fn hand_over(&mut self, stage: usize) -> Result<()> {
        let (stage, next) = self.pair(stage);
        let own = stage.own_levels();
        let from: Vec<Option<&Grid>> = match own {
            0 => stage.b.iter().map(Option::as_ref).collect(),
            _ => {
                stage.local_levels.iter().map(|part_levels| part_levels.as_ref()?.b(own)).collect()
            }
        };
        let mut to: Vec<_> = next.b.iter_mut().map(Option::as_mut).collect();
        if let Some(way) = &mut stage.next {
            way.down.run(&from, &mut to)?;
        }
        next.levels[0].b = [0; 2];
        Ok(())
    }

    /// Gives the last level of a stage the x that the next one has computed.
    fn take_over(&mut self, stage: usize) -> Result<()> {
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

impl Preconditioner<RankSpace> for Multigrid {
    /// Computes z = M r by a cycle from zero.
    fn apply(&mut self, _: &RankSpace, r: &Vector, z: &mut Vector) -> Result<()> {
        self.run(r, z)
    }

    fn applications(&self) -> u64 {
        let count = |level: &StageLevel| (level.layout.points.0 * level.layout.points.1) as f64;
        let whole = self.own_levels().next().map_or(1.0, count);
        let sweeps = |level: &StageLevel| level.sweeps.iter().sum::<usize>() as f64;
        let products = self.own_levels().map(|level| sweeps(level) * count(level) / whole);
        products.sum::<f64>().round() as u64
    }
}

impl Levels for Multigrid {
    type Error = Error;

    fn last(&self) -> usize {
        self.stages.iter().map(Stage::own_levels).sum::<usize>() - 1
    }

    fn smooth(&mut self, at: usize, half: usize, from_zero: bool) -> Result<()> {
        let (stage, at) = self.place(at);
        let stage = &mut self.stages[stage];
        let level = &stage.levels[at];
        let sweeps = level.sweeps[half];
        let margins = [level.x, level.b];
        let which = level.validity.before_sweeps(margins, sweeps, half, from_zero, &level.depths);
        stage.refresh(&self.team, at, which)?;
        for (part_levels, b) in stage.parts() {
            part_levels.smooth(at, b, half, from_zero)?;
        }
        let level = &mut stage.levels[at];
        level.x = level.validity.swept([level.x, level.b], sweeps, from_zero);
        Ok(())
    }

    fn restrict_residual(&mut self, at: usize) -> Result<()> {
        let (number, at) = self.place(at);
        let stage = &mut self.stages[number];
        let (level, next) = (&stage.levels[at], &stage.levels[at + 1]);
        let margins = [level.x, level.b];
        let which =
            level.validity.before_restricting_residual(&next.validity, margins, &level.depths);
        stage.refresh(&self.team, at, which)?;
        for (part_levels, b) in stage.parts() {
            part_levels.restrict_residual(at, b)?;
        }
        let level = &stage.levels[at];
        stage.levels[at + 1].b = level.validity.restricted_residual([level.x, level.b]);
        match at + 1 == stage.own_levels() {
            true => self.hand_over(number),
            false => Ok(()),
        }
    }

    fn add_interpolation(&mut self, at: usize) -> Result<()> {
        let (number, at) = self.place(at);
        let is_last = at + 1 == self.stages[number].own_levels();
        if is_last {
            self.take_over(number)?;
            self.stages[number].levels[at + 1].x = [0; 2];
        }
        let stage = &mut self.stages[number];
        let (level, next) = (&stage.levels[at], &stage.levels[at + 1]);
        if !is_last {
            let which = level.validity.before_interpolation(
                &next.validity,
                [level.x, level.b],
                &level.depths,
                next.x,
                &next.depths,
                level.sweeps[1],
            );
            stage.refresh(&self.team, at + 1, Refreshed { b: false, ..which })?;
        }
        let e = stage.next.as_ref().filter(|_| is_last).map(|next| &next.x);
        for (local, part_levels) in stage.local_levels.iter_mut().enumerate() {
            match (part_levels, e.and_then(|e| e[local].as_ref())) {
                (Some(part_levels), Some(e)) => part_levels.add_interpolation_of(at, e)?,
                (Some(part_levels), None) => part_levels.add_interpolation(at)?,
                (None, _) => {}
            }
        }
        let e = stage.levels[at + 1].x;
        let level = &mut stage.levels[at];
        level.x = level.validity.prolonged(level.x, e);
        Ok(())
    }

    fn solve(&mut self) -> Result<()> {
        let Some(stage) = self.stages.last_mut() else { return Ok(()) };
        stage.parts().try_for_each(|(part_levels, b)| Ok(part_levels.solve(b)?))
    }
}
