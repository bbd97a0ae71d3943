//! The partition of a grid into parts with halos: plain arithmetic, no GL.

use std::ops::Range;

use crate::data::Block;
use crate::gl::{Error, Result};
use crate::{Extent, Rectangle};

use super::GridShape;

/// The depth of the halo that each part stores around the texels it owns.
///
/// `steps` products with a nine-banded matrix can follow each other before the halos are filled
/// again; with 0 there are no halos. Where couplings go across the ends of rows, from the last
/// number of a row to the first of the next, a product takes m + 1 numbers on each side of a part,
/// which is then a strip of whole rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Halo {
    /// The number of products that can follow each other before halos must be filled again.
    pub steps: usize,
    /// Whether couplings go across the ends of rows.
    pub across_ends: bool,
}

impl Halo {
    /// No halos, for grids that are in one part or that no stencil reads.
    pub const NONE: Halo = Halo { steps: 0, across_ends: false };

    /// Returns the number of whole rows on each side of a part, and the numbers of one further row.
    fn rows(self, shape: GridShape) -> (usize, usize) {
        if !self.across_ends {
            return (self.steps.saturating_mul(shape.reach()), 0);
        }
        let reach = self.steps.saturating_mul(shape.width().saturating_add(1));
        (reach / shape.width(), reach % shape.width())
    }

    /// Returns the texels along x and along y that some products reach.
    pub(crate) fn texels_of_steps(self, shape: GridShape, steps: usize) -> Extent {
        Halo { steps, ..self }.texels(shape)
    }

    /// Returns the texels on each side of a part along x and along y.
    fn texels(self, shape: GridShape) -> Extent {
        let (whole, further) = self.rows(shape);
        let side = |texels: usize| u32::try_from(texels).unwrap_or(u32::MAX);
        let wide = if self.across_ends { 0 } else { self.steps.div_ceil(shape.lanes()) };
        Extent::new(side(wide), side(whole + usize::from(further > 0)))
    }
}

/// A part of a grid: on a device a panel, one texture, or what one of several ranks owns.
/// Rectangles are in texels of the whole grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The texels that belong to this part alone.
    pub owned: Rectangle,
    /// The owned texels and the halo around them.
    pub stored: Rectangle,
}

impl Part {
    /// Returns a rectangle of the whole grid, in texels of this part's texture.
    pub fn local(&self, whole: Rectangle) -> Rectangle {
        Rectangle { x: whole.x - self.stored.x, y: whole.y - self.stored.y, ..whole }
    }

    /// Returns the extent of this part's texture.
    pub fn extent(&self) -> Extent {
        Extent::new(self.stored.width, self.stored.height)
    }

    /// Returns whether it stores texels of other parts.
    pub fn has_halo(&self) -> bool {
        self.owned != self.stored
    }
}

/// A copy from what a part owns to the halo of another. The rectangles, of one size, are in texels
/// of the parts' textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Named after what they are.
pub struct HaloCopy {
    pub from: usize,
    pub source: Rectangle,
    pub to: usize,
    pub target: Rectangle,
}

/// The partition of a grid into numbered parts, and the copies that fill their halos.
///
/// ```
/// use quadrille::grid::{GridShape, Halo, Plan};
/// let halo = Halo { steps: 1, across_ends: false };
/// let plan = Plan::strips(GridShape::new(100, 60), 3, halo);
/// assert_eq!(plan.parts().len(), 3);
/// assert_eq!(plan.parts()[1].owned.height, 20);
/// assert_eq!(plan.parts()[1].stored.height, 22);
/// assert_eq!(plan.copies().len(), 4); // the middle strip has two neighbours, the others one
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    shape: GridShape,
    halo: Halo,
    /// The columns and rows at which parts start, and the end of the last part.
    xs: Vec<u32>,
    ys: Vec<u32>,
    parts: Vec<Part>,
    copies: Vec<HaloCopy>,
}

impl Plan {
    /// Returns the fewest parts whose textures, with halos, are within this extent: strips of rows,
    /// or blocks where a row is too long.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the limit has no room for the halos, or a row whose ends are coupled
    /// to others does not fit.
    pub fn within(shape: GridShape, limit: Extent, halo: Halo) -> Result<Plan> {
        Plan::of_window(shape, shape.texels().rectangle(), limit, halo)
    }

