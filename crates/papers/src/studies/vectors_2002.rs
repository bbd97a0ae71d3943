//! Thompson, Hahn and Oskin (2002): the framework, tables 4 and 5, figures 4 to 7.

mod branch;
pub(crate) mod claims;
mod framework;
mod muls;
mod overlap;
mod precision;
mod product;
mod programs;
mod sat;
mod table_4;
mod wishes;

use crate::list_studies;
use quadrille::gl::Context;
use quadrille_lab::bench::vector::{Plan, Row, Runner};
use quadrille_lab::report::Document;
use quadrille_vp::vector_machine::Processor;

const DOCUMENT: Document = Document::Vectors2002;

list_studies! {
    /// The studies in the order of the paper, figures after what they need.
    STUDIES of Some(DOCUMENT);

    "vectors-programs", [1, 5], programs::run,
        "The vector machine's programs, and what the paper says of them";
    "vectors-framework", [4, 40], framework::run,
        "The framework: vectors, functions, branches, and who runs them";
    "vectors-table-4", [14, 120], table_4::run, "Table 4 and figure 4: three programs by size";
    "vectors-figure-5", [22, 90], muls::run,
        "Figure 5 and table 5: what an opcode adds, and what a transfer";
    "vectors-figure-6", [6, 110], product::run, "Figure 6: a matrix product, a call an element";
    "vectors-figure-7", [6, 80], sat::run, "Figure 7: 3-SAT against clauses";
    "vectors-wishes", [2, 20], wishes::run,
        "The wishes of section 6, and what answers them today";
}

/// A plan of nothing, with the engines that this context has.
fn plan(context: &Context, runs: usize) -> Plan {
    Plan { engines: Processor::of(context), runs, ..Plan::default() }
}

/// The fastest engine's row among some of one program and size, but for the simulator's, which is
/// the CPU too.
fn fastest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    let engines = rows.filter(
        |row| matches!(row.runner, Runner::Engine(engine) if engine != Processor::Simulator),
    );
    engines.min_by(|a, b| a.total.median_ms.total_cmp(&b.total.median_ms))
}
