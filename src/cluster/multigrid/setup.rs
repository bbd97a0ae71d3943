//! Makes the levels: each rank makes its own from what it stores, and all agree on the plan.

use crate::Context;
use crate::cluster::communicator::collective;
use crate::cluster::{Incoming, Outgoing, Result, Team};
use crate::linalg::blas1::Blas1;
use crate::linalg::multigrid::{
    BANDS, Grid, LevelPlan, LocalLevels, Measures, Options, Rows, sweeps_of,
};

use super::Distribution;
use super::halo_validity::{Depths, HaloValidity};
use super::layout::Layout;
use super::stage::{Next, Stage, StageLevel};
use super::transfer::Transfer;

/// The team and the options that levels are made with.
pub(super) struct Setup<'a> {
    pub(super) team: &'a Team,
    pub(super) options: &'a Options,
    pub(super) distribution: Distribution,
    /// The vector operations of each local rank.
    pub(super) blas: Vec<Blas1>,
}

/// Near cuts the rows have lost couplings.
const FIRST_ROWS: [usize; 2] = [1; 2];

/// The rows and the plan of a level, before its smoother is made.
struct Prepared {
    rows: Vec<Option<(Grid, Rows)>>,
    plan: LevelPlan,
}

impl Setup<'_> {
    /// Returns all stages, from the levels of the finest level's parts.
    pub(super) fn stages(
        &self,
        mut layout: Layout,
        mut local_levels: Vec<Option<LocalLevels>>,
    ) -> Result<Vec<Stage>> {
        let mut stages: Vec<Stage> = Vec::new();
        loop {
            let is_finest = stages.iter().all(|stage| stage.own_levels() == 0);
            let (mut stage, plan) = self.stage(layout, local_levels, is_finest)?;
            let Some(plan) = plan else {
                stages.push(stage);
                return Ok(stages);
            };
            let last = &stage.levels[stage.levels.len() - 1].layout;
            layout = self.fewer(last, plan)?;
            local_levels = self.gathered(last, &stage.local_levels, &layout)?;
            stage.next = Some(self.next(last, &layout)?);
            stages.push(stage);
        }
    }

    /// Returns the levels that these parts can have, and the plan of the last one if others have to
    /// have it.
    fn stage(
        &self,
        mut layout: Layout,
        mut local_levels: Vec<Option<LocalLevels>>,
        is_finest: bool,
    ) -> Result<(Stage, Option<LevelPlan>)> {
        let b = self.grids(&layout)?;
        let (mut levels, mut rows) = (Vec::<StageLevel>::new(), FIRST_ROWS);
        let gathered = loop {
            let prepared = self.prepared(&layout, &local_levels, is_finest && levels.is_empty())?;
            let (plan, is_whole) = (prepared.plan, layout.is_whole());
            let step = plan.coarsening.map_or([1; 2], |coarsening| [coarsening.x, coarsening.y]);
            let validity = HaloValidity::new(layout.halo, rows, step, self.options.symmetric);
            let next = self.coarser(&layout, &validity, plan);
            if next.is_none() && !is_whole {
                levels.push(StageLevel::new(layout, validity, plan.smoother, [0; 2]));
                break Some(plan);
            }
            self.extend(&mut local_levels, prepared)?;
            let sweeps = sweeps_of(plan.smoother).unwrap_or_default();
            levels.push(StageLevel::new(layout, validity, plan.smoother, sweeps));
            match next {
                Some(next) => layout = next,
                None => break None,
            }
            rows = validity.next_rows();
        };
        let known: Vec<_> = levels.iter().map(|level| (level.validity, level.sweeps)).collect();
        for (level, depths) in levels.iter_mut().zip(Depths::of(&known)) {
            level.depths = depths;
        }
        Ok((Stage { levels, local_levels, b, next: None }, gathered))
    }

    /// Returns the layout of the next level if these ranks can continue to it.
    fn coarser(&self, layout: &Layout, validity: &HaloValidity, plan: LevelPlan) -> Option<Layout> {
        let next = layout.coarser(plan.coarsening?)?;
        if layout.is_whole() {
            return Some(next);
        }
        let points = layout.points.0.saturating_mul(layout.points.1);
        let is_large = points > self.distribution.fewest.saturating_mul(layout.parts.len());
        let sweeps = sweeps_of(plan.smoother)?;
        let beyond =
            HaloValidity::new(next.halo, validity.next_rows(), [1; 2], self.options.symmetric);
        (is_large && validity.suffices(&beyond, sweeps)).then_some(next)
    }

    /// Returns the parts of a level in which fewer ranks can continue.
    fn fewer(&self, last: &Layout, plan: LevelPlan) -> Result<Layout> {
        let fewer = self.distribution.gathered(last, false)?;
        let step = plan.coarsening.map_or([1; 2], |coarsening| [coarsening.x, coarsening.y]);
        let validity = HaloValidity::new(fewer.halo, FIRST_ROWS, step, self.options.symmetric);
        match fewer.is_whole() || self.coarser(&fewer, &validity, plan).is_some() {
            true => Ok(fewer),
            false => self.distribution.gathered(last, true),
        }
    }

    /// Returns the rows of the next level's matrix, and what all ranks do with it.
    fn prepared(
        &self,
        layout: &Layout,
        local_levels: &[Option<LocalLevels>],
        is_finest: bool,
    ) -> Result<Prepared> {
        let rows = local_levels.iter().map(|part_levels| match part_levels {
            Some(part_levels) => Ok(Some(part_levels.rows()?)),
            None => Ok(None),
        });
        let rows = rows.collect::<Result<Vec<_>>>()?;
        let measures = match LevelPlan::is_open(layout.points, self.options) {
            true => Some(self.measures(layout, local_levels, &rows)?),
            false => None,
        };
        let plan = LevelPlan::of(layout.points, is_finest, measures, self.options);
        Ok(Prepared { rows, plan })
    }

    /// Returns the measures of a level's matrix, over all ranks.
    fn measures(
        &self,
        layout: &Layout,
        local_levels: &[Option<LocalLevels>],
        rows: &[Option<(Grid, Rows)>],
    ) -> Result<Measures> {
        let mut local = Vec::new();
        for (at, (rank, _)) in self.team.local().enumerate() {
            let parts = (&local_levels[at], &rows[at], layout.part(rank));
            let (Some(part_levels), Some((_, rows)), Some(part)) = parts else {
                local.push([0.0; 3]);
                continue;
            };
            let owned = part.has_halo().then(|| part.local(part.owned));
            let Measures { strengths, one_sided } =
                part_levels.measures(rows, &self.blas[at], owned)?;
            local.push([strengths.0, strengths.1, one_sided]);
        }
        let all: Vec<[f64; 3]> = collective::gathered(self.team.communicator(), &local)?;
        // Where each has all the first decides: devices may round differently.
        let counted = if layout.is_whole() { &layout.ranks[..1] } else { &layout.ranks };
        let all = counted.iter().map(|rank| all[*rank]);
        let [x, y, one_sided] = all.fold([0.0; 3], |[x, y, sides], of_rank| {
            [x + of_rank[0], y + of_rank[1], sides + of_rank[2]]
        });
        Ok(Measures { strengths: (x, y), one_sided })
    }

    fn extend(&self, local_levels: &mut [Option<LocalLevels>], prepared: Prepared) -> Result<()> {
        let Prepared { rows, plan } = prepared;
        for ((part_levels, rows), blas) in local_levels.iter_mut().zip(rows).zip(&self.blas) {
            if let (Some(part_levels), Some((scaling, rows))) = (part_levels, rows) {
                part_levels.extend(blas, scaling, rows, plan, self.options)?;
            }
        }
        Ok(())
    }

    /// Returns a grid for what each local rank stores of a layout, if anything.
    fn grids(&self, layout: &Layout) -> Result<Vec<Option<Grid>>> {
        let grid = |(rank, context): (usize, &Context)| {
            let Some(part) = layout.part(rank) else { return Ok(None) };
            let mut grid = context.uninit(part.extent())?;
            grid.fill([0.0; 4])?;
            Ok(Some(grid))
        };
        self.team.local().map(grid).collect()
    }

    /// Returns the transfers from a level of a stage to that of the next stage, and back.
    fn next(&self, last: &Layout, first: &Layout) -> Result<Next> {
        let down = Transfer::new(self.team, &last.copies_to(first))?;
        let up = Transfer::new(self.team, &first.copies_to(last))?;
        Ok(Next { down, up, x: self.grids(last)? })
    }

    /// Returns the levels of the ranks that gather the last matrix of these.
    fn gathered(
        &self,
        from: &Layout,
        local_levels: &[Option<LocalLevels>],
        to: &Layout,
    ) -> Result<Vec<Option<LocalLevels>>> {
        type Bands = Vec<[f32; 4]>;
        let copies = from.copies_to(to);
        let local = self.team.communicator().local();
        let mut arrived: Vec<Bands> = Vec::new();
        for copy in &copies {
            arrived.push(match local.contains(&copy.to) {
                true => crate::memory::zeroed(BANDS * copy.source.texels())?,
                false => Bands::new(),
            });
        }
        let mut sent: Vec<Bands> = Vec::new();
        for copy in &copies {
            let here = copy.from.checked_sub(local.start).and_then(|at| local_levels.get(at));
            sent.push(match here.and_then(Option::as_ref) {
                Some(part_levels) => part_levels.bands_in(copy.source)?,
                None => Bands::new(),
            });
        }
        let (mut outgoing, mut incoming) = (Vec::new(), Vec::new());
        for ((copy, sent), arrived) in copies.iter().zip(&mut sent).zip(&mut arrived) {
            if copy.from == copy.to {
                std::mem::swap(sent, arrived);
                continue;
            }
            let (from, to) = (copy.from, copy.to);
            if local.contains(&from) {
                outgoing.push(Outgoing { from, to, bytes: bytemuck::cast_slice(sent) });
            }
            if local.contains(&to) {
                incoming.push(Incoming { from, to, bytes: bytemuck::cast_slice_mut(arrived) });
            }
        }
        self.team.communicator().exchange(&outgoing, &mut incoming)?;
        drop((outgoing, incoming));
        let mut gathered = Vec::new();
        for (at, rank) in local.enumerate() {
            let parts = copies.iter().zip(&mut arrived).filter(|(copy, _)| copy.to == rank);
            let parts: Vec<_> =
                parts.map(|(copy, bands)| (copy.target, std::mem::take(bands))).collect();
            gathered.push(match (to.part(rank), &local_levels[at]) {
                (Some(part), Some(like)) => {
                    Some(LocalLevels::assembled(like, to.stored_points(part), &parts)?)
                }
                _ => None,
            });
        }
        Ok(gathered)
    }
}
