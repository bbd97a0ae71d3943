//! A row of the table.

use super::super::Summary;
use super::super::table::{Column, checked, column, timed_and_compared, timing};
use super::super::twin::Comparison;
use crate::names::named;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Fragment,
    Compute,
    /// The host and the driver.
    Host,
}

named!(pub Engine {
    Fragment => "fragment",
    Compute => "compute",
    Host => "host",
});

#[derive(Clone, Debug)]
pub struct Row {
    pub probe: &'static str,
    pub engine: Engine,
    pub variant: String,
    pub rate: f64,
    pub unit: &'static str,
    /// The time; 0 if no time was measured.
    pub summary: Summary,
    pub comparison: Comparison,
}

timed_and_compared!(Row);

impl Row {
    pub fn columns() -> Vec<Column<Row>> {
        let mut columns = vec![
            column("probe", "probe", "", |row: &Row| row.probe.into()),
            column("engine", "engine", "", |row| row.engine.name().into()),
            column("variant", "variant", "", |row| row.variant.as_str().into()),
            column("rate", "rate", "", |row| row.rate.into()),
            column("unit", "unit", "", |row| row.unit.into()),
        ];
        columns.extend(timing());
        columns.extend(checked());
        columns
    }
}
