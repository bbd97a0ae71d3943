//! Numbers that go from textures of ranks to those of others, or to their halos.

use std::slice;

use crate::Rectangle;
use crate::cluster::halo::Halos;
use crate::cluster::{Result, Team};
use crate::grid::{GridShape, Halo, HaloCopy, Plan};
use crate::linalg::multigrid::Grid;

/// Copies between the textures of ranks.
pub(super) struct Transfer {
    /// The copies within a local rank: its index, the source and the target.
    own: Vec<(usize, Rectangle, Rectangle)>,
    between: Halos<[f32; 4]>,
}

impl Transfer {
    pub(super) fn new(team: &Team, copies: &[HaloCopy]) -> Result<Transfer> {
        let (own, others): (Vec<HaloCopy>, Vec<HaloCopy>) =
            copies.iter().partition(|copy| copy.from == copy.to);
        let local = team.communicator().local();
        let own = own.iter().filter(|copy| local.contains(&copy.from));
        let own = own.map(|copy| (copy.from - local.start, copy.source, copy.target)).collect();
        let places = copies.iter().flat_map(|copy| [copy.source, copy.target]);
        let most = places.fold((1, 1), |(width, height), place| {
            (width.max(place.x + place.width), height.max(place.y + place.height))
        });
        // One panel that holds all of them.
        let panel =
            Plan::strips(GridShape::new(4 * most.0 as usize, most.1 as usize), 1, Halo::NONE);
        let panels = vec![&panel; local.len()];
        Ok(Transfer { own, between: Halos::new(team, &others, &panels)? })
    }

    /// Copies from the textures of the local ranks to others of theirs, where they have any.
    pub(super) fn run(
        &mut self,
        from: &[Option<&Grid>],
        to: &mut [Option<&mut Grid>],
    ) -> Result<()> {
        for (rank, source, target) in &self.own {
            if let (Some(from), Some(to)) = (from[*rank], &to[*rank]) {
                to.copy_part(*target, from, *source)?;
            }
        }
        let from: Vec<&[Grid]> =
            from.iter().map(|from| from.map_or(&[][..], slice::from_ref)).collect();
        self.between.begin(&from)?;
        self.finish(to)
    }

    /// Copies within the textures of the local ranks.
    pub(super) fn run_within(&mut self, grids: &mut [Option<&mut Grid>]) -> Result<()> {
        let from: Vec<&[Grid]> =
            grids.iter().map(|grid| grid.as_deref().map_or(&[][..], slice::from_ref)).collect();
        self.between.begin(&from)?;
        self.finish(grids)
    }

    fn finish(&mut self, to: &mut [Option<&mut Grid>]) -> Result<()> {
        let to = to.iter_mut().map(|to| to.as_deref_mut().map_or(&mut [][..], slice::from_mut));
        self.between.finish(&mut to.collect::<Vec<_>>())
    }
}
