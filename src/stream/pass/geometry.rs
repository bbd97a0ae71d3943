//! The texels that a pass writes.

use crate::error::named;
use crate::gl::{self, Buffer, Context};
use crate::{Extent, NoMemory, Rectangle, memory};

use crate::stream::Result;

/// The texels that a pass writes, and the primitives that cover them.
///
/// ```
/// use quadrille::{Context, Extent, Rectangle, Source, stream::Geometry};
/// let context = Context::headless()?;
/// let one = context.kernel(Source::fragment("one.frag", "out float y; void main() { y = 1.0; }"))?;
/// let mut y = context.uninit::<f32>(Extent::new(4, 2))?;
/// y.fill(0.0)?;
/// one.pass().over(Geometry::Rectangle(Rectangle::new(1, 0, 2, 1))).draw(&mut y)?;
/// one.pass().over(Geometry::Column(3)).draw(&mut y)?;
/// assert_eq!(y.read()?, [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Geometry<'a> {
    /// All of the target, as one quad.
    Full,
    /// All of the target, as one triangle that extends beyond it, so that no fragment is on a
    /// diagonal.
    Triangle,
    /// A rectangle, as one quad.
    Rectangle(Rectangle),
    /// A column, as a quad one texel wide.
    Column(u32),
    /// A column, as a line through the centres of its texels. OpenGL does not specify exactly which
    /// texels a line covers, and devices differ: [`Geometry::Column`] is exact everywhere.
    Line(u32, LineDirection),
    /// Many quads, in the order of the list.
    Tiles(&'a Tiles),
    /// Draws this number of points. Your own vertex shader
    /// ([`Kernel::new`](crate::stream::Kernel::new)) computes the position of each from
    /// `gl_VertexID`, and sets `gl_PointSize` to 1, which OpenGL ES requires.
    Points(u32),
}

/// The direction of a line. Devices differ in which of its ends loses a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineDirection {
    /// Upwards: from the first row to the last.
    Up,
    /// Downwards: from the last row to the first.
    Down,
}

impl LineDirection {
    /// The list of both directions.
    pub const ALL: [LineDirection; 2] = [LineDirection::Up, LineDirection::Down];
}

/// The order of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// Row by row.
    Rows,
    /// Column by column.
    Columns,
    /// The tiles follow a Morton (Z) curve.
    Morton,
    /// The tiles follow a Hilbert curve.
    Hilbert,
}

named!(Order: "order" {
    Rows: "rows",
    Columns: "columns",
    Morton: "morton",
    Hilbert: "hilbert",
});

/// A list of rectangles on the device.
pub struct Tiles {
    pub(super) rectangles: Buffer<[f32; 4]>,
    /// The smallest extent that contains all of them.
    pub(super) reach: Extent,
}

impl Tiles {
    /// Uploads rectangles, to be drawn in this order.
    ///
    /// # Errors
    ///
    /// Errors of the device, such as out of memory.
    pub fn new(context: &Context, rectangles: &[Rectangle]) -> Result<Tiles> {
        let corners = rectangles.iter().map(|tile| corners(*tile));
        let corners = memory::collected(rectangles.len(), corners).map_err(gl::Error::from)?;
        let reach = rectangles.iter().fold(Extent::default(), |reach, tile| {
            Extent::new(
                reach.width.max(tile.x.saturating_add(tile.width)),
                reach.height.max(tile.y.saturating_add(tile.height)),
            )
        });
        Ok(Tiles { rectangles: context.buffer(&corners)?, reach })
    }
}

/// Returns the corners of a rectangle, which saturate, since the rectangle is checked against the
/// target only later.
pub(super) fn corners(rectangle: Rectangle) -> [f32; 4] {
    let Rectangle { x, y, width, height } = rectangle;
    [x as f32, y as f32, x.saturating_add(width) as f32, y.saturating_add(height) as f32]
}

