//! A row of the table.

use super::super::Summary;
use super::super::twin::Comparison;

/// The engine that does the work of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Fragment shaders.
    Fragment,
    /// Compute shaders.
    Compute,
    /// The host and the driver.
    Host,
}

impl Engine {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Fragment => "fragment",
            Engine::Compute => "compute",
            Engine::Host => "host",
        }
    }
}

/// A row of the table. Times are of one step of the probe.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The measurement.
    pub probe: &'static str,
    /// The engine.
    pub engine: Engine,
    /// The variant of the probe.
    pub variant: String,
    /// In [`Row::unit`]s.
    pub rate: f64,
    /// What the rate counts.
    pub unit: &'static str,
    /// The time; 0 if no time was measured.
    pub summary: Summary,
    /// The comparison with double precision.
    pub comparison: Comparison,
}
