//! The walk's shaders, made for one layout: its numbers are constants there, so that loops have
//! known ends and a formula that needs no wrapping pays nothing for it.

use quadrille::gl::Context;
use quadrille::shader::{Reads, Source, Stage};
use quadrille::stream::{Kernel, Result};

use super::layout::Layout;
use crate::cnf::Cnf;
use crate::shaders::SHADERS;

/// The passes.
pub(super) struct WalkPasses {
    pub(super) fresh: Kernel,
    pub(super) evaluate: Kernel,
    pub(super) fold_clauses: Kernel,
    pub(super) fold_blocks: Kernel,
    pub(super) solved: Kernel,
    pub(super) choose: Kernel,
    pub(super) slice: Kernel,
    pub(super) flip: Kernel,
    pub(super) extract: Kernel,
    pub(super) tally: Kernel,
}

/// Returns every shader of the walk, in every variant.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    // The texts differ by their numbers, and by whether clauses are longer than three.
    for clause in [&[1, 2][..], &[1, 2, 3, 4]] {
        let Ok(layout) = Cnf::new(4, [clause]).map(|cnf| Layout::new(&cnf, 1, 1024)) else {
            continue;
        };
        for pass in PASSES {
            if let Ok(layout) = &layout {
                sources.push(source(layout, pass)?);
            }
        }
    }
    Ok(sources)
}

/// The items that a shader's masks describe.
#[derive(Clone, Copy)]
enum Of {
    Clauses,
    Blocks,
    Tops,
}

/// A shader, and the items that its masks describe.
type Pass = (&'static str, Of);

const FRESH: Pass = ("sat/fresh.frag", Of::Clauses);
const EVALUATE: Pass = ("sat/evaluate.frag", Of::Clauses);
const FOLD_CLAUSES: Pass = ("sat/fold.frag", Of::Clauses);
const FOLD_BLOCKS: Pass = ("sat/fold.frag", Of::Blocks);
const SOLVED: Pass = ("sat/solved.frag", Of::Tops);
const CHOOSE: Pass = ("sat/choose.frag", Of::Clauses);
const SLICE: Pass = ("sat/slice.frag", Of::Clauses);
const FLIP: Pass = ("sat/flip.frag", Of::Clauses);
const EXTRACT: Pass = ("sat/extract.frag", Of::Clauses);
const TALLY: Pass = ("sat/tally.frag", Of::Clauses);

const PASSES: [Pass; 10] =
    [FRESH, EVALUATE, FOLD_CLAUSES, FOLD_BLOCKS, SOLVED, CHOOSE, SLICE, FLIP, EXTRACT, TALLY];

fn source(layout: &Layout, (path, of): Pass) -> Result<Source> {
    let source = layout.define(SHADERS.source(Stage::Fragment, path)?);
    let (count, folded) = match of {
        Of::Clauses => (layout.clauses, layout.blocks()),
        Of::Blocks => (layout.blocks(), layout.tops()),
        Of::Tops => (layout.tops(), 1),
    };
    let source = source.define("COUNT", count).define("COUNT_ROWS", layout.grid.rows(count));
    Ok(source.define("FOLDED_ROWS", layout.grid.rows(folded)))
}

impl WalkPasses {
    pub(super) fn new(context: &Context, layout: &Layout) -> Result<WalkPasses> {
        // Integers are fetched on every device: they cannot be filtered, and sampling gains
        // nothing.
        let kernel = |pass| Kernel::from_fragment(context, &source(layout, pass)?, Reads::Fetch);
        Ok(WalkPasses {
            fresh: kernel(FRESH)?,
            evaluate: kernel(EVALUATE)?,
            fold_clauses: kernel(FOLD_CLAUSES)?,
            fold_blocks: kernel(FOLD_BLOCKS)?,
            solved: kernel(SOLVED)?,
            choose: kernel(CHOOSE)?,
            slice: kernel(SLICE)?,
            flip: kernel(FLIP)?,
            extract: kernel(EXTRACT)?,
            tally: kernel(TALLY)?,
        })
    }
}
