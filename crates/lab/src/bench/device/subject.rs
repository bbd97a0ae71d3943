//! The subjects of measurements, before they are made, and their rows of the table.

use quadrille::gl::Context;

use super::super::runner::Measured;
use super::probes::probe::{Probe, Probed};
use crate::report::names::named_enum;
use crate::report::table::{Column, checked, column, timed_and_compared, timing};
use crate::twin::Comparison;
use crate::{Result, Summary};

named_enum! {
    pub enum Engine {
        Fragment => "fragment",
        Compute => "compute",
    }
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Flops,
    /// Calls of a built-in function, each component for itself.
    Calls,
    Bytes,
    Fetches,
}

impl Unit {
    pub(super) fn name(self) -> &'static str {
        match self {
            Unit::Flops => "GFLOPS",
            Unit::Calls => "Gop/s",
            Unit::Bytes => "GB/s",
            Unit::Fetches => "Gfetch/s",
        }
    }
}

type Make = dyn Fn(&Context) -> Result<Box<dyn Probe>>;

/// A row that is to be measured: its name, the work of a step, and the way to make its probe.
pub(crate) struct Subject {
    pub(super) probe: &'static str,
    pub(super) engine: Engine,
    pub(super) variant: String,
    pub(super) unit: Unit,
    pub(super) amount: f64,
    make: Box<Make>,
}

impl Subject {
    pub(super) fn new<P: Probe + 'static>(
        probe: &'static str,
        engine: Engine,
        variant: impl Into<String>,
        unit: Unit,
        amount: f64,
        make: impl Fn(&Context) -> Result<P> + 'static,
    ) -> Subject {
        let make: Box<Make> = Box::new(move |context| Ok(Box::new(make(context)?)));
        Subject { probe, engine, variant: variant.into(), unit, amount, make }
    }

    pub(super) fn make(&self, context: &Context) -> Result<Box<dyn Probe>> {
        (self.make)(context)
    }

    /// Whether the row is of this.
    pub(super) fn is_of(&self, row: &Row) -> bool {
        (self.probe, self.engine, &self.variant) == (row.probe, row.engine, &row.variant)
    }

    pub(super) fn row(&self, measured: &Measured<Probed<'_>>) -> Row {
        let summary = measured.summary();
        Row {
            probe: self.probe,
            engine: self.engine,
            variant: self.variant.clone(),
            rate: summary.rate(self.amount) / 1e9,
            unit: self.unit.name(),
            summary,
            comparison: measured.comparison,
        }
    }
}
