//! Thompson, Hahn and Oskin (2002): the framework, tables 4 and 5, figures 4 to 7.

mod branch;
pub(super) mod claims;
mod framework;
mod muls;
mod product;
mod programs;
mod sat;
mod sets;
mod table_4;

use super::super::report::Document;
use super::super::vector::{Plan, Row, Runner};
use super::Study;
use quadrille::gl::Context;
use quadrille::vector_machine::Engine;

const DOCUMENT: Document = Document::Vectors2002;

/// In the order of the paper, figures after what they need.
pub(super) const STUDIES: [Study; 6] = [
    Study {
        id: "vectors-programs",
        document: Some(DOCUMENT),
        title: "The vector machine's programs, and what the paper says of them",
        seconds: [1, 5],
        run: programs::run,
    },
    Study {
        id: "vectors-framework",
        document: Some(DOCUMENT),
        title: "The framework: vectors, functions, branches, and who runs them",
        seconds: [2, 10],
        run: framework::run,
    },
    Study {
        id: "vectors-table-4",
        document: Some(DOCUMENT),
        title: "Table 4 and figure 4: three programs by size",
        seconds: [8, 120],
        run: table_4::run,
    },
    Study {
        id: "vectors-figure-5",
        document: Some(DOCUMENT),
        title: "Figure 5 and table 5: what an opcode adds, and what a transfer",
        seconds: [18, 90],
        run: muls::run,
    },
    Study {
        id: "vectors-figure-6",
        document: Some(DOCUMENT),
        title: "Figure 6: a matrix product, a call an element",
        seconds: [6, 110],
        run: product::run,
    },
    Study {
        id: "vectors-figure-7",
        document: Some(DOCUMENT),
        title: "Figure 7: 3-SAT against clauses",
        seconds: [6, 80],
        run: sat::run,
    },
];

pub(crate) use muls::growth_of_muls;

/// A plan of nothing, with the engines that this context has.
fn plan(context: &Context, runs: usize) -> Plan {
    Plan { engines: Engine::of(context), runs, ..Plan::default() }
}

/// The fastest engine's row among some of one program and size, but for the simulator's, which is the CPU too.
fn fastest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    let engines = rows
        .filter(|row| matches!(row.runner, Runner::Engine(engine) if engine != Engine::Simulator));
    engines.min_by(|a, b| a.total.median_ms.total_cmp(&b.total.median_ms))
}
