//! The identity of the system that a checkpoint belongs to.

use crate::io::facts::Facts;

/// The system that is solved, and the other facts that must be the same to resume: a computation
/// resumes from its own checkpoints alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub(super) n: usize,
    pub(super) m: usize,
    pub(super) facts: Facts,
}

impl Identity {
    /// Returns the identity of a grid of `n` numbers in rows of `m`.
    pub fn new(n: usize, m: usize) -> Identity {
        let identity = Identity { n, m, facts: Vec::new() };
        identity.with("unknowns", n.to_string()).with("width of the grid", m.to_string())
    }

    /// Adds a fact, such as a stencil's text or the [digest](super::digest) of a matrix.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Identity {
        self.facts.push((name.into(), value.into()));
        self
    }
}
