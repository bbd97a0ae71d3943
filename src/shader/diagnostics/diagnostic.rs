//! A diagnostic: a line of a driver's log, as a user reads it.

use super::excerpt::Excerpt;
use crate::error::Place;
use std::fmt;

/// The severity of a line of a driver's log, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The shader does not compile or link.
    Error,
    /// The shader compiles, but the driver reports something doubtful.
    Warning,
    /// Anything else that the driver wrote.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// A line of a driver's log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The user's file, line and where known column, if the driver gave a line.
    pub place: Option<Place>,
    /// The driver's message. A line in no known form is here as a whole, with severity
    /// [`Note`](Severity::Note).
    pub message: String,
    /// The line that is meant.
    pub excerpt: Option<Excerpt>,
    /// The `#include`s that brought the line in, innermost first.
    pub included_from: Vec<Place>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.place, self.severity) {
            (Some(place), severity) => write!(f, "{place}: {severity}: {}", self.message)?,
            (None, Severity::Note) => f.write_str(&self.message)?,
            (None, severity) => write!(f, "{severity}: {}", self.message)?,
        }
        if let Some(excerpt) = &self.excerpt {
            write!(f, "\n{excerpt}")?;
        }
        for place in &self.included_from {
            write!(f, "\nincluded from {place}")?;
        }
        Ok(())
    }
}
