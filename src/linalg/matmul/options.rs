//! What can be chosen beside the method. What is left open is chosen for the device.

use crate::shader::Reads;
use crate::stream::Order;

use super::Method;

/// A method and its options.
///
/// As text it is one line, `block8x8 reads=sample unroll=8 padding=5 b=transposed`, which can be read
/// back; what is left open is left out, and a method that is left open is `auto`.
///
/// An option that the method does not have is an error, so that none is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options {
    /// The method; the best known for the device and the sizes where left open.
    pub method: Option<Method>,
    /// Drawn methods: steps along k in one trip of the inner loop.
    pub unroll: Option<u32>,
    /// `element`, `cp`, `sp`, `block8x8`, `block16x8`: passes, the sums so far handed from one to the
    /// next. There are more where a device ends long loops early.
    pub passes: Option<u32>,
    /// Elements of C in a tile: a quad of drawn methods, a work group of compute methods. It must
    /// divide C (and the inner dimension, for `compute-shared`).
    pub tile: Option<Tile>,
    /// Drawn methods: the order of tiles.
    pub order: Option<Order>,
    /// Drawn methods: what is drawn over C where it is not tiles.
    pub cover: Option<Cover>,
    /// Drawn methods: how the operands lie.
    pub mapping: Option<Mapping>,
    /// `element`: how many of the inner dimension share a texel; `block4x4`: what a texel holds.
    pub cell: Option<Cell>,
    /// Drawn methods: how texels are read.
    pub reads: Option<OperandReads>,
}

/// Elements of C: wide and high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Their names say it.
pub struct Tile {
    pub width: u32,
    pub height: u32,
}

/// Where operands lie and how a fragment reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandReads {
    /// In textures, read in this way.
    Texture(Reads),
    /// In storage buffers (blocks that are stored in buffers only).
    Buffer,
}

/// How the rows of a matrix lie in a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// A lies transposed: the inner dimension k runs along y, not x.
    pub a_transposed: bool,
    /// B lies transposed: the inner dimension k runs along x, not y.
    pub b_transposed: bool,
    /// Texels at the end of each row that hold nothing. Rows of a power of two wide meet in few
    /// sets of a cache; a few texels more spread them.
    pub padding: u32,
}

/// What is drawn over all of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cover {
    /// One quad, of two triangles: fragments on its diagonal are, in part, worked out twice.
    Quad,
    /// One triangle that reaches over C.
    Triangle,
}

/// What a texel of an operand holds, rows by columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// One element.
    One,
    /// Four elements, along the inner dimension for `element` (A 1 x 4, B 4 x 1), across it for
    /// blocks (A 4 x 1, B 1 x 4).
    Four,
    /// 2 x 2 elements.
    Square,
}

impl Mapping {
    /// What is taken where none is named: k along x in both operands, and rows that are no power of
    /// two wide (docs/measured.md).
    pub const USUAL: Mapping = Mapping { a_transposed: false, b_transposed: true, padding: 5 };
}

/// The most steps that `glsl/include/unroll.glsl` can repeat.
pub(super) const MAX_UNROLL: u32 = 1023;

impl From<Method> for Options {
    fn from(method: Method) -> Options {
        Options { method: Some(method), ..Options::default() }
    }
}

impl Options {
    /// The best method known for the device and the sizes.
    pub fn auto() -> Options {
        Options::default()
    }

    /// With these steps along k in one trip of the inner loop.
    #[must_use]
    pub fn unroll(self, steps: u32) -> Options {
        Options { unroll: Some(steps), ..self }
    }

    /// With these passes.
    #[must_use]
    pub fn passes(self, passes: u32) -> Options {
        Options { passes: Some(passes), ..self }
    }

    /// With tiles of these elements of C.
    #[must_use]
    pub fn tile(self, tile: Tile) -> Options {
        Options { tile: Some(tile), ..self }
    }

    /// With tiles in this order.
    #[must_use]
    pub fn order(self, order: Order) -> Options {
        Options { order: Some(order), ..self }
    }

    /// With this drawn over C.
    #[must_use]
    pub fn cover(self, cover: Cover) -> Options {
        Options { cover: Some(cover), ..self }
    }

    /// With the operands mapped in this way.
    #[must_use]
    pub fn mapping(self, mapping: Mapping) -> Options {
        Options { mapping: Some(mapping), ..self }
    }

    /// With these texels.
    #[must_use]
    pub fn cell(self, cell: Cell) -> Options {
        Options { cell: Some(cell), ..self }
    }

    /// With texels read in this way.
    #[must_use]
    pub fn reads(self, reads: OperandReads) -> Options {
        Options { reads: Some(reads), ..self }
    }
}
