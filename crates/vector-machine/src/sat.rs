//! Satisfiability: searches for a model of a [`Cnf`](crate::cnf::Cnf). Use [`walk::solve`] unless
//! you study the search of 2002.
//!
//! First comes unit propagation ([`Propagation`]), which may decide a formula and else makes it
//! smaller. There are two searches, and neither can show that there is no model:
//!
//! * [`walk`] runs WalkSAT on many candidates at once, wholly on the device;
//! * [`greedy`] is the search of Thompson, Hahn and Oskin, "Using Modern Graphics Architectures for
//!   General-Purpose Computing" (2002): one candidate, whose satisfied clauses are counted on the
//!   device or on the host.
//!
//! [`search`] runs either of them by the name of an engine and a number of candidates.
//!
//! Every model is checked by [`first_unsatisfied`](crate::cnf::first_unsatisfied) before it is
//! returned.

mod call_interval;
mod error;
pub mod greedy;
mod grid;
mod iterations;
mod lists;
pub(crate) mod options;
mod outcome;
mod propagation;
pub mod search;
pub mod walk;

pub use error::{Error, Result};
use grid::Grid;
pub use options::{Found, Options, Searched};
pub use outcome::{Answer, Limits, Outcome};
pub use propagation::Propagation;

/// Returns every shader of this module, in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<quadrille::shader::Source>, quadrille::stream::Error> {
    let mut sources = walk::sources()?;
    sources.extend(greedy::sources()?);
    Ok(sources)
}
