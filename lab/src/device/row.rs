//! A line of the table: who did what, and how fast.

use super::super::Summary;
use super::super::twin::Comparison;

/// Who does the work of a probe.
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

/// One line of the table. Times are of one step of the probe.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// What was asked.
    pub probe: &'static str,
    /// Who did it.
    pub engine: Engine,
    /// In which shape.
    pub variant: String,
    /// In [`Row::unit`]s.
    pub rate: f64,
    /// What the rate counts.
    pub unit: &'static str,
    /// How long it took; 0 where time is not what was asked.
    pub summary: Summary,
    /// Against double precision.
    pub comparison: Comparison,
}
