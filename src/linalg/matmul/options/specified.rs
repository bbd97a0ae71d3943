//! The options of a product as data.

use crate::linalg::matmul::{Method, Options};
use crate::options::{Entry, Error, Kind, OptionSpec, Specified};

const METHODS: Kind = Kind::Name(&[
    ("auto", "the fastest that is known for the device and the sizes"),
    ("serial", "three loops on one core"),
    ("element", "an element of C for each fragment"),
    ("cp", "column packed: four elements of a column (Larsen and McAllister 2001)"),
    ("sp", "submatrix packed: 2 x 2 elements (Hall, Carr and Hart 2003)"),
    ("block4x4", "4 x 4 elements for each fragment, in four render targets"),
    ("block8x4", "8 x 4 elements, in eight render targets"),
    ("block8x8", "8 x 8 elements, stored in a buffer"),
    ("block16x8", "16 x 8 elements, stored in a buffer"),
    ("compute-simple", "an element for each invocation of a compute shader"),
    ("compute-tiled", "the same, with a work group for each tile of C"),
    ("compute-shared", "the same, with tiles of A and B in shared memory"),
    ("compute-blocked", "large tiles in shared memory, and a block of C in registers"),
]);

const ORDERS: Kind = Kind::Name(&[("rows", ""), ("columns", ""), ("morton", ""), ("hilbert", "")]);

const COVERS: Kind = Kind::Name(&[
    ("quad", "two triangles"),
    ("triangle", "one that extends beyond C, which is the default"),
]);

const TRANSPOSED: Kind =
    Kind::Name(&[("a", ""), ("b", "which is the default"), ("both", ""), ("none", "")]);

const READS: Kind = Kind::Name(&[
    ("fetch", "by the index of a texel"),
    ("sample", "at the centre of a texel"),
    ("buffer", "blocks that are stored in buffers"),
]);

/// An option that is chosen where it is not set.
const fn open(name: &'static str, kind: Kind, help: &'static str) -> OptionSpec {
    OptionSpec::new(name, kind, "", help)
}

/// An option that the method does not have is an error, so none is ignored.
impl Specified for Options {
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new("method", METHODS, "auto", "The method"),
        open(
            "unroll",
            Kind::Integer { least: 1 },
            "Drawn methods: steps along the inner dimension for each iteration of the loop, at most 1023",
        ),
        open(
            "passes",
            Kind::Integer { least: 1 },
            "element, cp, sp, block8x8, block16x8: the number of passes, each of which adds to the sums of the one before",
        ),
        open(
            "split",
            Kind::Integer { least: 1 },
            "compute-blocked: the number of parts of the inner dimension that are computed at the same time",
        ),
        open(
            "tile",
            Kind::Text("a width and a height of at least 1, as in 16x8"),
            "The elements of C in a quad (drawn methods) or a work group (compute); a tile must divide C",
        ),
        open("order", ORDERS, "Drawn methods: the order of tiles"),
        open("cover", COVERS, "Drawn methods: the shape that is drawn over C without tiles"),
        open("transpose", TRANSPOSED, "Drawn methods: the operands that are stored transposed"),
        open(
            "padding",
            Kind::Integer { least: 0 },
            "Drawn methods: unused texels at the end of each row, 5 by default",
        ),
        open(
            "strips",
            Kind::Integer { least: 0 },
            "Drawn methods: cut textures into strips of so many texels, one below the other, so that blocks of the matrix are adjacent; \
             a multiple of what an iteration of the loop reads, or 0 for none",
        ),
        open(
            "cell",
            Kind::Name(&[("1", ""), ("4", ""), ("2x2", "")]),
            "The elements in a texel of an operand: 1 or 4 (element), 4 or 2x2 (block4x4)",
        ),
        open("reads", READS, "Drawn methods: how operands are read"),
    ];

    fn set(&mut self, option: &OptionSpec, value: &dyn Entry) -> Result<(), Error> {
        match option.name {
            "method" => self.method = method(option, value)?,
            "unroll" => self.unroll = Some(option.small(value)?),
            "passes" => self.passes = Some(option.small(value)?),
            "split" => self.split = Some(option.small(value)?),
            "tile" => self.tile = Some(option.parsed(value)?),
            "order" => self.order = Some(option.parsed(value)?),
            "cover" => self.cover = Some(option.parsed(value)?),
            "transpose" => {
                let which = option.name_of(value)?;
                let mapping = self.mapping_mut();
                mapping.a_transposed = matches!(which, "a" | "both");
                mapping.b_transposed = matches!(which, "b" | "both");
            }
            "padding" => self.mapping_mut().padding = option.small(value)?,
            "strips" => self.mapping_mut().strips = option.small(value)?,
            "cell" => self.cell = Some(option.parsed(value)?),
            "reads" => self.reads = Some(option.parsed(value)?),
            _ => {}
        }
        Ok(())
    }
}

fn method(option: &OptionSpec, value: &dyn Entry) -> Result<Option<Method>, Error> {
    match option.name_of(value)? {
        "auto" => Ok(None),
        _ => option.parsed(value).map(Some),
    }
}
