//! Sizes: a [`Shape`] is rows x columns of elements, an [`Extent`] width x height in texels. The
//! types differ so that neither is taken for the other.

use std::fmt;

/// The shape of a matrix: rows first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
}

impl Shape {
    /// Creates a shape of `rows` by `cols`.
    pub fn new(rows: usize, cols: usize) -> Self {
        Shape { rows, cols }
    }

    /// Returns the number of elements; `None` where a `usize` cannot count them.
    pub fn len(self) -> Option<usize> {
        self.rows.checked_mul(self.cols)
    }

    /// Returns whether it has no element.
    pub fn is_empty(self) -> bool {
        self.rows == 0 || self.cols == 0
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.rows, self.cols)
    }
}

/// The extent of a texture in texels: width first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extent {
    /// The number of texels along x.
    pub width: u32,
    /// The number of texels along y.
    pub height: u32,
}

impl Extent {
    /// Creates an extent of `width` by `height` texels.
    pub fn new(width: u32, height: u32) -> Self {
        Extent { width, height }
    }

    /// Returns the number of texels, or the greatest number where that is none of the host's.
    pub fn texels(self) -> usize {
        (self.width as usize).saturating_mul(self.height as usize)
    }

    /// Returns the number of levels of a texture: the last has one texel.
    pub(crate) fn levels(self) -> u32 {
        self.width.max(self.height).checked_ilog2().unwrap_or(0) + 1
    }

    /// Returns the extent of a level, half that of the level before, rounded down.
    pub(crate) fn level(self, level: u32) -> Extent {
        let half = |side: u32| side.checked_shr(level).unwrap_or(0).max(1);
        Extent { width: half(self.width), height: half(self.height) }
    }

    /// Returns the rectangle that covers all of it.
    pub fn rectangle(self) -> Rectangle {
        Rectangle { x: 0, y: 0, width: self.width, height: self.height }
    }
}

/// Reads lengths as people write them: `640x480` or `640x480x3`; `None` where one is 0 or no
/// number.
///
/// ```
/// use quadrille::data::sides;
/// assert_eq!(sides("640x480"), Some(vec![640, 480]));
/// assert_eq!(sides("640x0"), None);
/// ```
pub fn sides(text: &str) -> Option<Vec<u32>> {
    let sides = text.split('x').map(|side| side.parse().ok().filter(|side| *side > 0));
    sides.collect()
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.width, self.height)
    }
}

/// A rectangle of texels. Row 0 is the first row that was uploaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rectangle {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// The number of texels along x.
    pub width: u32,
    /// The number of texels along y.
    pub height: u32,
}

impl Rectangle {
    /// Creates a rectangle of `width` by `height` texels whose first texel is (`x`, `y`).
    pub fn new(x: u32, y: u32, width: u32, height: u32) -> Self {
        Rectangle { x, y, width, height }
    }

    /// Returns the number of texels in it.
    pub fn texels(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns the intersection of two rectangles; empty where they have no texel in common.
    pub fn common(self, other: Rectangle) -> Rectangle {
        let shared = |a: u32, a_length: u32, b: u32, b_length: u32| {
            let start = a.max(b);
            (start, (a + a_length).min(b + b_length).max(start) - start)
        };
        let (x, width) = shared(self.x, self.width, other.x, other.width);
        let (y, height) = shared(self.y, self.height, other.y, other.height);
        Rectangle { x, y, width, height }
    }

    /// Returns whether it is inside a texture of this extent.
    pub fn fits(self, extent: Extent) -> bool {
        let inside = |start: u32, length: u32, limit: u32| {
            start.checked_add(length).is_some_and(|end| end <= limit)
        };
        inside(self.x, self.width, extent.width) && inside(self.y, self.height, extent.height)
    }
}

impl fmt::Display for Rectangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {} texels at ({}, {})", self.width, self.height, self.x, self.y)
    }
}
