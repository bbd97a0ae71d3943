//! The parts of a level's grid that ranks have: plain arithmetic, no GL.

use crate::cluster::Partition;
use crate::grid::{GridShape, HaloCopy, Part};
use crate::reference::multigrid::Coarsening;
use crate::{Extent, Rectangle};

/// A level's grid in parts, in texels; part i belongs to rank `ranks[i]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Along x and y.
    pub(super) points: (usize, usize),
    /// The parts along x and y.
    pub(super) across: [usize; 2],
    pub(super) ranks: Vec<usize>,
    pub(super) parts: Vec<Part>,
    /// Whether what a part stores was cut from more on the finest level: on the left, on the right, below, above. A coarser grid may end
    /// where a part does that was cut.
    is_cut: Vec<[bool; 4]>,
}

impl Layout {
    /// The parts of a partition.
    pub(super) fn of(partition: &Partition, ranks: Vec<usize>) -> Layout {
        let plan = partition.plan();
        let points = (plan.shape().width(), plan.shape().height());
        let Extent { width, height } = plan.shape().texels();
        let is_cut = plan.parts().iter().map(|Part { stored, .. }| {
            let ends = (stored.x + stored.width, stored.y + stored.height);
            [stored.x > 0, ends.0 < width, stored.y > 0, ends.1 < height]
        });
        let is_cut = is_cut.collect();
        Layout { points, across: partition.across(), ranks, parts: plan.parts().to_vec(), is_cut }
    }

    /// The part of a rank, if it has one.
    pub(super) fn part(&self, rank: usize) -> Option<&Part> {
        let at = self.ranks.iter().position(|other| *other == rank)?;
        self.parts.get(at)
    }

    /// The points along x and y of what a part stores.
    pub(super) fn stored_points(&self, part: &Part) -> (usize, usize) {
        let Rectangle { x, width, height, .. } = part.stored;
        let end = (4 * (x + width) as usize).min(self.points.0);
        (end - 4 * x as usize, height as usize)
    }

    /// The next level's parts, if each rank's levels are those of the whole there: its parts begin with a whole texel and with a point
    /// that both grids have, and own something.
    pub(super) fn coarser(&self, coarsening: Coarsening) -> Option<Layout> {
        let points = coarsening.coarse(self.points);
        let step = Extent::new(coarsening.x as u32, coarsening.y as u32);
        let (whole, next) = (self.texels(), GridShape::new(points.0, points.1).texels());
        let place = |place: Rectangle| {
            let (x, width) = divided(place.x, place.width, step.width, (whole.width, next.width))?;
            let along = (whole.height, next.height);
            let (y, height) = divided(place.y, place.height, step.height, along)?;
            Some(Rectangle::new(x, y, width, height))
        };
        let part =
            |part: &Part| Some(Part { owned: place(part.owned)?, stored: place(part.stored)? });
        let parts = self.parts.iter().map(part).collect::<Option<_>>()?;
        Some(Layout { points, parts, ..self.clone() })
    }

    fn texels(&self) -> Extent {
        GridShape::new(self.points.0, self.points.1).texels()
    }

    /// The least depth of a halo along x and y, in points; `None` where the grid is not cut.
    pub(super) fn halo(&self) -> [Option<usize>; 2] {
        let depths = self.parts.iter().zip(&self.is_cut).map(|(Part { owned, stored }, is_cut)| {
            let end = |place: &Rectangle| (place.x + place.width, place.y + place.height);
            let depths = [
                owned.x - stored.x,
                end(stored).0 - end(owned).0,
                owned.y - stored.y,
                end(stored).1 - end(owned).1,
            ];
            [0, 1, 2, 3].map(|side| is_cut[side].then_some(depths[side]))
        });
        let depths: Vec<_> = depths.collect();
        let least = |sides: [usize; 2]| {
            let depths = depths.iter().flat_map(|depths| sides.map(|side| depths[side]));
            depths.flatten().min().map(|depth| depth as usize)
        };
        [least([0, 1]).map(|texels| 4 * texels), least([2, 3])]
    }

    /// The copies from what parts own to what those of another layout of this grid store, or with the same layout to its halos. The
    /// rectangles are in texels of the parts' textures.
    pub(super) fn copies_to(&self, other: &Layout) -> Vec<HaloCopy> {
        let in_place = self == other;
        let mut copies = Vec::new();
        for (from, source) in self.ranks.iter().zip(&self.parts) {
            for (to, target) in other.ranks.iter().zip(&other.parts) {
                let shared = source.owned.common(target.stored);
                if shared.texels() > 0 && !(in_place && from == to) {
                    let (source, target) = (source.local(shared), target.local(shared));
                    copies.push(HaloCopy { from: *from, source, to: *to, target });
                }
            }
        }
        copies
    }
}

/// A range of texels on the next level: its ends are those of the grid, or are divided by the step.
fn divided(start: u32, length: u32, step: u32, (whole, next): (u32, u32)) -> Option<(u32, u32)> {
    let end = |texel: u32| match texel {
        _ if texel == whole => Some(next),
        _ if texel.is_multiple_of(step) => Some(texel / step),
        _ => None,
    };
    let (start, end) = (end(start)?, end(start + length)?);
    (start < end).then_some((start, end - start))
}
