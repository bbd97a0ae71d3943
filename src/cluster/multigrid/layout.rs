//! The parts of a level's grid that ranks have: plain arithmetic, no GL.

use crate::cluster::Partition;
use crate::grid::{GridShape, HaloCopy, Part};
use crate::linalg::multigrid::Coarsening;
use crate::{Extent, Rectangle};

/// The points in a texel.
const LANES: usize = 4;

/// A level's grid in parts, in texels; part i belongs to rank `ranks[i]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// The number of points along x and y.
    pub(super) points: (usize, usize),
    /// The parts along x and y.
    pub(super) across: [usize; 2],
    pub(super) ranks: Vec<usize>,
    pub(super) parts: Vec<Part>,
    /// The depth of halos along x and y, in points, or less where the grid ends; `None` along an
    /// axis with one part.
    pub(super) halo: [Option<usize>; 2],
}

impl Layout {
    /// Returns the parts of a partition.
    pub(super) fn of(partition: &Partition, ranks: Vec<usize>) -> Layout {
        let plan = partition.plan();
        let points = (plan.shape().width(), plan.shape().height());
        let (steps, across) = (plan.halo().steps, partition.across());
        let depths = [steps.next_multiple_of(LANES), steps];
        let halo = [0, 1].map(|axis| (across[axis] > 1).then_some(depths[axis]));
        Layout { points, across, ranks, parts: plan.parts().to_vec(), halo }
    }

    /// Returns all of a grid for each of these ranks.
    pub(super) fn of_each(points: (usize, usize), ranks: Vec<usize>) -> Layout {
        let whole = GridShape::new(points.0, points.1).texels().rectangle();
        let parts = vec![Part { owned: whole, stored: whole }; ranks.len()];
        Layout { points, across: [1, 1], ranks, parts, halo: [None; 2] }
    }

    /// Returns whether a rank that has a part has all.
    pub(super) fn is_whole(&self) -> bool {
        self.across == [1, 1]
    }

    /// Returns the part of a rank, if it has one.
    pub(super) fn part(&self, rank: usize) -> Option<&Part> {
        let at = self.ranks.iter().position(|other| *other == rank)?;
        self.parts.get(at)
    }

    /// Returns the points along x and y of what a part stores.
    pub(super) fn stored_points(&self, part: &Part) -> (usize, usize) {
        let Rectangle { x, width, height, .. } = part.stored;
        let end = (4 * (x + width) as usize).min(self.points.0);
        (end - 4 * x as usize, height as usize)
    }

    /// Returns the next level's parts, if each rank's levels are those of the whole there: its
    /// parts begin with a whole texel and with a point that both grids have, and own something.
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
        let step = [coarsening.x, coarsening.y];
        let is_whole = |axis: usize| {
            self.halo[axis].is_none_or(|depth: usize| depth.is_multiple_of(step[axis]))
        };
        let halo = [0, 1].map(|axis| self.halo[axis].map(|depth| depth / step[axis]));
        [0, 1].into_iter().all(is_whole).then(|| Layout { points, parts, halo, ..self.clone() })
    }

    fn texels(&self) -> Extent {
        GridShape::new(self.points.0, self.points.1).texels()
    }

    /// Returns the copies from what parts own to what those of another layout of this grid store,
    /// from nearby where several own it. The rectangles are in texels of the parts' textures.
    pub(super) fn copies_to(&self, other: &Layout) -> Vec<HaloCopy> {
        self.copies(other, |part| part.stored)
    }

    /// Returns the copies from what parts own to the halos of others, as far as these points from
    /// what those own.
    pub(super) fn copies_within(&self, depth: usize) -> Vec<HaloCopy> {
        let near = |part: &Part| {
            let grown = |start: u32, length: u32, by: usize| {
                let by = u32::try_from(by).unwrap_or(u32::MAX);
                let end = (start + length).saturating_add(by);
                (start.saturating_sub(by), end - start.saturating_sub(by))
            };
            let Rectangle { x, y, width, height } = part.owned;
            let (x, width) = grown(x, width, depth.div_ceil(LANES));
            let (y, height) = grown(y, height, depth);
            Rectangle::new(x, y, width, height).common(part.stored)
        };
        let mut copies = self.copies(self, near);
        copies.retain(|copy| copy.from != copy.to);
        copies
    }

    fn copies(&self, other: &Layout, wanted: impl Fn(&Part) -> Rectangle) -> Vec<HaloCopy> {
        let mut copies = Vec::new();
        for (from, source) in self.ranks.iter().zip(&self.parts) {
            for (to, target) in other.ranks.iter().zip(&other.parts) {
                let shared = source.owned.common(wanted(target));
                let is_near = !self.is_whole() || from == to || !self.ranks.contains(to);
                if shared.texels() > 0 && is_near {
                    let (source, target) = (source.local(shared), target.local(shared));
                    copies.push(HaloCopy { from: *from, source, to: *to, target });
                }
            }
        }
        copies
    }
}

/// Returns a range of texels on the next level: its ends are those of the grid, or are divided by
/// the step.
fn divided(start: u32, length: u32, step: u32, (whole, next): (u32, u32)) -> Option<(u32, u32)> {
    let end = |texel: u32| match texel {
        _ if texel == whole => Some(next),
        _ if texel.is_multiple_of(step) => Some(texel / step),
        _ => None,
    };
    let (start, end) = (end(start)?, end(start + length)?);
    (start < end).then_some((start, end - start))
}
