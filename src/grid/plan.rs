//! The partition of a grid into parts with halos: plain arithmetic, no GL.

use std::ops::Range;

use crate::gl::Error;
use crate::{Extent, Rectangle};

use super::GridShape;

/// What each part stores of those around it.
///
/// `steps` products with a nine-banded matrix can follow each other before the halos are filled again; with 0 there are no halos.
/// Where couplings go across the ends of rows, from the last number of a row to the first of the next, a product takes m + 1
/// numbers on each side of a part, which is then a strip of whole rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Halo {
    /// The products that can follow each other.
    pub steps: usize,
    /// Whether couplings go across the ends of rows.
    pub across_ends: bool,
}

impl Halo {
    /// No halos, for grids that are in one part or that no stencil reads.
    pub const NONE: Halo = Halo { steps: 0, across_ends: false };

    /// Whole rows on each side of a part, and the numbers of one further row.
    fn rows(self, shape: GridShape) -> (usize, usize) {
        if !self.across_ends {
            return (self.steps, 0);
        }
        let reach = self.steps.saturating_mul(shape.width().saturating_add(1));
        (reach / shape.width(), reach % shape.width())
    }

    /// The texels on each side of a part along x and along y.
    fn texels(self, shape: GridShape) -> Extent {
        let (whole, further) = self.rows(shape);
        let side = |texels: usize| u32::try_from(texels).unwrap_or(u32::MAX);
        let wide = if self.across_ends { 0 } else { self.steps.div_ceil(shape.lanes()) };
        Extent::new(side(wide), side(whole + usize::from(further > 0)))
    }
}

/// A part of a grid: on a device a panel, one texture; later what one rank owns. Rectangles are in texels of the whole grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The texels that belong to this part alone.
    pub owned: Rectangle,
    /// These and the halo around them.
    pub stored: Rectangle,
}

impl Part {
    /// A rectangle of the whole grid, in texels of this part's texture.
    pub fn local(&self, whole: Rectangle) -> Rectangle {
        Rectangle { x: whole.x - self.stored.x, y: whole.y - self.stored.y, ..whole }
    }

    /// The extent of this part's texture.
    pub fn extent(&self) -> Extent {
        Extent::new(self.stored.width, self.stored.height)
    }

    /// Whether it stores texels of other parts.
    pub fn has_halo(&self) -> bool {
        self.owned != self.stored
    }
}

/// A copy from what a part owns to the halo of another. The rectangles, of one size, are in texels of the parts' textures.
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
    parts: Vec<Part>,
    copies: Vec<HaloCopy>,
}

impl Plan {
    /// The fewest parts whose textures, with halos, are within this extent: strips of rows, or blocks where a row is too long.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the limit has no room for the halos, or a row whose ends are coupled to others does not fit.
    pub fn within(shape: GridShape, limit: Extent, halo: Halo) -> Result<Plan, Error> {
        let (texels, border) = (shape.texels(), halo.texels(shape));
        let too_large = |limit: u32, remedy: &str| Error::TooLarge {
            what: format!("a grid of {} numbers in rows of {}", shape.len(), shape.width()),
            request: format!("{texels} texels with halos of {border}"),
            limit: limit.into(),
            remedy: remedy.into(),
        };
        let columns = parts_within(texels.width, limit.width, border.width)
            .filter(|columns| *columns == 1 || !halo.across_ends)
            .ok_or_else(|| too_large(limit.width, "use shorter rows"))?;
        let rows = parts_within(texels.height, limit.height, border.height)
            .ok_or_else(|| too_large(limit.height, "use a shallower halo"))?;
        Ok(Plan::cut(shape, columns, rows, halo))
    }

    /// This number of strips of whole rows, or one for each row where there are fewer.
    pub fn strips(shape: GridShape, count: usize, halo: Halo) -> Plan {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Plan::cut(shape, 1, count.clamp(1, shape.texels().height.max(1)), halo)
    }

