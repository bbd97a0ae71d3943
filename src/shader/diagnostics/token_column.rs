//! Finds the column that a driver's message means.
//!
//! Only Mesa gives a column, and it counts in a text of its own, where each run of blanks or
//! comments has become one blank. Where the message quotes a token, the token is looked for in the
//! line, nearest to the column given. Mesa also counts after macros have been replaced: behind a
//! macro its column means nothing here, and only a quoted token can be pointed at.

use crate::shader::expand::expanded::Replaced;
use crate::shader::lexer::comments::strip;
use crate::shader::lexer::mentions::columns;
use crate::shader::lexer::tokens::is_letter;

/// Returns the column, from 1, of the token that the message is about; `given` is the driver's
/// column, and `replaced` returns the replacement of a word of the line that precedes the driver's
/// count.
pub(crate) fn find(
    line: &str,
    message: &str,
    given: Option<usize>,
    replaced: impl Fn(&str) -> Replaced,
) -> Option<usize> {
    let given = given.and_then(|column| uncollapsed(line, column, &replaced));
    let near = given.unwrap_or(1);
    let nearest =
        |columns: Vec<usize>| columns.into_iter().min_by_key(|&column| column.abs_diff(near));
    // A driver quotes the word that a macro left.
    let of_token = |token: &str| match columns(line, token) {
        none if none.is_empty() => nearest(macros_for(line, token, &replaced)),
        some => nearest(some),
    };
    quoted(message).into_iter().find_map(of_token).or(given)
}

/// Returns the columns of the words of a line that a macro replaces by this one.
fn macros_for(line: &str, token: &str, replaced: impl Fn(&str) -> Replaced) -> Vec<usize> {
    let is_meant = |word: &&str| matches!(replaced(word), Replaced::By(by) if by == token);
    let mut words: Vec<&str> =
        line.split(|c| !is_letter(c)).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    words.into_iter().filter(is_meant).flat_map(|word| columns(line, word)).collect()
}

/// Returns the column of the first name that a message quotes, for a message that is about another
/// line.
pub(crate) fn of_name(line: &str, message: &str) -> Option<usize> {
    let names = quoted(message).into_iter().filter(|token| token.chars().all(is_letter));
    names.flat_map(|name| columns(line, name)).next()
}

/// Returns the quoted part of a message, in any driver's quotes: `a', 'a', "a".
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

/// Returns the column of the line for a column that a driver counted: with every run of blanks made
/// one, and macros replaced. None beyond the end of the line, and behind a macro that leaves other
/// than a word.
fn uncollapsed(line: &str, column: usize, replaced: impl Fn(&str) -> Replaced) -> Option<usize> {
    let column = column.checked_sub(1)?;
    let bare = strip(line).lines.concat();
    let mut counted = 0;
    let mut at = 0;
    let mut rest = bare.as_str();
    while let Some(first) = rest.chars().next() {
        let alike = |c: char| match first {
            _ if is_letter(first) => is_letter(c),
            _ if first.is_whitespace() => c.is_whitespace(),
            _ => false,
        };
        let length = rest.find(|c| !alike(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (piece, behind) = rest.split_at(length);
        let (own, driver) = (
            piece.chars().count(),
            match first {
                _ if first.is_whitespace() => 1,
                _ if is_letter(first) => match replaced(piece) {
                    Replaced::Not => piece.len(),
                    Replaced::By(word) => word.len(),
                    // The macro itself can still be meant.
                    Replaced::Unknown => return (column == counted).then_some(at + 1),
                },
                _ => 1,
            },
        );
        if column < counted + driver {
            let within = (column - counted).min(own - 1);
            let within = if matches!(replaced(piece), Replaced::By(_)) { 0 } else { within };
            return (!first.is_whitespace()).then_some(at + within + 1);
        }
        counted += driver;
        at += own;
        rest = behind;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_macro(_: &str) -> Replaced {
        Replaced::Not
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
        let replaced = |word: &str| match word {
            "READ" => Replaced::Unknown,
            _ => Replaced::Not,
        };
        let line = "    r = READ(image, p) + vec3(1);";
        assert_eq!(find(line, "types differ", Some(2), replaced), Some(5));
        assert_eq!(find(line, "types differ", Some(20), replaced), None);
        assert_eq!(find(line, "`vec3' is wrong", Some(40), replaced), Some(26));
    }

    #[test]
    fn a_column_behind_a_macro_for_a_word_is_counted_back() {
        let replaced = |word: &str| match word {
            "gl_FragColor" => Replaced::By("quadrille_out_colour".into()),
            _ => Replaced::Not,
        };
        // Mesa counts " quadrille_out_colour = 1 + vec3(2);".
        let line = "    gl_FragColor = 1 + vec3(2);";
        assert_eq!(find(line, "types differ", Some(2), replaced), Some(5));
        assert_eq!(find(line, "types differ", Some(21), replaced), Some(5));
        assert_eq!(find(line, "types differ", Some(25), replaced), Some(20));
        assert_eq!(find(line, "types differ", Some(29), replaced), Some(24));
        assert_eq!(find(line, "no `quadrille_out_colour'", Some(29), replaced), Some(5));
    }

    #[test]
    fn nothing_known_gives_no_column() {
        assert_eq!(column("short", "something is wrong", Some(80)), None);
        assert_eq!(column("short", "'' : compilation terminated", None), None);
        assert_eq!(column("short", "'sho' : part of a word", None), None);
    }
}
