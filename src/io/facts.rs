//! The facts that identify a saved computation: they must be the same for it to continue.

use std::fmt;

/// Names and values.
pub(crate) type Facts = Vec<(String, String)>;

/// A fact that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The name of the fact.
    pub name: String,
    /// The value of the computation at hand; `None` if it has no such fact.
    pub expected: Option<String>,
    /// The value in the file; `None` if it has no such fact.
    pub got: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".into());
        write!(f, "{}: expected {}, got {}", self.name, text(&self.expected), text(&self.got))
    }
}

/// Lists the facts in which a file differs from the computation at hand.
pub(crate) fn differences(
    own: &[(String, String)],
    others: &[(String, String)],
) -> Vec<Difference> {
    let value = |all: &[(String, String)], name: &str| {
        all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let mut names: Vec<&String> = own.iter().map(|(name, _)| name).collect();
    names.extend(others.iter().map(|(name, _)| name).filter(|name| value(own, name).is_none()));
    let each = names.into_iter().map(|name| Difference {
        name: name.clone(),
        expected: value(own, name),
        got: value(others, name),
    });
    each.filter(|difference| difference.expected != difference.got).collect()
}
