//! Tests of shaders that files describe: each [`TestFile`] is run on one context by [`run()`],
//! which compares what it computes by the rules of [`quadrille::testing`]. [`outcome`] has the
//! outcomes over tests and devices; the feature `report` adds the module `report`, which writes
//! outcomes for people and for CI services.

pub mod file;
pub mod outcome;
#[cfg(feature = "report")]
pub mod report;
mod run;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;

pub use file::TestFile;
pub use run::{Error, Finding, Ran, Recorded, Recording, Verdict, record, run};
