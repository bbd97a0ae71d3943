//! The benches: each times ways of doing the same work, and checks their results.

pub(crate) mod benchmark;
pub mod cluster;
pub mod device;
pub mod functions;
pub mod host;
pub mod jacobi;
pub mod matmul;
pub mod primitives;
pub mod runner;
pub mod sat;
pub mod solve;
pub mod sparse;
pub mod stream;
pub mod vector;

/// The rows that were measured.
#[derive(Clone, Debug)]
pub struct Table<R> {
    /// In the order of the plan.
    pub rows: Vec<R>,
    /// What was left out, and why.
    pub left_out: Vec<(String, String)>,
    /// Whether the observer stopped it: what was not finished is left out.
    pub stopped: bool,
}

impl<R> Table<R> {
    fn new() -> Table<R> {
        Table { rows: Vec::new(), left_out: Vec::new(), stopped: false }
    }
}
