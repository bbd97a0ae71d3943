//! What a checkpoint is of.

use serde::{Deserialize, Serialize};

use crate::io::{Difference, differences};

/// The system that is solved, and what else must be the same to go on: a computation goes on from its own checkpoints alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The number of unknowns.
    pub n: usize,
    /// How many are in a row of the grid.
    pub m: usize,
    /// More of it, each with a name, such as a stencil's text or the [digest](super::digest) of a matrix.
    pub facts: Vec<(String, String)>,
}

impl Identity {
    /// Of a grid of `n` numbers in rows of `m`.
    pub fn new(n: usize, m: usize) -> Identity {
        Identity { n, m, facts: Vec::new() }
    }

    /// The same with one fact more.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Identity {
        self.facts.push((name.into(), value.into()));
        self
    }

    /// What is different in another one.
    pub fn differences(&self, other: &Identity) -> Vec<Difference> {
        differences(&self.named(), &other.named())
    }

    fn named(&self) -> Vec<(String, String)> {
        let sizes = [("unknowns", self.n), ("width of the grid", self.m)];
        let sizes = sizes.map(|(name, size)| (name.to_string(), size.to_string()));
        sizes.into_iter().chain(self.facts.iter().cloned()).collect()
    }
}
