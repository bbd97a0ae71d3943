//! Rows that differ in the optimization alone, side by side.

use quadrille::internal::reference::largest;
use quadrille::linalg::jacobi::Optimization;

use super::row::Row;
use crate::reads_name;
use crate::report::Cell;
use crate::report::document::jacobi::Claim;
use crate::report::table::{Column, only_text, wrong};

/// The rows of a size, a layout and a way of reading; there is at least one.
pub struct Alike<'a>(Vec<&'a Row>);

impl<'a> Alike<'a> {
    pub fn all(rows: &'a [Row]) -> Vec<Alike<'a>> {
        let same = |a: &Row, b: &Row| {
            let of = |row: &Row| (row.n, row.engine.layout_name(), row.engine.reads());
            of(a) == of(b)
        };
        let mut groups: Vec<Alike<'a>> = Vec::new();
        for row in rows {
            match groups.iter_mut().find(|group| group.0.iter().any(|other| same(other, row))) {
                Some(group) => group.0.push(row),
                None => groups.push(Alike(vec![row])),
            }
        }
        groups
    }

    /// The columns for people: MFLOP/s of each optimization. The CPU loops have none; their rate is in a column of
    /// its own.
    pub fn columns() -> Vec<Column<Alike<'a>>> {
        use Optimization::{Boundary, Compute, Generic, Neighbours, Reciprocal};
        vec![
            only_text("N", "", |alike: &Alike<'_>| alike.of(|row| row.n.into())),
            only_text("layout", "", |alike| alike.of(|row| row.engine.layout_name().into())),
            only_text("reads", "", |alike| {
                alike.of(|row| row.engine.reads().map(reads_name).into())
            }),
            only_text("one core", "", |alike| alike.rate(None)),
            only_text("generic", "", |alike| alike.rate(Some(Generic))),
            only_text("reciprocal", "", |alike| alike.rate(Some(Reciprocal))),
            only_text("boundary", "", |alike| alike.rate(Some(Boundary))),
            only_text("neighbours", "", |alike| alike.rate(Some(Neighbours))),
            only_text("compute", "", |alike| alike.rate(Some(Compute))),
            only_text("spread", "%", |alike| {
                alike.largest(|row| 100.0 * row.summary.relative_spread())
            }),
            only_text("error", "", |alike| alike.largest(|row| row.comparison.max_error)),
            only_text("", "", |alike| wrong(alike.0.iter().all(|row| row.comparison.is_right()))),
            only_text("5900U", "", |alike| alike.claimed(|claim| claim.fx5900)),
            only_text("6800", "", |alike| alike.claimed(|claim| claim.gf6800)),
        ]
    }

    /// What all of its rows share.
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
