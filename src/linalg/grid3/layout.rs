//! Where the points of a grid are in a texture: `glsl/include/grid3.glsl` says the same to shaders.

use std::ops::Range;

use crate::data::Grid3;
use crate::gl::{self, Context, Error, Result, Value};
use crate::grid::GridShape;
use crate::{Extent, Rectangle};

/// A grid in one texture, in stacks of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Layout {
    pub(super) grid: Grid3,
    /// The slices of a stack.
    slices: usize,
}

impl Layout {
    /// Plans the fewest stacks, of nearly equal heights.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] for a grid that a texture of the device does not hold.
    pub(super) fn new(context: &Context, grid: Grid3) -> Result<Layout> {
        let limit = context.abilities().max_texture_size as usize;
        let [x, y, z] = grid.points();
        let stacks = |slices: usize| z.div_ceil(slices);
        let most = z.min(limit / y);
        let fits = most > 0 && x.div_ceil(4).saturating_mul(stacks(most)) <= limit;
        match fits {
            true => Ok(Layout { grid, slices: z.div_ceil(stacks(most)) }),
            false => Err(too_large(grid, limit, 1)),
        }
    }

    /// Returns why the slices of one of several ranks, which must be one stack, are not.
    pub(super) fn too_high(&self, context: &Context) -> gl::Error {
        let limit = context.abilities().max_texture_size as usize;
        let [_, y, z] = self.grid.points();
        Error::TooLarge {
            what: format!("{z} slices of {y} lines, which a rank stores"),
            request: format!("{} lines in one texture", y * z),
            limit: limit as u64,
            remedy: format!("use more ranks: {} slices fit, those of the halo included", limit / y),
        }
    }

    /// Refuses a grid of which a texture does not hold so many numbers a point.
    pub(super) fn must_hold(&self, context: &Context, numbers: usize) -> Result<()> {
        let limit = context.abilities().max_texture_size as usize;
        match self.extent().width as usize * numbers <= limit {
            true => Ok(()),
            false => Err(too_large(self.grid, limit, numbers)),
        }
    }

    /// Returns the shape of vectors.
    pub(super) fn shape(&self) -> GridShape {
        let [x, y, z] = self.grid.points();
        GridShape::new(x, y * z).in_stacks(self.slices * y)
    }

    /// Returns the extent of a vector in texels.
    pub(super) fn extent(&self) -> Extent {
        self.shape().texels()
    }

    /// Returns the extent of some vectors side by side.
    pub(super) fn extent_of(&self, vectors: usize) -> Extent {
        let Extent { width, height } = self.extent();
        Extent::new(width * vectors as u32, height)
    }

    /// Returns the place of a vector among some side by side.
    pub(super) fn place(&self, index: usize) -> Rectangle {
        let Extent { width, height } = self.extent();
        Rectangle::new(width * index as u32, 0, width, height)
    }

    /// Returns the rectangles of texels at some places: for each stack, slice by slice.
    pub(super) fn rectangles(&self, [x, y, z]: &[Range<usize>; 3]) -> Vec<Rectangle> {
        let [width, height, depth] = self.grid.points();
        let row = width.div_ceil(4);
        let mut all = Vec::new();
        for first in (0..depth).step_by(self.slices) {
            let (stack, last) = (first / self.slices, (first + self.slices).min(depth));
            for slice in first.max(z.start)..last.min(z.end) {
                let (left, low) = (stack * row + x.start, (slice - first) * height + y.start);
                let (wide, high) = (x.len() as u32, y.len() as u32);
                all.push(Rectangle::new(left as u32, low as u32, wide, high));
            }
        }
        all.retain(|one| one.texels() > 0);
        all
    }

    /// Returns whether there are several stacks.
    pub(super) fn has_stacks(&self) -> bool {
        self.slices < self.grid.points()[2]
    }

    /// Returns the four numbers that shaders know a grid by.
    pub(super) fn uniform(&self) -> Value {
        let [x, y, z] = self.grid.points();
        [x.div_ceil(4) as i32, y as i32, z as i32, self.slices as i32].into()
    }

    /// Returns the points of a line.
    pub(super) fn width(&self) -> i32 {
        self.grid.points()[0] as i32
    }

    /// Returns the texels of a vector along x.
    pub(super) fn across(&self) -> i32 {
        self.extent().width as i32
    }
}

fn too_large(grid: Grid3, limit: usize, numbers: usize) -> gl::Error {
    // Cubes: of a side s there are limit / s slices in a stack, of s / 4 texels each.
    let holds = |side: usize| {
        let stacks = side.div_ceil((limit / side).max(1));
        side <= limit && side.div_ceil(4) * stacks * numbers <= limit
    };
    let most = (1..=limit).take_while(|side| holds(*side)).last().unwrap_or(0);
    Error::TooLarge {
        what: match numbers {
            1 => format!("a grid of {grid} points"),
            numbers => format!("{numbers} numbers at each point of a grid of {grid}"),
        },
        request: "one texture".into(),
        limit: limit as u64,
        remedy: format!("a cube of {most} points along each side would fit"),
    }
}