/// Returns tiles that cover each texel of an extent once, in this order. Those at the far edges are cut
/// off.
///
/// # Errors
///
/// [`NoMemory`] for as many tiles as there are.
pub fn cover(extent: Extent, tile: Extent, order: Order) -> Result<Vec<Rectangle>, NoMemory> {
    let (wide, high) = (tile.width.max(1), tile.height.max(1));
    let (columns, rows) = (extent.width.div_ceil(wide), extent.height.div_ceil(high));
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let count = (rows as usize).saturating_mul(columns as usize);
    let mut places: Vec<(u32, u32)> = memory::collected(count, places)?;
    let side = columns.max(rows).next_power_of_two();
    match order {
        Order::Rows => {}
        Order::Columns => places.sort_unstable_by_key(|&(column, row)| (column, row)),
        Order::Morton => places.sort_unstable_by_key(|&(column, row)| morton(column, row)),
        Order::Hilbert => places.sort_unstable_by_key(|&(column, row)| hilbert(side, column, row)),
    }
    let cut = |start: u32, length: u32, limit: u32| length.min(limit - start);
    let tiles =
        places.into_iter().map(|(column, row)| (column * wide, row * high)).map(|(x, y)| {
            Rectangle::new(x, y, cut(x, wide, extent.width), cut(y, high, extent.height))
        });
    memory::collected(count, tiles)
}

/// Returns the position of a tile on the Morton curve: the interleaved bits of its coordinates.
fn morton(x: u32, y: u32) -> u64 {
    (0..32).fold(0, |code, bit| {
        let bits = u64::from(x >> bit & 1) | u64::from(y >> bit & 1) << 1;
        code | bits << (2 * bit)
    })
}

/// Returns the position of a tile on the Hilbert curve over a square whose side is a power of two:
/// from the largest quadrant down, each rotated into the frame of the one before (Hilbert, 1891).
fn hilbert(side: u32, mut x: u32, mut y: u32) -> u64 {
    let mut place = 0;
    let mut half = side / 2;
    while half > 0 {
        let (right, up) = (u32::from(x & half > 0), u32::from(y & half > 0));
        place += u64::from(half) * u64::from(half) * u64::from((3 * right) ^ up);
        if up == 0 {
            if right == 1 {
                (x, y) = ((half - 1).wrapping_sub(x), (half - 1).wrapping_sub(y));
            }
            (x, y) = (y, x);
        }
        (x, y) = (x & (half.max(1) - 1), y & (half.max(1) - 1));
        half /= 2;
    }
    place
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_order_covers_each_texel_once() {
        for (width, height, tile) in [(1, 1, 1), (7, 5, 2), (16, 16, 4), (13, 31, 5), (3, 3, 9)] {
            for order in Order::ALL {
                let mut seen = vec![0; (width * height) as usize];
                for r in cover(Extent::new(width, height), Extent::new(tile, tile), order).unwrap()
                {
                    for y in r.y..r.y + r.height {
                        for x in r.x..r.x + r.width {
                            seen[(y * width + x) as usize] += 1;
                        }
                    }
                }
                assert!(seen.iter().all(|count| *count == 1), "{width} x {height}, {order:?}");
            }
        }
    }

    #[test]
    fn a_hilbert_curve_moves_one_cell_at_a_time() {
        let tiles = cover(Extent::new(16, 16), Extent::new(1, 1), Order::Hilbert).unwrap();
        for pair in tiles.windows(2) {
            let step = pair[0].x.abs_diff(pair[1].x) + pair[0].y.abs_diff(pair[1].y);
            assert_eq!(step, 1, "{} to {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn a_morton_curve_goes_in_zs() {
        let tiles = cover(Extent::new(4, 2), Extent::new(1, 1), Order::Morton).unwrap();
        let places: Vec<_> = tiles.iter().map(|tile| (tile.x, tile.y)).collect();
        assert_eq!(places, [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (2, 1), (3, 1)]);
    }
}
