//! Finds the column that a driver's message means.
//!
//! Only Mesa gives a column, and it counts in a text of its own, where each run of blanks or
//! comments has become one blank. Where the message quotes a token, the token is looked for in the
//! line, nearest to the column given. Mesa also counts after macros have been replaced: behind a
//! macro its column means nothing here, and only a quoted token can be pointed at.

use super::strip::strip;

/// The column, from 1, of the token that the message is about; `given` is the driver's column, and
/// `is_macro` tells which words of the line are replaced before the driver counts.
pub(super) fn find(
    line: &str,
    message: &str,
    given: Option<usize>,
    is_macro: impl Fn(&str) -> bool,
) -> Option<usize> {
    let given = given.and_then(|column| uncollapsed(line, column));
    let given = given.filter(|&column| {
        let before: String = line.chars().take(column - 1).collect();
        !before.split(|c: char| !is_letter(c)).any(&is_macro)
    });
    let near = given.unwrap_or(1);
    let nearest = |token: &str| {
        occurrences(line, token).into_iter().min_by_key(|&column| column.abs_diff(near))
    };
    quoted(message).into_iter().find_map(nearest).or(given)
}

/// The column of the first name that a message quotes, for a message that is about another line.
pub(crate) fn of_name(line: &str, message: &str) -> Option<usize> {
    let names = quoted(message).into_iter().filter(|token| token.chars().all(is_letter));
    names.flat_map(|name| occurrences(line, name)).next()
}

/// The columns of a token in a line.
fn occurrences(line: &str, token: &str) -> Vec<usize> {
    let is_word = token.chars().all(is_letter);
    let stands_alone = |&(index, found): &(usize, &str)| {
        let before = line.get(..index).and_then(|text| text.chars().next_back());
        let behind = line.get(index + found.len()..).and_then(|text| text.chars().next());
        !is_word || !(before.is_some_and(is_letter) || behind.is_some_and(is_letter))
    };
    let column = |(index, _)| line.get(..index).map_or(1, |before| before.chars().count() + 1);
    line.match_indices(token).filter(stands_alone).map(column).collect()
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The quoted part of a message, in any driver's quotes: `a', 'a', "a".
fn quoted(message: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find(['`', '\'', '"']) {
        let (_, from) = rest.split_at(start);
        let close = if from.starts_with('"') { '"' } else { '\'' };
        let inside = from.get(1..).unwrap_or_default();
        let Some((token, behind)) = inside.split_once(close) else { break };
        if !token.trim().is_empty() {
            tokens.push(token.trim());
        }
        rest = behind;
    }
    tokens
}

/// The column of the line for a column of the same line with every run of blanks made one, if the
/// line is long enough.
fn uncollapsed(line: &str, column: usize) -> Option<usize> {
    let bare = strip(line).lines.concat();
    let mut collapsed = 0;
    let mut in_blank = false;
    for (index, character) in bare.chars().enumerate() {
        let blank = character.is_whitespace();
        if !(blank && in_blank) {
            collapsed += 1;
        }
        in_blank = blank;
        if collapsed == column && !blank {
            return Some(index + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_macro(_: &str) -> bool {
        false
    }

    fn column(line: &str, message: &str, given: Option<usize>) -> Option<usize> {
        find(line, message, given, no_macro)
    }

    #[test]
    fn the_quoted_token_is_found_in_any_quotes() {
        for message in ["`foo' undeclared", "'foo' : undeclared identifier", "no \"foo\""] {
            assert_eq!(column("    foo = food;", message, None), Some(5), "{message}");
        }
    }

    #[test]
    fn the_token_nearest_to_the_given_column_is_meant() {
        // Mesa counts "a = a + foo * foo;" behind one blank.
        assert_eq!(column("    a = a +   foo * foo;", "`foo' undeclared", Some(10)), Some(15));
        assert_eq!(column("    a = a +   foo * foo;", "`foo' undeclared", Some(16)), Some(21));
    }

    #[test]
    fn a_column_without_a_token_is_counted_in_collapsed_blanks() {
        assert_eq!(column("    vec3 v = 1;", "cannot initialise", Some(2)), Some(5));
        assert_eq!(column("\t/* c */ vec3 v = 1;", "cannot initialise", Some(2)), Some(10));
        assert_eq!(column("}", "syntax error", Some(1)), Some(1));
    }

    #[test]
    fn a_column_behind_a_macro_is_not_believed() {
        let is_macro = |word: &str| word == "READ";
        let line = "    r = READ(image, p) + vec3(1);";
        assert_eq!(find(line, "types differ", Some(2), is_macro), Some(5));
        assert_eq!(find(line, "types differ", Some(20), is_macro), None);
        assert_eq!(find(line, "`vec3' is wrong", Some(40), is_macro), Some(26));
    }

    #[test]
    fn nothing_known_gives_no_column() {
        assert_eq!(column("short", "something is wrong", Some(80)), None);
        assert_eq!(column("short", "'' : compilation terminated", None), None);
        assert_eq!(column("short", "'sho' : part of a word", None), None);
    }
}
