//! Outcomes of tests over devices, as values: the answer of the process of a test, the case that it
//! makes of the test on a device, and the tally of all. Processes exchange answers as JSON.

mod answer;
mod case;
mod explanation;
mod figure;
mod position;
mod provenance;
mod tally;
mod termination;
mod worst;

use serde::{Deserialize, Serialize};

pub use answer::Answer;
pub use case::{Case, Conditions};
pub use explanation::{Exactness, Explanation, explain};
pub use figure::{ColourScale, Figure, Picture};
pub use position::Position;
pub use provenance::Provenance;
pub use tally::Tally;
pub use termination::Termination;
pub use worst::{Value, Worst};

/// The outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The test passed: the outputs are as expected.
    Pass,
    /// The test failed: an output is not as expected.
    Fail,
    /// The test was skipped: the device lacks what the test needs.
    Skip,
    /// The test failed on a device where it is known to fail.
    Known,
    /// The test crashed: its process ended without an answer.
    Crash,
    /// The test timed out: its process was ended at its time limit.
    Timeout,
    /// The test is invalid: its description is wrong.
    Bad,
}

impl Outcome {
    /// Returns the outcome in a word.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Skip => "skip",
            Outcome::Known => "known",
            Outcome::Crash => "crash",
            Outcome::Timeout => "timeout",
            Outcome::Bad => "bad",
        }
    }

    /// Returns whether it is not as expected.
    pub fn is_wrong(self) -> bool {
        matches!(self, Outcome::Fail | Outcome::Crash | Outcome::Timeout | Outcome::Bad)
    }
}
