//! Outcomes of shader tests over devices: judged, counted, and rendered for people and for CI.

mod answer;
mod distances;
mod entry;
mod explanation;
mod figure;
mod grid;
mod junit;
mod page;
mod picture;
mod provenance;
mod worst;

pub use answer::{Answer, Verdict, placed};
pub use entry::{Conditions, Entry, Outcome, Tally, Termination};
pub use explanation::{Exactness, Explanation, explain};
pub use figure::{Figure, figures};
pub use junit::junit;
pub use page::page;
pub use picture::{Picture, Scale};
pub use provenance::Provenance;
pub use worst::{Value, Worst};
