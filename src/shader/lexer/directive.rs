//! The preprocessor directives that the expansion reads.

/// A line of comment-free text, as the expansion sees it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Directive<'a> {
    /// `#include "name"` or `#include <name>`, with the column of the opening quote.
    Include { name: &'a str, column: usize },
    /// `#version`: the language supplies it.
    Version,
    /// `#line`: the line table replaces it.
    Line,
    /// `#extension`: it moves to the front.
    Extension,
    /// Any other directive.
    Other,
    /// An `#include` that cannot be read, with the column where reading stopped.
    Malformed { expected: &'static str, column: usize },
}

/// Returns the directive on a line whose comments are blanked, if there is one.
pub(crate) fn directive(line: &str) -> Option<Directive<'_>> {
    let (word, rest) = split(line)?;
    Some(match word {
        "include" => include(line, rest),
        "version" => Directive::Version,
        "line" => Directive::Line,
        "extension" => Directive::Extension,
        _ => Directive::Other,
    })
}

/// Returns the word of the directive on a line without comments, and what is behind it.
pub(crate) fn split(line: &str) -> Option<(&str, &str)> {
    let after = line.trim_start().strip_prefix('#')?.trim_start();
    Some(after.split_at(after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len())))
}

fn include<'a>(line: &'a str, rest: &'a str) -> Directive<'a> {
    let start = rest.trim_start();
    let malformed =
        |at: &str, expected| Directive::Malformed { expected, column: column(line, at) };
    // Hosts that have both forms look in other folders first for one, and here there are none.
    let (quoted, close) = match (start.strip_prefix('"'), start.strip_prefix('<')) {
        (Some(quoted), _) => (quoted, '"'),
        (None, Some(quoted)) => (quoted, '>'),
        (None, None) => {
            return malformed(start, "a file name in double quotes: #include \"name.glsl\"");
        }
    };
    let Some((name, behind)) = quoted.split_once(close) else {
        let expected = match close {
            '"' => "a closing double quote: #include \"name.glsl\"",
            _ => "a closing angle bracket: #include <name.glsl>",
        };
        return malformed(start, expected);
    };
    if name.trim().is_empty() {
        return malformed(start, "a file name between the quotes: #include \"name.glsl\"");
    }
    let behind = behind.trim_start();
    if !behind.is_empty() {
        return malformed(behind, "nothing behind the file name");
    }
    Directive::Include { name, column: column(line, start) }
}

/// Returns the column, from 1, at which `tail`, a part of `line` that reaches a known point,
/// begins.
fn column(line: &str, tail: &str) -> usize {
    let offset = tail.as_ptr() as usize - line.as_ptr() as usize;
    line.get(..offset).map_or(1, |before| before.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_read_with_any_spacing() {
        let expected = Directive::Include { name: "a b.glsl", column: 14 };
        assert_eq!(directive("  # include  \"a b.glsl\"  "), Some(expected));
        let expected = Directive::Include { name: "a.glsl", column: 10 };
        assert_eq!(directive("#include <a.glsl>"), Some(expected));
    }

    #[test]
    fn a_malformed_include_says_where() {
        for (line, at) in [
            ("#include <a.glsl", 10),
            ("#include <a.glsl\"", 10),
            ("#include \"a.glsl", 10),
            ("#include \"a.glsl\" b", 19),
            ("#include \"\"", 10),
            ("#include", 9),
            ("#include a", 10),
        ] {
            let found = directive(line);
            assert!(
                matches!(found, Some(Directive::Malformed { column, .. }) if column == at),
                "{line}: {found:?}"
            );
        }
    }

    #[test]
    fn other_lines_are_told_apart() {
        assert_eq!(directive("#version 330"), Some(Directive::Version));
        assert_eq!(directive("# line 3"), Some(Directive::Line));
        assert_eq!(directive("#extension GL_X : enable"), Some(Directive::Extension));
        assert_eq!(directive("#ifdef A"), Some(Directive::Other));
        assert_eq!(directive("#define include \"a\""), Some(Directive::Other));
        assert_eq!(directive("#"), Some(Directive::Other));
        assert_eq!(directive("includes # here"), None);
    }
}
