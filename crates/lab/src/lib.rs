//! Benchmarks, device probes and the accuracy card, with every result checked.
//!
//! The interface is that of the command `quadrille` alone, and may change with any version.

#![allow(missing_docs, reason = "the command's own: what a name says needs no comment")]

pub mod bench;
pub mod card;
#[cfg_attr(not(feature = "reports"), path = "chart/absent.rs")]
pub mod chart;
pub mod error;
pub mod numbers;
pub mod report;
pub mod shaders;
pub mod survey;
pub mod tune;
pub mod twin;

#[cfg(test)]
#[path = "../../../tests/common/planted.rs"]
mod planted;

pub use bench::{cluster, device, jacobi, matmul, primitives, sat, solve, sparse, stream, vector};
pub use error::{Error, MeasurementError, Result};
pub use numbers::statistics::Summary;
pub use report::names::reads_name;
pub use report::{document, estimate, limit, table, text};

/// Refuses what a build without reports cannot do, before any work.
pub fn must_have_reports(what: &'static str) -> Result<()> {
    match cfg!(feature = "reports") {
        true => Ok(()),
        false => Err(MeasurementError::NoReports { what }.into()),
    }
}

/// Every shader of the lab, in every variant, to be checked as a set.
pub fn sources() -> Result<Vec<quadrille::shader::Source>, Box<dyn std::error::Error>> {
    let mut sources = card::sources()?;
    sources.extend(device::sources()?);
    sources.extend(stream::sources()?);
    Ok(sources)
}
