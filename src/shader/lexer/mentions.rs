//! The words of a text, as a driver finds them: lines that continue in the next are joined first,
//! and comments count for nothing.

use std::borrow::Cow;

use super::comments::strip;

/// The words of loops.
pub const LOOPS: [&str; 3] = ["for", "while", "do"];

/// Returns whether a text contains one of these words outside comments; directives are searched
/// too, since macros may hold them.
pub fn mentions(text: &str, words: &[&str]) -> bool {
    if !has_parts_of(text, words) {
        return false;
    }
    logical_lines(text).iter().any(|(_, line)| names(line).any(|name| words.contains(&name)))
}

/// Returns the same for a text whose macros may also paste the words: one with `##` counts as
/// having all of them.
pub fn may_mention(text: &str, words: &[&str]) -> bool {
    let may_paste = has_parts_of(text, &["##"]);
    mentions(text, words) || may_paste && logical_lines(text).iter().any(|(_, line)| pastes(line))
}

/// Returns whether a text has one of these words anywhere, also in comments, or may have one that
/// the end of a line cuts: most have not.
pub(in crate::shader) fn has_parts_of(text: &str, words: &[&str]) -> bool {
    text.contains('\\') || words.iter().any(|word| text.contains(word))
}

pub(in crate::shader) fn pastes(line: &str) -> bool {
    line.contains("##")
}

/// Returns the names, keywords and numbers of a line.
pub(in crate::shader) fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| !is_letter(c))
}

/// Returns the columns, from 1, of a token in a line.
pub(in crate::shader) fn columns(line: &str, token: &str) -> Vec<usize> {
    let is_word = token.chars().all(is_letter);
    let stands_alone = |&(index, found): &(usize, &str)| {
        let before = line.get(..index).and_then(|text| text.chars().next_back());
        let behind = line.get(index + found.len()..).and_then(|text| text.chars().next());
        !is_word || !(before.is_some_and(is_letter) || behind.is_some_and(is_letter))
    };
    let column = |(index, _)| line.get(..index).map_or(1, |before| before.chars().count() + 1);
    line.match_indices(token).filter(stands_alone).map(column).collect()
}

pub(in crate::shader) fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the lines without comments, those that end in a backslash with what follows them, each
/// with the number of its first line: a driver joins them before it looks for words and comments.
pub(in crate::shader) fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut joined = String::with_capacity(text.len());
    let mut firsts = vec![];
    let mut goes_on = false;
    for (index, line) in text.lines().enumerate() {
        if !goes_on {
            firsts.push(index + 1);
        }
        goes_on = line.ends_with('\\');
        joined += line.strip_suffix('\\').unwrap_or(line);
        if !goes_on {
            joined.push('\n');
        }
    }
    let lines = strip(&joined).lines.into_iter().map(Cow::into_owned);
    firsts.into_iter().zip(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_across_lines_that_go_on_and_not_in_comments() {
        assert!(mentions("whi\\\nle (x)", &LOOPS));
        assert!(mentions("a\n#define L fo\\\n\\\nr\n", &LOOPS));
        for without in ["whi\nle", "// wh\\\nile", "/* do\\\nfor */", "wh\\\niles", "\\"] {
            assert!(!mentions(without, &LOOPS), "{without:?}");
        }
    }

    #[test]
    fn what_pastes_words_may_paste_any() {
        assert!(may_mention("#define CAT(a, b) a##b", &LOOPS));
        assert!(may_mention("#define CAT(a, b) a#\\\n#b", &LOOPS));
        assert!(!may_mention("// a##b\n/* ## */", &LOOPS));
        assert!(!mentions("#define CAT(a, b) a##b", &LOOPS));
    }

    #[test]
    fn a_line_that_goes_on_has_the_number_of_its_first_line() {
        let lines = logical_lines("a\nb\\\nc\\\n\nd");
        assert_eq!(lines, [(1, "a".into()), (2, "bc".into()), (5, "d".into())]);
    }
}
