//! Tests of shaders that files describe: each [`TestFile`] is run on one context by [`run()`],
//! which compares what it computes by the rules of [`quadrille::testing`].

pub mod file;
mod run;

pub use file::TestFile;
pub use run::{Error, Finding, Ran, Recorded, Recording, Verdict, record, run};
