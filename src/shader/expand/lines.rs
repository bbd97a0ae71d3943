//! The line table: which file and line each line of an expanded text came from.

use std::collections::HashMap;

use super::edited::{Edit, Edited};
use crate::error::Place;
use crate::shader::source::embedded;

/// A line of one of the files in a [`LineTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) file: usize,
    /// The number of the line, counted from 1.
    pub(crate) line: usize,
}

/// A line and its origin.
pub(crate) type Line = (String, Origin);

#[derive(Clone, Debug)]
struct File {
    name: String,
    included_from: Option<Origin>,
}

/// The file and line of each expanded line, and the chain of includes of each file.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineTable {
    files: Vec<File>,
    lines: Vec<Origin>,
    /// The lines that are not as they were written.
    edited: HashMap<Origin, Edited>,
}

impl LineTable {
    /// Adds a file; lines refer to it by the number returned.
    pub(super) fn add_file(&mut self, name: &str, included_from: Option<Origin>) -> usize {
        self.files.push(File { name: name.to_owned(), included_from });
        self.files.len() - 1
    }

    /// Returns the position of a line of a file.
    pub(crate) fn place(&self, origin: Origin) -> Place {
        let name = self.files.get(origin.file).map_or("", |file| file.name.as_str());
        Place::line(name, origin.line)
    }

    /// Returns the origin of an expanded line, counted from 1.
    pub(super) fn origin(&self, expanded_line: usize) -> Option<Origin> {
        self.lines.get(expanded_line.checked_sub(1)?).copied()
    }

    /// Returns the changes of a line, if it is not as it was written.
    pub(super) fn edited(&self, origin: Origin) -> Option<&Edited> {
        self.edited.get(&origin)
    }

    /// Returns the `#include`s that brought a file in, innermost first.
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

/// The lines of an expanded text as they gather, and the files that they came from.
#[derive(Clone, Default)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    table: LineTable,
}

impl Lines {
    /// Creates an empty list of lines, of the files of a table.
    pub(crate) fn of(table: LineTable) -> Lines {
        Lines { lines: Vec::new(), table }
    }

    /// Returns the lines of a text with its table.
    pub(crate) fn split(text: &str, table: &LineTable) -> Lines {
        let lines = text.split_terminator('\n').map(str::to_owned).zip(table.lines.iter().copied());
        Lines { lines: lines.collect(), table: LineTable { lines: Vec::new(), ..table.clone() } }
    }

    /// Returns the text, and the table of its lines.
    pub(crate) fn join(self) -> (String, LineTable) {
        let Lines { lines, mut table } = self;
        let mut text = String::new();
        for (line, origin) in lines {
            text.push_str(&line);
            text.push('\n');
            table.lines.push(origin);
        }
        (text, table)
    }

    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Adds a file, which lines that follow may be of.
    pub(crate) fn file(&mut self, name: &str) -> usize {
        self.table.add_file(name, None)
    }

    /// Adds lines of a file, from its first.
    pub(crate) fn text(&mut self, file: usize, lines: &[String]) {
        self.text_from(file, 0, lines);
    }

    /// Adds lines of a file whose first `before` lines were added earlier.
    pub(super) fn text_from(&mut self, file: usize, before: usize, lines: &[String]) {
        for (index, line) in lines.iter().enumerate() {
            self.lines.push((line.clone(), Origin { file, line: before + index + 1 }));
        }
    }

    /// Adds a file of `glsl/`.
    pub(crate) fn embedded(&mut self, path: &str) {
        self.whole(&embedded::display_name(path), embedded::text(path).unwrap_or_default());
    }

    /// Adds a file of this name and text.
    pub(super) fn whole(&mut self, name: &str, text: &str) {
        let file = self.file(name);
        self.text(file, &text.lines().map(str::to_owned).collect::<Vec<_>>());
    }

    /// Adds lines.
    pub(crate) fn all(&mut self, lines: Vec<Line>) {
        self.lines.extend(lines);
    }

    /// Calls a function for each line with the name of its file.
    pub(crate) fn each(&mut self, mut change: impl FnMut(&str, &mut String)) {
        let files = &self.table.files;
        for (line, origin) in &mut self.lines {
            change(files.get(origin.file).map_or("", |file| &file.name), line);
        }
    }

    /// Returns the lines as one text.
    pub(super) fn whole_text(&self) -> String {
        self.lines.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect()
    }

    /// Returns the name of the file of a line, counted from 1.
    pub(super) fn file_of(&self, line: usize) -> &str {
        let origin = self.lines.get(line.wrapping_sub(1)).map(|(_, origin)| origin.file);
        origin.and_then(|file| self.table.files.get(file)).map_or("", |file| &file.name)
    }

    /// Changes parts of lines, of which errors go on showing what was written.
    pub(super) fn edit(&mut self, edits: &[Edit]) {
        let mut of_lines: HashMap<usize, Vec<&Edit>> = HashMap::new();
        edits.iter().for_each(|edit| of_lines.entry(edit.line).or_default().push(edit));
        for (number, edits) in of_lines {
            if let Some((line, origin)) = self.lines.get_mut(number.wrapping_sub(1)) {
                let edited = Edited::new(line, &edits);
                line.clone_from(&edited.text);
                let edited = match self.table.edited.get(origin) {
                    Some(earlier) => edited.behind(earlier),
                    None => edited,
                };
                self.table.edited.insert(*origin, edited);
            }
        }
    }

    /// Puts a text before a column of a line, both as tokens count them.
    pub(crate) fn insert(&mut self, (line, column): (usize, usize), word: &str) {
        if let Some((text, _)) = self.lines.get_mut(line - 1) {
            let at = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
            text.insert_str(at, word);
        }
    }

    /// Puts what a function adds before the line of this index.
    pub(super) fn add_at(&mut self, index: usize, add: impl FnOnce(&mut Lines)) {
        let behind = self.lines.split_off(index.min(self.lines.len()));
        add(self);
        self.lines.extend(behind);
    }
}
