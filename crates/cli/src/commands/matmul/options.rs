//! The method and its options, as arguments.

use std::str::FromStr;

use clap::{Args, ValueEnum};

use quadrille::linalg::matmul::{self, Cell, Cover, Error, Mapping, Method, OperandReads, Tile};
use quadrille::stream::Order;

/// An option that the method does not have is an error, so none is ignored.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub(super) struct Options {
    /// The method: one of `quadrille matmul --list`, or auto
    #[arg(long, value_name = "METHOD", default_value = AUTO)]
    method: MethodName,

    /// Drawn methods: steps along the inner dimension per loop iteration, 1 to 1023
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,

    /// element, cp, sp: the number of passes, each of which adds to the sums of the previous one
    #[arg(long, value_name = "N")]
    passes: Option<u32>,

    /// compute-blocked: the number of parts of the inner dimension computed at the same time
    #[arg(long, value_name = "N")]
    split: Option<u32>,

    /// The elements of C per quad (drawn methods) or work group (compute); must divide C
    #[arg(long, value_name = "WxH")]
    tile: Option<Tile>,

    /// Drawn methods: the order of tiles: rows, columns, morton, hilbert
    #[arg(long, value_name = "ORDER")]
    order: Option<Order>,

    /// Drawn methods: the shape drawn over C if not tiles: quad, triangle [default: triangle]
    #[arg(long, value_name = "COVER")]
    cover: Option<Cover>,

    /// Drawn methods: the operands that are stored transposed [default: b]
    #[arg(long, value_name = "WHICH")]
    transpose: Option<Transpose>,

    /// Drawn methods: unused texels at the end of each row [default: 5]
    #[arg(long, value_name = "TEXELS")]
    padding: Option<u32>,

    /// Drawn methods: cut textures into strips of this width, one below the other, so that blocks
    /// of the matrix are adjacent; a multiple of what a trip of the loop reads [default: 0, whole]
    #[arg(long, value_name = "TEXELS")]
    strips: Option<u32>,

    /// The elements per texel of an operand: 1 or 4 (element), 4 or 2x2 (block4x4)
    #[arg(long, value_name = "CELL")]
    cell: Option<Cell>,

    /// Drawn methods: how operands are read: fetch, sample, or buffer (blocks stored in buffers)
    #[arg(long, value_name = "READS")]
    reads: Option<OperandReads>,
}

const AUTO: &str = "auto";

/// A method, or none for the best one known.
#[derive(Clone, Copy)]
struct MethodName(Option<Method>);

impl FromStr for MethodName {
    type Err = Error;

    fn from_str(text: &str) -> Result<MethodName, Error> {
        match text {
            AUTO => Ok(MethodName(None)),
            name => Ok(MethodName(Some(name.parse()?))),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Transpose {
    A,
    B,
    Both,
    None,
}

impl From<&Options> for matmul::Options {
    fn from(arguments: &Options) -> matmul::Options {
        let mut options = matmul::Options::new();
        options.method = arguments.method.0;
        options.unroll = arguments.unroll;
        options.passes = arguments.passes;
        options.split = arguments.split;
        options.tile = arguments.tile;
        options.order = arguments.order;
        options.cover = arguments.cover;
        options.mapping = arguments.mapping();
        options.cell = arguments.cell;
        options.reads = arguments.reads;
        options
    }
}

impl Options {
    /// The mapping of the operands; parts of it that are not set have their defaults.
    fn mapping(&self) -> Option<Mapping> {
        if self.transpose.is_none() && self.padding.is_none() && self.strips.is_none() {
            return None;
        }
        let usual = Mapping::DEFAULT;
        let transposed = |which, usual| match self.transpose {
            Some(asked) => asked == which || asked == Transpose::Both,
            None => usual,
        };
        Some(Mapping {
            a_transposed: transposed(Transpose::A, usual.a_transposed),
            b_transposed: transposed(Transpose::B, usual.b_transposed),
            padding: self.padding.unwrap_or(usual.padding),
            strips: self.strips.unwrap_or(usual.strips),
        })
    }
}
