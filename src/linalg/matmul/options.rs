//! The options of a multiplication.

mod ability;
pub(super) mod choice;
pub(super) mod method;
mod specified;
mod text;

use crate::shader::Reads;
use crate::stream::Order;

use super::Method;

/// A method and its options. Options that are not set are chosen for the device and the sizes.
///
/// An option that the method does not have is an error, so none is ignored. The text form is one
/// line that can be parsed back, such as `block8x8 reads=sample unroll=8 padding=5 b=transposed`;
/// `auto` means no method.
///
/// ```
/// use quadrille::linalg::matmul::{Cell, Method, Options};
/// let options = Options::from(Method::Element).cell(Cell::Four).unroll(8);
/// assert_eq!(options.to_string(), "element unroll=8 cell=4");
/// assert_eq!(options.method, Some(Method::Element));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// The method.
    pub method: Option<Method>,
    /// The number of steps along k in one iteration of the inner loop of drawn methods, 1 to 1023.
    pub unroll: Option<u32>,
    /// The number of passes of `element`, `cp`, `sp`, `block8x8` and `block16x8`, each of which
    /// adds to the sums of the one before. There are more on a device that ends long loops early.
    pub passes: Option<u32>,
    /// The number of parts of k that work groups of `compute-blocked` compute at the same time, at
    /// most as many as there are tiles along k; their sums are added in the order of k. Small
    /// products are split by default on hardware.
    pub split: Option<u32>,
    /// The elements of C in a tile: a quad of drawn methods, a work group of compute methods. It
    /// must divide C (and the inner dimension, for `compute-shared`).
    pub tile: Option<Tile>,
    /// The order of tiles, for drawn methods.
    pub order: Option<Order>,
    /// The primitive that covers C, for drawn methods without tiles.
    pub cover: Option<Cover>,
    /// The layout of the operands, for drawn methods.
    pub mapping: Option<Mapping>,
    /// The elements in a texel of an operand, for `element` and `block4x4`.
    pub cell: Option<Cell>,
    /// The way in which texels are read, for drawn methods.
    pub reads: Option<OperandReads>,
}

/// The size of a tile in elements of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Their names say it.
pub struct Tile {
    pub width: u32,
    pub height: u32,
}

/// The storage of the operands, and how a fragment reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OperandReads {
    /// The operands are textures, which are read in this way.
    Texture(Reads),
    /// The operands are storage buffers, which only `block8x8` and `block16x8` read.
    Buffer,
}

/// The layout of the operands in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// Whether A is transposed: the inner dimension k runs along y, not x.
    pub a_transposed: bool,
    /// Whether B is transposed: the inner dimension k runs along x, not y.
    pub b_transposed: bool,
    /// Unused texels at the end of each row. Rows whose width is a power of two share few sets of a
    /// cache; padding spreads them.
    pub padding: u32,
    /// The width in texels of the strips into which the texture is cut, one below the other, so
    /// that blocks of the matrix are adjacent; 0 leaves it whole. A multiple of the texels that a
    /// trip of the loop along k reads.
    pub strips: u32,
}

/// The primitive that covers C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cover {
    /// A quad of two triangles: some fragments on its diagonal are computed twice.
    Quad,
    /// A triangle that extends beyond C.
    Triangle,
}

/// The elements in a texel of an operand, rows by columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cell {
    /// A single element.
    One,
    /// Four elements, along the inner dimension for `element` (A 1 x 4, B 4 x 1), across it for
    /// blocks (A 4 x 1, B 1 x 4).
    Four,
    /// 2 x 2 elements.
    Square,
}

impl Mapping {
    /// The default: k along x in both operands, and rows whose width is not a power of two
    /// (docs/measured.md).
    pub const DEFAULT: Mapping =
        Mapping { a_transposed: false, b_transposed: true, padding: 5, strips: 0 };
}

/// The most steps that `glsl/include/unroll.glsl` can repeat.
pub(super) const MAX_UNROLL: u32 = 1023;

impl From<Method> for Options {
    fn from(method: Method) -> Options {
        Options { method: Some(method), ..Options::default() }
    }
}

impl Options {
    /// Returns the fastest method known for the device and the sizes.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets the method.
    pub fn method(self, method: Method) -> Options {
        Options { method: Some(method), ..self }
    }

    /// Sets the steps along k in one iteration of the inner loop.
    pub fn unroll(self, steps: u32) -> Options {
        Options { unroll: Some(steps), ..self }
    }

    /// Sets the number of passes.
    pub fn passes(self, passes: u32) -> Options {
        Options { passes: Some(passes), ..self }
    }

    /// Sets the number of parts along k.
    pub fn split(self, parts: u32) -> Options {
        Options { split: Some(parts), ..self }
    }

    /// Sets the size of tiles.
    pub fn tile(self, tile: Tile) -> Options {
        Options { tile: Some(tile), ..self }
    }

    /// Sets the order of tiles.
    pub fn order(self, order: Order) -> Options {
        Options { order: Some(order), ..self }
    }

    /// Sets the primitive that covers C.
    pub fn cover(self, cover: Cover) -> Options {
        Options { cover: Some(cover), ..self }
    }

    /// Sets the layout of the operands.
    pub fn mapping(self, mapping: Mapping) -> Options {
        Options { mapping: Some(mapping), ..self }
    }

    /// Sets the elements in a texel of an operand.
    pub fn cell(self, cell: Cell) -> Options {
        Options { cell: Some(cell), ..self }
    }

    /// Sets the way of reading operands.
    pub fn reads(self, reads: OperandReads) -> Options {
        Options { reads: Some(reads), ..self }
    }
}
