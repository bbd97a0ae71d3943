//! Blanks comments, so that the rest can be searched for directives and declarations.

use std::borrow::Cow;

/// A text without its comments: as many lines, each with as many characters.
#[derive(Clone)]
pub struct Stripped<'a> {
    /// The lines, every character of a comment replaced by a blank.
    pub lines: Vec<Cow<'a, str>>,
    /// For each line, whether it ends within a comment.
    pub ends_within: Vec<bool>,
    /// Line and column, from 1, of a `/*` that is never closed.
    pub open: Option<(usize, usize)>,
}

#[derive(Clone, Copy)]
enum State {
    Code,
    Block {
        opened: (usize, usize),
    },
    /// A `//` comment whose line ends in a backslash continues in the next line.
    Line,
}

/// Blanks `//` and `/* */`. A quoted name in a directive is not searched for comments.
pub fn strip(text: &str) -> Stripped<'_> {
    let mut state = State::Code;
    let (mut lines, mut ends_within) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        // Most lines have no comment.
        if matches!(state, State::Code) && !line.contains('/') {
            lines.push(Cow::Borrowed(line));
            ends_within.push(false);
            continue;
        }
        let (stripped, next) = strip_line(line, index + 1, state);
        lines.push(Cow::Owned(stripped));
        ends_within.push(!matches!(next, State::Code));
        state = next;
    }
    let open = match state {
        State::Block { opened } => Some(opened),
        _ => None,
    };
    Stripped { lines, ends_within, open }
}

impl Stripped<'_> {
    /// Returns whether a line begins or ends within a comment.
    pub(in crate::shader) fn carries(&self, index: usize) -> bool {
        let ends = |index: usize| self.ends_within.get(index) == Some(&true);
        ends(index) || index.checked_sub(1).is_some_and(ends)
    }
}

/// Returns the comments of a line alone, by the same line without them: before a directive, and
/// from there on.
pub(crate) fn comments_around(line: &str, bare: &str) -> (String, String) {
    let before = bare.chars().take_while(|character| *character != '#').count();
    let comment = |(character, code): (char, char)| match code {
        ' ' | '\t' => character,
        _ => ' ',
    };
    let comments: Vec<char> = line.chars().zip(bare.chars()).map(comment).collect();
    let (before, behind) = comments.split_at(before.min(comments.len()));
    let text = |part: &[char]| part.iter().collect::<String>().trim_end().to_owned();
    (text(before), text(behind))
}

fn strip_line(line: &str, number: usize, mut state: State) -> (String, State) {
    let mut stripped = String::with_capacity(line.len());
    let mut characters = line.chars().enumerate().peekable();
    let mut quoted = false;
    while let Some((index, character)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        match (state, character, next) {
            (State::Code, '/', Some('/')) if !quoted => state = State::Line,
            (State::Code, '/', Some('*')) if !quoted => {
                state = State::Block { opened: (number, index + 1) };
                characters.next();
                stripped.push(' ');
            }
            (State::Block { .. }, '*', Some('/')) => {
                state = State::Code;
                characters.next();
                stripped.push_str("  ");
                continue;
            }
            (State::Code, '"', _) if stripped.trim_start().starts_with('#') => quoted = !quoted,
            _ => {}
        }
        stripped.push(if matches!(state, State::Code) { character } else { blank(character) });
    }
    if matches!(state, State::Line) && !line.ends_with('\\') {
        state = State::Code;
    }
    (stripped, state)
}

/// Tabs stay, so that columns still look right.
fn blank(character: char) -> char {
    if character == '\t' { '\t' } else { ' ' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_blanks_of_the_same_length() {
        let stripped = strip("a /* b */ c // d\ne /* f\n g */ h\n");
        assert_eq!(stripped.lines, ["a         c     ", "e     ", "      h"]);
        assert_eq!(stripped.open, None);
    }

    #[test]
    fn comments_that_reach_over_an_end_of_a_line_are_told() {
        let stripped = strip("a /* b */\n c /*\n\n */ #d /* e */\n// \\\nf\n");
        let carries: Vec<bool> = (0..6).map(|index| stripped.carries(index)).collect();
        assert_eq!(carries, [false, true, true, true, true, true]);
        let around = comments_around(" */ #d /* e */", &stripped.lines[3]);
        assert_eq!(around, (" */".to_owned(), "   /* e */".to_owned()));
    }

    #[test]
    fn an_open_comment_is_found_where_it_starts() {
        assert_eq!(strip("a\n  /* b\n*\n").open, Some((2, 3)));
        assert_eq!(strip("/*/").open, Some((1, 1)));
        assert_eq!(strip("// /* b").open, None);
    }

    #[test]
    fn a_quoted_name_may_hold_slashes() {
        assert_eq!(strip("#include \"a//b\" // c").lines, ["#include \"a//b\"     "]);
    }

    #[test]
    fn a_backslash_carries_a_line_comment_on() {
        assert_eq!(strip("// a \\\nout vec4 b;\nc").lines[1..], ["           ", "c"]);
    }
}
