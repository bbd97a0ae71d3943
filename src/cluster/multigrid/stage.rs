//! Levels that the same ranks have in parts.

use crate::cluster::{Result, Team};
use crate::linalg::multigrid::{Grid, LocalLevels, Smoother};

use super::halo_validity::{Depths, HaloValidity, Margin, Refreshed};
use super::layout::Layout;
use super::transfer::Transfer;

/// The properties of a level that all ranks know.
pub(super) struct StageLevel {
    pub(super) layout: Layout,
    pub(super) validity: HaloValidity,
    pub(super) smoother: Smoother,
    /// The sweeps in both halves of a cycle.
    pub(super) sweeps: [usize; 2],
    /// The margins of x and of the right-hand side.
    pub(super) x: Margin,
    pub(super) b: Margin,
    pub(super) depths: Depths,
    /// The transfers that refresh halos to a depth, made when first needed.
    halos: Vec<(usize, Transfer)>,
}

impl StageLevel {
    pub(super) fn new(
        layout: Layout,
        validity: HaloValidity,
        smoother: Smoother,
        sweeps: [usize; 2],
    ) -> StageLevel {
        let (x, b, depths) = ([0; 2], [0; 2], Depths::default());
        StageLevel { layout, validity, smoother, sweeps, x, b, depths, halos: Vec::new() }
    }

    fn refresh(
        &mut self,
        team: &Team,
        depth: usize,
        grids: &mut [Option<&mut Grid>],
    ) -> Result<()> {
        let made = self.halos.iter().position(|(made, _)| *made == depth);
        let at = match made {
            Some(at) => at,
            None => {
                let copies = self.layout.copies_within(depth);
                self.halos.push((depth, Transfer::new(team, &copies)?));
                self.halos.len() - 1
            }
        };
        self.halos[at].1.run_within(grids)
    }
}

/// Levels that the same ranks have in parts. If another stage follows, the last is what that one's
/// ranks gather.
pub(super) struct Stage {
    pub(super) levels: Vec<StageLevel>,
    /// The levels of each local rank, if it has a part.
    pub(super) local_levels: Vec<Option<LocalLevels>>,
    /// The first level's right-hand sides.
    pub(super) b: Vec<Option<Grid>>,
    /// The transfers to and from the next stage.
    pub(super) next: Option<Next>,
}

/// The way to the next stage.
pub(super) struct Next {
    pub(super) down: Transfer,
    pub(super) up: Transfer,
    /// The last level's x, which the next stage computes.
    pub(super) x: Vec<Option<Grid>>,
}

impl Stage {
    /// Returns the number of levels that are smoothed or solved here.
    pub(super) fn own_levels(&self) -> usize {
        self.levels.len() - usize::from(self.next.is_some())
    }

    /// Refreshes the halos of x of a level, and of its right-hand side.
    pub(super) fn refresh(&mut self, team: &Team, at: usize, which: Refreshed) -> Result<()> {
        let Stage { levels, local_levels, b, .. } = self;
        let level = &mut levels[at];
        if which.x {
            let x =
                local_levels.iter_mut().map(|part_levels| Some(part_levels.as_mut()?.x_mut(at)));
            level.refresh(team, which.depth, &mut x.collect::<Vec<_>>())?;
        }
        if which.b {
            let b = local_levels.iter_mut().zip(b).map(|(part_levels, b)| match at {
                0 => b.as_mut(),
                _ => part_levels.as_mut()?.b_mut(at),
            });
            level.refresh(team, which.depth, &mut b.collect::<Vec<_>>())?;
        }
        level.validity.refresh(which, [&mut level.x, &mut level.b]);
        Ok(())
    }

    /// Returns the levels of local ranks that have parts, each with the first level's right-hand
    /// side.
    pub(super) fn parts(&mut self) -> impl Iterator<Item = (&mut LocalLevels, &Grid)> {
        self.local_levels
            .iter_mut()
            .zip(&self.b)
            .filter_map(|(part_levels, b)| Some((part_levels.as_mut()?, b.as_ref()?)))
    }

    /// Returns the first level's x of the local ranks.
    pub(super) fn x(&self) -> Vec<Option<&Grid>> {
        self.local_levels.iter().map(|part_levels| Some(part_levels.as_ref()?.x(0))).collect()
    }
}
