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
        for (path, counts) in PASSES {
            if let Ok(layout) = &layout {
                sources.push(source(layout, path, counts)?);
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

const PASSES: [(&str, Of); 10] = [
    ("sat/fresh.frag", Of::Clauses),
    ("sat/evaluate.frag", Of::Clauses),
    ("sat/fold.frag", Of::Clauses),
    ("sat/fold.frag", Of::Blocks),
    ("sat/solved.frag", Of::Tops),
    ("sat/choose.frag", Of::Clauses),
    ("sat/slice.frag", Of::Clauses),
    ("sat/flip.frag", Of::Clauses),
    ("sat/extract.frag", Of::Clauses),
    ("sat/tally.frag", Of::Clauses),
];

fn source(layout: &Layout, path: &str, of: Of) -> Result<Source> {
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
        let [
            fresh,
            evaluate,
            fold_clauses,
            fold_blocks,
            solved,
            choose,
            slice,
            flip,
            extract,
            tally,
        ] = PASSES.map(|(path, of)| {
            Kernel::from_fragment(context, &source(layout, path, of)?, Reads::Fetch)
        });
        Ok(WalkPasses {
            fresh: fresh?,
            evaluate: evaluate?,
            fold_clauses: fold_clauses?,
            fold_blocks: fold_blocks?,
            solved: solved?,
            choose: choose?,
            slice: slice?,
            flip: flip?,
            extract: extract?,
            tally: tally?,
        })
    }
}
