//! The papers' tables and figures on this machine: a list of studies, each a part of the report.
//!
//! A study measures with the benches of the lab, and turns their results into tables, figures
//! and findings. It keeps to its time limit, and what a device cannot run is a note in its part,
//! not an error that ends the report. The interface is that of the command `quadrille` alone, and may
//! change with any version.

#![allow(missing_docs, reason = "the command's own: what a name says needs no comment")]

mod claim;
mod driver;
pub mod render;
pub mod shaders;
mod studies;
mod study;

pub use driver::forecast::Forecast;
pub use driver::machine::{Machine, Renderer};
pub use driver::outcome::{Entry, Outcome};
pub use driver::record::{Failure, Key, Record};
pub use driver::{Event, Plan, run};
#[cfg(test)]
pub(crate) use studies::measures;
pub use studies::{sources, studies};
use study::list_studies;
pub use study::{Lab, Scale, Study};
