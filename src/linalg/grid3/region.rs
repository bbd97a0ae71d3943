//! The texels of a grid whose points are all inside, which are drawn by themselves: a software renderer executes both sides
//! of a branch, and takes the numbers of points near the edges from a table.

use std::ops::Range;

use crate::linalg::nine_banded::Result;
use crate::stream::launch::Programs;
use crate::stream::{Engine, Geometry, Tiles};
use crate::{Extent, Rectangle};

use super::layout::Layout;
use super::programs::Variant;

/// The texels of a target, in two parts or as one.
pub(super) struct Region {
    parts: Option<[Tiles; 2]>,
}

/// The places of texels that are inside, along x, y and z.
pub(super) type Inside = [Range<usize>; 3];

/// Returns the texels whose points are so far from the edges of an axis of this many points that they are in `of`.
pub(super) fn texels_of(of: Range<usize>) -> Range<usize> {
    let (start, end) = (of.start.div_ceil(4), of.end / 4);
    start..end.max(start)
}

/// Returns the texels along x that lines inside have numbers for: all, unless there are several kinds at their ends.
pub(super) fn columns(layout: Layout, inside: Range<usize>, border: usize) -> Range<usize> {
    if border > 1 { texels_of(inside) } else { 0..layout.grid.points()[0].div_ceil(4) }
}

impl Region {
    /// Plans the parts of a target where most texels are inside, and programs are drawn.
    pub(super) fn new(
        programs: &Programs<Variant>,
        layout: &Layout,
        inside: &Inside,
    ) -> Result<Region> {
        let inner = layout.rectangles(inside);
        let texels = |all: &[Rectangle]| all.iter().map(|one| one.texels()).sum::<usize>();
        if programs.engine() == Engine::Compute || 2 * texels(&inner) <= layout.extent().texels() {
            return Ok(Region { parts: None });
        }
        let outer = around(layout.extent(), &inner);
        let tiles = |all: &[Rectangle]| Tiles::new(programs.context(), all);
        Ok(Region { parts: Some([tiles(&inner)?, tiles(&outer)?]) })
    }

    /// Calls with each part of the target, and whether all its texels are inside.
    pub(super) fn each(
        &self,
        mut draw: impl FnMut(bool, Geometry<'_>) -> Result<()>,
    ) -> Result<()> {
        match &self.parts {
            None => draw(false, Geometry::Full),
            Some([inner, outer]) => {
                draw(true, Geometry::Tiles(inner))?;
                draw(false, Geometry::Tiles(outer))
            }
        }
    }
}

/// Returns the rectangles of an extent that these leave, which are in columns side by side, each from the lowest up.
fn around(extent: Extent, inner: &[Rectangle]) -> Vec<Rectangle> {
    let Extent { width, height } = extent;
    let (mut outer, mut x) = (Vec::new(), 0);
    for column in inner.chunk_by(|one, next| one.x == next.x) {
        let Rectangle { x: from, width: wide, .. } = column[0];
        outer.push(Rectangle::new(x, 0, from - x, height));
        let mut y = 0;
        for part in column {
            outer.push(Rectangle::new(from, y, wide, part.y - y));
            y = part.y + part.height;
        }
        outer.push(Rectangle::new(from, y, wide, height - y));
        x = from + wide;
    }
    outer.push(Rectangle::new(x, 0, width - x, height));
    outer.retain(|one| one.texels() > 0);
    outer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_and_what_is_inside_are_all_texels_once() {
        let extent = Extent::new(9, 11);
        let inner = [
            Rectangle::new(1, 2, 2, 3),
            Rectangle::new(1, 6, 2, 5),
            Rectangle::new(4, 0, 3, 4),
            Rectangle::new(4, 4, 3, 1),
        ];
        let mut times = [[0; 9]; 11];
        for one in around(extent, &inner).iter().chain(&inner) {
            for row in &mut times[one.y as usize..(one.y + one.height) as usize] {
                row[one.x as usize..(one.x + one.width) as usize].iter_mut().for_each(|n| *n += 1);
            }
        }
        assert_eq!(times, [[1; 9]; 11]);
        assert_eq!(texels_of(1..15), 1..3);
        assert_eq!(texels_of(0..16), 0..4);
        assert_eq!(texels_of(1..3), 1..1);
    }
}
