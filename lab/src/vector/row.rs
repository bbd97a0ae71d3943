//! The result of one program at one size.

use quadrille::internal::reference::Comparison;
use quadrille::vector_machine::Engine;

use super::super::Summary;
use super::subject::Subject;

/// The runner of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// Plain loops on one core, compiled with optimisation.
    Cpu,
    /// An engine of the vector machine.
    Engine(Engine),
}

impl Runner {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Runner::Cpu => "cpu",
            Runner::Engine(engine) => engine.name(),
        }
    }
}

/// One program at one size. Times are of one call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The program.
    pub subject: Subject,
    /// Elements of its vector.
    pub n: usize,
    /// The runner.
    pub runner: Runner,
    /// The upload; none if there is none.
    pub upload: Option<Summary>,
    /// The call after the upload, which on some devices ends it, and makes room for the result.
    pub first: Summary,
    /// The same call again, everything being on the device: a repetition costs no transfer.
    pub compute: Summary,
    /// The readback; none if there is none.
    pub readback: Option<Summary>,
    /// Upload, first call and readback, as the paper timed.
    pub total: Summary,
    /// Against double precision.
    pub comparison: Comparison,
}
