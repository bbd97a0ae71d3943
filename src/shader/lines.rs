//! The line table: which file and line each line of an expanded text came from.

use crate::error::Place;

/// A line of one of the files in a [`LineTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) file: usize,
    /// From 1.
    pub(super) line: usize,
}

#[derive(Clone, Debug)]
struct File {
    name: String,
    included_from: Option<Origin>,
}

/// The file and line of each expanded line, and the chain of includes of each file.
#[derive(Clone, Debug, Default)]
pub(super) struct LineTable {
    files: Vec<File>,
    lines: Vec<Origin>,
}

impl LineTable {
    /// Adds a file; lines refer to it by the number returned.
    pub(super) fn add_file(&mut self, name: &str, included_from: Option<Origin>) -> usize {
        self.files.push(File { name: name.to_owned(), included_from });
        self.files.len() - 1
    }

    /// Says where the next expanded line came from.
    pub(super) fn push(&mut self, origin: Origin) {
        self.lines.push(origin);
    }

    /// The position of a line of a file.
    pub(super) fn place(&self, origin: Origin) -> Place {
        let name = self.files.get(origin.file).map_or("", |file| file.name.as_str());
        Place::line(name, origin.line)
    }

    /// Where an expanded line, counted from 1, came from.
    pub(super) fn origin(&self, expanded_line: usize) -> Option<Origin> {
        self.lines.get(expanded_line.checked_sub(1)?).copied()
    }

    /// The `#include`s that brought a file in, innermost first.
    pub(super) fn trail(&self, file: usize) -> Vec<Place> {
        let mut trail = Vec::new();
        let mut next = self.included_from(file);
        while let Some(origin) = next {
            trail.push(self.place(origin));
            next = self.included_from(origin.file);
        }
        trail
    }

    fn included_from(&self, file: usize) -> Option<Origin> {
        self.files.get(file).and_then(|file| file.included_from)
    }
}
