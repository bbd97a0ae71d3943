//! A line of a file with a caret under a position.

use std::fmt;

use crate::error::visible::visible;

/// A line of a file, its number, and where known the column to point at. It is displayed as
/// ```text
///    12 |     foo = 1.0;
///       |     ^
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The line's number, from 1.
    pub line: usize,
    /// The line's text.
    pub text: String,
    /// The column of the caret in characters, from 1.
    pub column: Option<usize>,
}

/// The number of characters of a line that are shown; longer lines are cut around the caret.
const WIDEST: usize = 120;

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, column) = self.window();
        write!(f, "{:5} | {text}", self.line)?;
        let Some(column) = column else { return Ok(()) };
        let tab_or_space = |c: char| if c == '\t' { '\t' } else { ' ' };
        let before: String = text.chars().take(column - 1).map(tab_or_space).collect();
        write!(f, "\n      | {before}^")
    }
}

impl Excerpt {
    /// Makes an excerpt of a line's number, its text, and the column to point at.
    pub fn new(line: usize, text: impl Into<String>, column: Option<usize>) -> Excerpt {
        Excerpt { line, text: text.into(), column }
    }

    /// Returns the part of the line that is shown and the caret's column in it. A column that lies
    /// beyond the line's end points just behind the end.
    fn window(&self) -> (String, Option<usize>) {
        let text = visible(self.text.trim_end()).into_owned();
        let length = text.chars().count();
        let column = self.column.map(|column| column.clamp(1, length + 1));
        if length <= WIDEST {
            return (text, column);
        }
        let middle = column.unwrap_or(1);
        let start = middle.saturating_sub(WIDEST / 2).min(length - WIDEST);
        let mut shown: String = text.chars().skip(start).take(WIDEST).collect();
        if start > 0 {
            shown = format!("...{}", shown.chars().skip(3).collect::<String>());
        }
        (shown, column.map(|column| column - start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, column: Option<usize>) -> String {
        Excerpt { line: 12, text: text.into(), column }.to_string()
    }

    #[test]
    fn the_caret_stands_under_its_column() {
        assert_eq!(show("    foo = 1.0;", Some(5)), "   12 |     foo = 1.0;\n      |     ^");
    }

    #[test]
    fn tabs_before_the_caret_stay_tabs() {
        assert_eq!(show("\tfoo;", Some(2)), "   12 | \tfoo;\n      | \t^");
    }

    #[test]
    fn controls_are_pictures_and_the_caret_stays_under_its_token() {
        let shown = show("a\0\x1b[31m\r\x7f\u{9b}foo", Some(11));
        assert_eq!(
            shown,
            "   12 | a\u{2400}\u{241b}[31m\u{240d}\u{2421}\u{fffd}foo\n      |           ^"
        );
    }

    #[test]
    fn a_column_outside_the_line_is_brought_to_its_end() {
        assert_eq!(show("ab", Some(40)), "   12 | ab\n      |   ^");
        assert_eq!(show("", Some(0)), "   12 | \n      | ^");
    }

    #[test]
    fn without_a_column_there_is_no_caret() {
        assert_eq!(show("ab", None), "   12 | ab");
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_caret() {
        let text = format!("{}foo{}", "x ".repeat(500), " y".repeat(500));
        let shown = show(&text, Some(1001));
        let (line, caret) = shown.split_once('\n').unwrap_or_default();
        assert!(line.chars().count() <= WIDEST + 8);
        let column = caret.chars().count() - 1;
        assert_eq!(line.chars().skip(column).take(3).collect::<String>(), "foo");
    }
}
