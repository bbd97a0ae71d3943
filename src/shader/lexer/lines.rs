//! The lines of a text as a compiler reads them: those that end in a backslash are joined with what
//! follows them, before comments and words are looked for, and so are directives that end within a
//! comment.

use std::borrow::Cow;

use super::comments::{Stripped, strip};
use super::directive::{Directive, directive};

/// The position of a character: its line, counted from 1, and the characters of the line in front
/// of it.
pub type Position = (usize, usize);

/// A line without comments, joined with those in which it continues.
pub(crate) struct Line<'a> {
    /// Every character of a comment is a blank.
    pub(crate) text: Cow<'a, str>,
    /// The number of the first line, counted from 1.
    pub(crate) number: usize,
    /// The characters up to the end of each line that continues in the next.
    ends: Vec<usize>,
}

impl Line<'_> {
    /// Returns how many lines are joined.
    pub(crate) fn count(&self) -> usize {
        self.ends.len() + 1
    }

    /// Joins it, of so many characters, with the next.
    fn join(&mut self, length: usize, next: Line<'_>) {
        self.ends.push(length);
        self.ends.extend(next.ends.iter().map(|end| length + end));
        self.text.to_mut().push_str(&next.text);
    }

    /// Returns where a character stands in the text.
    pub(super) fn position(&self, column: usize) -> Position {
        let before = self.ends.partition_point(|end| *end <= column);
        let start = before.checked_sub(1).and_then(|last| self.ends.get(last));
        (self.number + before, column - start.unwrap_or(&0))
    }
}

/// Returns the lines of a text.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    if !text.contains('\\') {
        return apart(strip(text));
    }
    let (joined, places) = joined(text);
    let Stripped { lines, ends_within, .. } = strip(&joined);
    let line = |(text, (number, ends)): (Cow<'_, str>, _)| Line {
        text: Cow::Owned(text.into_owned()),
        number,
        ends,
    };
    with_comments(lines.into_iter().zip(places).map(line).zip(ends_within))
}

/// Returns the lines of a text whose comments are blanked already.
pub(crate) fn lines_of<'a>(text: &'a str, stripped: &Stripped<'a>) -> Vec<Line<'a>> {
    if text.contains('\\') { lines(text) } else { apart(stripped.clone()) }
}

/// Returns lines of which none ends in a backslash.
fn apart(stripped: Stripped<'_>) -> Vec<Line<'_>> {
    let line = |(text, number)| Line { text, number, ends: Vec::new() };
    let lines = stripped.lines.into_iter().zip(1..).map(line);
    with_comments(lines.zip(stripped.ends_within))
}

/// Joins lines that end in a backslash with those behind them, and returns for each its number and
/// the characters up to the end of each that continues.
fn joined(text: &str) -> (String, Vec<(usize, Vec<usize>)>) {
    let (mut joined, mut places) = (String::with_capacity(text.len()), Vec::new());
    let (mut ends, mut length) = (Vec::new(), 0);
    let mut raw = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = raw.next() {
        let part = line.strip_suffix('\\').unwrap_or(line);
        joined += part;
        if part.len() < line.len() && raw.peek().is_some() {
            length += part.chars().count();
            ends.push(length);
            continue;
        }
        joined.push('\n');
        places.push((number - ends.len(), std::mem::take(&mut ends)));
        length = 0;
    }
    (joined, places)
}

/// Joins each directive that ends within a comment with the line behind it. Of an `#include` and
/// others that the expansion takes away, the comment alone is left.
fn with_comments<'a>(lines: impl Iterator<Item = (Line<'a>, bool)>) -> Vec<Line<'a>> {
    let mut done: Vec<Line<'_>> = Vec::new();
    // The characters of a line that goes on.
    let mut length = None;
    for (line, ends_within) in lines {
        let count = if ends_within { line.text.chars().count() } else { 0 };
        match (length, done.last_mut()) {
            (Some(length), Some(first)) => first.join(length, line),
            _ => done.push(line),
        }
        let is_directive = |line: &Line<'_>| directive(&line.text) == Some(Directive::Other);
        let goes_on = ends_within && done.last().is_some_and(is_directive);
        length = goes_on.then(|| length.unwrap_or(0) + count);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_goes_on_has_the_number_of_its_first_line() {
        let lines = lines("a\nb\\\nc\\\n\nd\\");
        let told: Vec<_> = lines.iter().map(|line| (line.number, &*line.text)).collect();
        assert_eq!(told, [(1, "a"), (2, "bc"), (5, "d")]);
        assert_eq!(lines.iter().map(Line::count).collect::<Vec<_>>(), [1, 3, 1]);
    }

    #[test]
    fn a_directive_goes_on_behind_a_comment() {
        let lines = lines("/* a\n*/ #if /*\n\n*/ 1 /* b */\nc /*\n*/ d");
        let told: Vec<_> = lines.iter().map(|line| (line.number, line.text.trim())).collect();
        assert_eq!(told, [(1, ""), (2, "#if      1"), (5, "c"), (6, "d")]);
        assert_eq!(lines[1].position(lines[1].text.find('1').unwrap()), (4, 3));
    }

    #[test]
    fn characters_of_joined_lines_know_where_they_stand() {
        let lines = lines("x\n ab\\\nc\\\n\\\n/\\\n* d */ e");
        let line = &lines[1];
        assert_eq!(&*line.text, " abc        e");
        let at = |text: &str| line.position(line.text.find(text).unwrap());
        assert_eq!([at("a"), at("c"), at("e")], [(2, 1), (3, 0), (6, 7)]);
    }
}
