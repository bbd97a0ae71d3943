//! Selects the shader of a plan, and lists every variant.

use crate::data::Number;
use crate::shader::{Source, Stage};

use super::super::number::of_type;
use super::plan::Plan;
use crate::linalg::matmul::{Cell, Method, OperandReads, Result};

/// Returns the fragment shader of a plan for numbers of this type.
pub(super) fn source<T: Number>(plan: &Plan) -> Result<Source> {
    let reads_buffers = plan.reads == OperandReads::Buffer;
    let Variant { file, defines } = variant(plan.method, plan.cell);
    let mut source = Source::library(Stage::Fragment, file)?.define("UNROLL", plan.unroll);
    for (name, value) in defines {
        source = source.define(name, value);
    }
    let flags = [
        ("A_TRANSPOSED", plan.mapping.a_transposed),
        ("B_TRANSPOSED", plan.mapping.b_transposed),
        ("FROM_BUFFERS", reads_buffers),
        ("TO_BUFFER", plan.method.stores()),
        ("CONTINUES", plan.method.stores() && plan.passes > 1),
        ("BATCH", plan.batch.is_some()),
    ];
    for (name, _) in flags.into_iter().filter(|(_, set)| *set) {
        source = source.define(name, 1);
    }
    if plan.mapping.strips > 0 {
        source = source.define("STRIPS", plan.mapping.strips);
    }
    source = of_type::<T>(source);
    Ok(if plan.method.stores() { source.storage() } else { source })
}

struct Variant {
    file: &'static str,
    defines: Vec<(&'static str, u32)>,
}

fn variant(method: Method, cell: Cell) -> Variant {
    let plain = |file| Variant { file, defines: vec![] };
    let block = |rows, columns| Variant {
        file: "matmul/block.frag",
        defines: vec![("ROWS", rows), ("COLUMNS", columns)],
    };
    match (method, cell) {
        (Method::Cp, _) => plain("matmul/cp.frag"),
        (Method::Sp, _) => plain("matmul/sp.frag"),
        (Method::Block4x4, Cell::Square) => plain("matmul/block_of_squares.frag"),
        (Method::Block4x4, _) => block(4, 4),
        (Method::Block8x4, _) => block(8, 4),
        (Method::Block8x8, _) => block(8, 8),
        (Method::Block16x8, _) => block(16, 8),
        (_, Cell::Four) => Variant { file: "matmul/element.frag", defines: vec![("FOUR", 1)] },
        _ => plain("matmul/element.frag"),
    }
}

/// Returns every shader of this room: each file with each set of defines that changes its text, one
/// way to unroll that needs a rest, and one that is large.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let cells = [
        (Method::Element, Cell::One),
        (Method::Element, Cell::Four),
        (Method::Cp, Cell::Four),
        (Method::Sp, Cell::Square),
        (Method::Block4x4, Cell::Four),
        (Method::Block4x4, Cell::Square),
        (Method::Block8x4, Cell::Four),
        (Method::Block8x8, Cell::Four),
        (Method::Block16x8, Cell::Four),
    ];
    for (method, cell) in cells {
        let Variant { file, defines } = variant(method, cell);
        for (flags, unroll) in MAPPINGS {
            let mut source = Source::library(Stage::Fragment, file)?.define("UNROLL", *unroll);
            for (name, value) in &defines {
                source = source.define(*name, value);
            }
            for flag in *flags {
                source = source.define(*flag, 1);
            }
            let drawn = of_type::<f32>(source);
            let batch = drawn.clone().define("BATCH", 1);
            if method.stores() {
                let stored = drawn.define("TO_BUFFER", 1).storage();
                sources.push(stored.clone().define("FROM_BUFFERS", 1));
                sources.push(stored.clone().define("CONTINUES", 1));
                sources.push(stored);
                sources.push(batch.define("TO_BUFFER", 1).storage());
            } else {
                sources.extend([drawn, batch]);
            }
        }
    }
    let element = Source::library(Stage::Fragment, "matmul/element.frag")?.define("UNROLL", 4);
    sources.extend([of_type::<i16>(element.clone()), of_type::<i32>(element)]);
    Ok(sources)
}

const MAPPINGS: &[(&[&str], u32)] = &[
    (&[], 1),
    (&["A_TRANSPOSED"], 3),
    (&["B_TRANSPOSED"], 4),
    (&["A_TRANSPOSED", "B_TRANSPOSED"], 128),
    (&["STRIPS"], 1),
    (&["A_TRANSPOSED", "B_TRANSPOSED", "STRIPS"], 1),
];
