//! Outcomes of shader tests over devices: judged, counted, and rendered for people and for CI.

mod answer;
mod entry;
mod junit;
mod worst;

pub use answer::{Answer, Verdict};
pub use entry::{Conditions, Ended, Entry, Outcome, Tally};
pub use junit::junit;
pub use worst::{Value, Worst};
