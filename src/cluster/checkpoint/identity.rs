//! What a checkpoint is of.

use std::fmt;

use serde::{Deserialize, Serialize};

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
        let own = self.named();
        let others = other.named();
        let value = |all: &[(String, String)], name: &str| {
            all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        let mut names: Vec<&String> = own.iter().map(|(name, _)| name).collect();
        names
            .extend(others.iter().map(|(name, _)| name).filter(|name| value(&own, name).is_none()));
        let each = names.into_iter().map(|name| Difference {
            name: name.clone(),
            expected: value(&own, name),
            got: value(&others, name),
        });
        each.filter(|difference| difference.expected != difference.got).collect()
    }

    fn named(&self) -> Vec<(String, String)> {
        let sizes = [("unknowns", self.n), ("width of the grid", self.m)];
        let sizes = sizes.map(|(name, size)| (name.to_string(), size.to_string()));
        sizes.into_iter().chain(self.facts.iter().cloned()).collect()
    }
}

/// One fact that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is about.
    pub name: String,
    /// What the system at hand has; none if it has no such fact.
    pub expected: Option<String>,
    /// What the checkpoint has.
    pub got: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".into());
        write!(f, "{}: expected {}, got {}", self.name, text(&self.expected), text(&self.got))
    }
}
