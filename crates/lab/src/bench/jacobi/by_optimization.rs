//! Rows that differ in the optimization alone, side by side.

use quadrille::linalg::jacobi::Optimization;
use quadrille::testing::largest;

use super::row::Row;
use crate::reads_name;
use crate::report::Cell;
use crate::report::document::jacobi::Claim;
use crate::report::table::{Column, only_text, wrong};

/// The rows of a size, a layout and a way of reading; there is at least one.
pub struct ByOptimization<'a>(Vec<&'a Row>);

impl<'a> ByOptimization<'a> {
    pub fn all(rows: &'a [Row]) -> Vec<ByOptimization<'a>> {
        let same = |a: &Row, b: &Row| {
            let of = |row: &Row| (row.n, row.engine.layout_name(), row.engine.reads());
            of(a) == of(b)
        };
        let mut groups: Vec<ByOptimization<'a>> = Vec::new();
        for row in rows {
            match groups.iter_mut().find(|group| group.0.iter().any(|other| same(other, row))) {
                Some(group) => group.0.push(row),
                None => groups.push(ByOptimization(vec![row])),
            }
        }
        groups
    }

    /// The columns for people: MFLOP/s of each optimization. The CPU loops have none; their rate is
    /// in a column of its own.
    pub fn columns() -> Vec<Column<ByOptimization<'a>>> {
        use Optimization::{Boundary, Compute, Generic, Neighbours, Reciprocal};
        vec![
            only_text("N", "", |group: &ByOptimization<'_>| group.of(|row| row.n.into())),
            only_text("layout", "", |group| group.of(|row| row.engine.layout_name().into())),
            only_text("reads", "", |group| {
                group.of(|row| row.engine.reads().map(reads_name).into())
            }),
            only_text("one core", "", |group| group.rate(None)),
            only_text("generic", "", |group| group.rate(Some(Generic))),
            only_text("reciprocal", "", |group| group.rate(Some(Reciprocal))),
            only_text("boundary", "", |group| group.rate(Some(Boundary))),
            only_text("neighbours", "", |group| group.rate(Some(Neighbours))),
            only_text("compute", "", |group| group.rate(Some(Compute))),
            only_text("spread", "%", |group| {
                group.largest(|row| 100.0 * row.summary.relative_spread())
            }),
            only_text("error", "", |group| group.largest(|row| row.comparison.max_error)),
            only_text("", "", |group| wrong(group.0.iter().all(|row| row.comparison.is_right()))),
            only_text("5900U", "", |group| group.claimed(|claim| claim.fx5900)),
            only_text("6800", "", |group| group.claimed(|claim| claim.gf6800)),
        ]
    }

    /// The cell that all of its rows share.
    fn of(&self, value: fn(&Row) -> Cell) -> Cell {
        self.0.first().map_or(Cell::Empty, |row| value(row))
    }

    fn rate(&self, stage: Option<Optimization>) -> Cell {
        self.0.iter().find(|row| row.engine.stage() == stage).map(|row| row.mflops).into()
    }

    fn largest(&self, of: fn(&Row) -> f64) -> Cell {
        largest(self.0.iter().map(|row| of(row))).into()
    }

    fn claimed(&self, of: fn(Claim) -> Option<u32>) -> Cell {
        self.0.first().and_then(|row| of(row.document?)).into()
    }
}