    fn cut(shape: GridShape, columns: u32, rows: u32, halo: Halo) -> Plan {
        if shape.is_empty() {
            return Plan { shape, halo, parts: Vec::new(), copies: Vec::new() };
        }
        let (texels, border) = (shape.texels(), halo.texels(shape));
        let (xs, ys) = (starts(texels.width, columns), starts(texels.height, rows));
        let mut parts = Vec::new();
        for y in ys.windows(2) {
            for x in xs.windows(2) {
                let owned = between([x[0], x[1]], [y[0], y[1]]);
                let stored = between(
                    grown([x[0], x[1]], border.width, texels.width),
                    grown([y[0], y[1]], border.height, texels.height),
                );
                parts.push(Part { owned, stored });
            }
        }
        let mut plan = Plan { shape, halo, parts, copies: Vec::new() };
        plan.copies = (0..plan.parts.len()).flat_map(|to| plan.copies_to(to, &xs, &ys)).collect();
        plan
    }

    /// The copies that fill the halo of a part, where `xs` and `ys` are the ends of all parts.
    fn copies_to(&self, to: usize, xs: &[u32], ys: &[u32]) -> Vec<HaloCopy> {
        let part = self.parts[to];
        let mut copies = Vec::new();
        for needed in self.needed(part) {
            for row in overlapping(ys, needed.y, needed.y + needed.height) {
                for column in overlapping(xs, needed.x, needed.x + needed.width) {
                    let from = row * (xs.len() - 1) + column;
                    let owner = self.parts[from];
                    let shared = common(needed, owner.owned);
                    if from != to && shared.texels() > 0 {
                        let (source, target) = (owner.local(shared), part.local(shared));
                        copies.push(HaloCopy { from, source, to, target });
                    }
                }
            }
        }
        copies
    }

    /// The texels of other parts that a part reads, as rectangles that may contain its own too.
    fn needed(&self, part: Part) -> Vec<Rectangle> {
        let (whole, further) = self.halo.rows(self.shape);
        if further == 0 {
            return vec![part.stored];
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

    /// The plan with a fault: one copy is left out.
    #[cfg(test)]
    pub(crate) fn without_copy(&self, lost: usize) -> Plan {
        let mut plan = self.clone();
        plan.copies.remove(lost);
        plan
    }

    /// The shape of the grid.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// What the parts store of those around them.
    pub fn halo(&self) -> Halo {
        self.halo
    }

    /// The parts, in the order of their numbers: row by row from the first number of the grid.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The copies that fill all halos. They read owned texels alone, so their order is free.
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

/// The fewest parts of at most this length, with a border on each side where there are several.
fn parts_within(length: u32, limit: u32, border: u32) -> Option<u32> {
    if length <= limit {
        return Some(1);
    }
    let room = limit.checked_sub(border.checked_mul(2)?)?;
    (room > 0).then(|| length.div_ceil(room))
}

/// Where parts of nearly equal length start, and the end of the last.
fn starts(length: u32, parts: u32) -> Vec<u32> {
    let start = |part: u32| (u64::from(length) * u64::from(part) / u64::from(parts)) as u32;
    (0..=parts).map(start).collect()
}

fn grown([start, end]: [u32; 2], border: u32, length: u32) -> [u32; 2] {
    [start.saturating_sub(border), end.saturating_add(border).min(length)]
}

fn between([left, right]: [u32; 2], [down, up]: [u32; 2]) -> Rectangle {
    Rectangle::new(left, down, right - left, up - down)
}

/// The parts that overlap a range.
fn overlapping(starts: &[u32], from: u32, to: u32) -> Range<usize> {
    let first = starts.partition_point(|start| *start <= from).saturating_sub(1);
    let end = starts.partition_point(|start| *start < to).min(starts.len() - 1);
    first..end
}

fn common(a: Rectangle, b: Rectangle) -> Rectangle {
    let shared = |a: u32, a_length: u32, b: u32, b_length: u32| {
        let start = a.max(b);
        [start, (a + a_length).min(b + b_length).max(start)]
    };
    between(shared(a.x, a.width, b.x, b.width), shared(a.y, a.height, b.y, b.height))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