    /// Plans the panels of one of several ranks ([`within`](Self::within) plans a whole grid): the
    /// parts own the texels of a window only. The texels around it belong to other ranks, and are
    /// stored as far as halos reach.
    ///
    /// # Errors
    ///
    /// Those of [`within`](Self::within).
    pub fn of_window(
        shape: GridShape,
        window: Rectangle,
        limit: Extent,
        halo: Halo,
    ) -> Result<Plan> {
        let (texels, border) = (shape.texels(), halo.texels(shape));
        let too_large = |limit: u32, remedy: &str| Error::TooLarge {
            what: format!("a grid of {} numbers in rows of {}", shape.len(), shape.width()),
            request: format!("{texels} texels with halos of {border}"),
            limit: limit.into(),
            remedy: remedy.into(),
        };
        let (across, along) = (window.x + window.width, window.y + window.height);
        let columns = cuts_within([window.x, across], texels.width, limit.width, border.width)
            .filter(|columns| columns.len() == 2 || !halo.across_ends)
            .ok_or_else(|| too_large(limit.width, "use shorter rows"))?;
        let rows = cuts_within([window.y, along], texels.height, limit.height, border.height)
            .ok_or_else(|| too_large(limit.height, "use a shallower halo"))?;
        Ok(Plan::cut(shape, columns, rows, halo))
    }

    /// Creates a plan of `count` strips of whole rows, or of one strip for each row where there are
    /// fewer rows.
    pub fn strips(shape: GridShape, count: usize, halo: Halo) -> Plan {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let Extent { width, height } = shape.texels();
        Plan::cut(shape, vec![0, width], starts([0, height], count.clamp(1, height.max(1))), halo)
    }

    /// Creates a plan of a part for each of `columns` by `rows` ranks, or fewer where there are not
    /// as many units: the cuts are at multiples of `unit`, in texels.
    pub fn blocks(shape: GridShape, columns: u32, rows: u32, unit: Extent, halo: Halo) -> Plan {
        let cuts = |length: u32, parts: u32, unit: u32| -> Vec<u32> {
            let units = length.div_ceil(unit.max(1));
            let starts = starts([0, units], parts.clamp(1, units.max(1)));
            starts.into_iter().map(|start| start.saturating_mul(unit).min(length)).collect()
        };
        let Extent { width, height } = shape.texels();
        Plan::cut(shape, cuts(width, columns, unit.width), cuts(height, rows, unit.height), halo)
    }

    fn cut(shape: GridShape, xs: Vec<u32>, ys: Vec<u32>, halo: Halo) -> Plan {
        let mut plan = Plan { shape, halo, xs, ys, parts: Vec::new(), copies: Vec::new() };
        if shape.is_empty() {
            return plan;
        }
        for y in plan.ys.windows(2) {
            for x in plan.xs.windows(2) {
                let owned = between([x[0], x[1]], [y[0], y[1]]);
                plan.parts.push(Part { owned, stored: grown_by(owned, halo, shape) });
            }
        }
        plan.copies = plan.copies_within(halo);
        plan
    }

    /// Returns the copies that fill the halos as far as these reach, which are no deeper than those
    /// that are stored.
    pub fn copies_within(&self, halo: Halo) -> Vec<HaloCopy> {
        (0..self.parts.len()).flat_map(|to| self.copies_to(to, halo)).collect()
    }

    /// Returns the copies that fill the halo of a part.
    fn copies_to(&self, to: usize, halo: Halo) -> Vec<HaloCopy> {
        let part = self.parts[to];
        let mut copies = Vec::new();
        for needed in self.needed(part, halo) {
            for row in overlapping(&self.ys, needed.y, needed.y + needed.height) {
                for column in overlapping(&self.xs, needed.x, needed.x + needed.width) {
                    let from = row * (self.xs.len() - 1) + column;
                    let owner = self.parts[from];
                    let shared = needed.common(owner.owned);
                    if from != to && shared.texels() > 0 {
                        let (source, target) = (owner.local(shared), part.local(shared));
                        copies.push(HaloCopy { from, source, to, target });
                    }
                }
            }
        }
        copies
    }

