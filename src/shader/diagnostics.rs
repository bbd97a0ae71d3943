//! A driver's log in the user's own files and lines.

mod consequences;
pub(super) mod diagnostic;
pub(super) mod excerpt;
mod log;
pub(crate) mod token_column;

use super::expand::expanded::Expanded;
use diagnostic::{Diagnostic, Severity};
use excerpt::Excerpt;
use log::{Entry, entries};

use crate::error::Place;
use std::fmt;

/// A driver's log, each line a [`Diagnostic`]. Displayed, it leaves out errors that only follow
/// from a name that is not declared, and shows at most eight of the others in the order of the log:
/// where there is no room for all, names that are not declared come before other errors, those
/// before warnings, and those before notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostics {
    /// Every line of the log that is not empty.
    pub items: Vec<Diagnostic>,
}

/// The number of diagnostics that are displayed.
const SHOWN: usize = 8;

impl Expanded {
    /// Reads a driver's log about this text back into the user's files and lines.
    pub fn explain(&self, log: &str) -> Diagnostics {
        Diagnostics::of(self, log)
    }
}

impl Diagnostics {
    /// Creates a log that is about no single text: a linker's. Its lines have no places, and
    /// positions that the driver gives stay in the messages.
    pub fn unplaced(log: &str) -> Self {
        let items = entries(log).map(|entry| match entry.line {
            None => plain(entry.severity, entry.message),
            Some(_) => plain(entry.severity, entry.whole),
        });
        Diagnostics { items: items.collect() }
    }

    fn of(expanded: &Expanded, log: &str) -> Self {
        Diagnostics { items: entries(log).map(|entry| diagnostic(expanded, &entry)).collect() }
    }

    /// Returns whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.items.iter().any(|item| item.severity == Severity::Error)
    }

    /// Returns the errors that are displayed, each once.
    pub fn errors(&self) -> Vec<&Diagnostic> {
        let mut errors: Vec<&Diagnostic> = Vec::new();
        let shown = self.shown().0.into_iter();
        for error in shown.filter(|item| item.severity == Severity::Error) {
            let is_it = |known: &&Diagnostic| {
                (&known.place, &known.message) == (&error.place, &error.message)
            };
            if !errors.iter().any(is_it) {
                errors.push(error);
            }
        }
        errors
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the position of the first error that has one.
    pub fn place(&self) -> Option<&Place> {
        let mut errors = self.items.iter().filter(|item| item.severity == Severity::Error);
        errors.find_map(|item| item.place.as_ref())
    }

    /// Returns the items that are displayed, how many more would be if there were room, and how
    /// many only follow from others.
    fn shown(&self) -> (Vec<&Diagnostic>, usize, usize) {
        let told = consequences::without(&self.items);
        let mut order: Vec<usize> = (0..told.len()).collect();
        order.sort_by_key(|&index| {
            told.get(index).map(|item| (item.severity, !consequences::is_undeclared(item)))
        });
        order.truncate(SHOWN);
        order.sort_unstable();
        let shown: Vec<&Diagnostic> = order.iter().filter_map(|&i| told.get(i).copied()).collect();
        let errors = |item: &&Diagnostic| item.severity == Severity::Error;
        let following =
            self.items.iter().filter(errors).count() - told.iter().copied().filter(errors).count();
        let more = told.len() - shown.len();
        (shown, more, following)
    }
}

fn plain(severity: Severity, message: &str) -> Diagnostic {
    let message = message.to_owned();
    Diagnostic { severity, place: None, message, excerpt: None, included_from: Vec::new() }
}

fn diagnostic(expanded: &Expanded, entry: &Entry<'_>) -> Diagnostic {
    let Some(number) = entry.line else { return plain(entry.severity, entry.message) };
    let Some(text) = expanded.line(number) else { return plain(entry.severity, entry.whole) };
    let column =
        token_column::find(text, entry.message, entry.column, |word| expanded.replaced(word));
    let (written, column) = expanded.as_written(number, column);
    let text = written.unwrap_or(text);
    let mut place = expanded.place(number);
    let line = place.line.unwrap_or(number);
    place.column = column;
    Diagnostic {
        severity: entry.severity,
        place: Some(place),
        message: expanded.in_own_words(entry.message),
        excerpt: Some(Excerpt { line, text: text.to_owned(), column }),
        included_from: expanded.included_from(number),
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, more, following) = self.shown();
        for (count, item) in shown.iter().enumerate() {
            let separator = if count == 0 { "" } else { "\n" };
            write!(f, "{separator}{item}")?;
        }
        if more > 0 {
            write!(f, "\nand {more} more")?;
        }
        match following {
            0 => Ok(()),
            1 => f.write_str("\n(another error, which seems to follow from these, is left out)"),
            _ => write!(
                f,
                "\n({following} other errors, which seem to follow from these, are left out)"
            ),
        }
    }
}