    /// Returns the texels of other parts that a part reads, as rectangles that may contain its own
    /// too.
    fn needed(&self, part: Part, halo: Halo) -> Vec<Rectangle> {
        let (whole, further) = halo.rows(self.shape);
        if further == 0 {
            return vec![grown_by(part.owned, halo, self.shape)];
        }
        // Of one further row on each side only the numbers that are read.
        let Extent { width, height } = self.shape.texels();
        let (whole, further) = (whole as u32, further.min(self.shape.width()));
        let (start, end) = (part.owned.y, part.owned.y + part.owned.height);
        let [from, to] = grown([start, end], whole, height);
        let mut needed = vec![between([0, width], [from, to])];
        if from > 0 {
            let first = ((self.shape.width() - further) / self.shape.lanes()) as u32;
            needed.push(between([first, width], [from - 1, from]));
        }
        if to < height {
            needed.push(between([0, further.div_ceil(self.shape.lanes()) as u32], [to, to + 1]));
        }
        needed
    }

    /// Returns the plan with a fault: one copy is left out.
    #[cfg(test)]
    pub(crate) fn without_copy(&self, lost: usize) -> Plan {
        let mut plan = self.clone();
        plan.copies.remove(lost);
        plan
    }

    /// Returns the shape of the grid.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// Returns the depth of the halos.
    pub fn halo(&self) -> Halo {
        self.halo
    }

    /// Returns the parts, in the order of their numbers: row by row from the first number of the
    /// grid.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the number of parts along x and along y.
    pub fn across(&self) -> (usize, usize) {
        (self.xs.len().saturating_sub(1), self.ys.len().saturating_sub(1))
    }

    /// Returns the numbers of a rectangle of the grid's texels.
    pub fn block(&self, place: Rectangle) -> Block {
        let lanes = self.shape.lanes();
        let column = |texel: u32| (lanes * texel as usize).min(self.shape.width());
        Block {
            columns: column(place.x)..column(place.x + place.width),
            rows: place.y as usize..(place.y + place.height) as usize,
        }
    }

    /// Returns the copies that fill all halos. They read owned texels alone, so their order is
    /// free.
    pub fn copies(&self) -> &[HaloCopy] {
        &self.copies
    }
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (numbers, width, parts) = (self.shape.len(), self.shape.width(), self.parts.len());
        write!(f, "{numbers} numbers in rows of {width}, in {parts} parts")
    }
}

/// Returns the starts of the fewest parts of a range, and the end of the last. A part with its
/// borders is at most `limit` long; borders end where the grid of this `length` does.
fn cuts_within([start, end]: [u32; 2], length: u32, limit: u32, border: u32) -> Option<Vec<u32>> {
    let [first, last] = grown([start, end], border, length);
    if last - first <= limit {
        return Some(vec![start, end]);
    }
    let room = limit.checked_sub(border.checked_mul(2)?)?;
    (room > 0).then(|| starts([start, end], (end - start).div_ceil(room)))
}

/// Returns the starts of parts of nearly equal length, and the end of the last.
fn starts([first, end]: [u32; 2], parts: u32) -> Vec<u32> {
    let length = u64::from(end - first);
    let start = |part: u32| first + (length * u64::from(part) / u64::from(parts)) as u32;
    (0..=parts).map(start).collect()
}

fn grown([start, end]: [u32; 2], border: u32, length: u32) -> [u32; 2] {
    [start.saturating_sub(border), end.saturating_add(border).min(length)]
}

/// Grows a rectangle by the halo.
fn grown_by(owned: Rectangle, halo: Halo, shape: GridShape) -> Rectangle {
    let (texels, border) = (shape.texels(), halo.texels(shape));
    between(
        grown([owned.x, owned.x + owned.width], border.width, texels.width),
        grown([owned.y, owned.y + owned.height], border.height, texels.height),
    )
}

fn between([left, right]: [u32; 2], [down, up]: [u32; 2]) -> Rectangle {
    Rectangle::new(left, down, right - left, up - down)
}

/// Returns the parts that overlap a range.
fn overlapping(starts: &[u32], from: u32, to: u32) -> Range<usize> {
    let first = starts.partition_point(|start| *start <= from).saturating_sub(1);
    let end = starts.partition_point(|start| *start < to).min(starts.len() - 1);
    first..end
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
