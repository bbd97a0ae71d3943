//! The words of a text, as a driver finds them: lines that continue in the next are joined first,
//! and comments count for nothing.

use super::lines::lines;
use super::tokens::is_letter;

/// The words of loops.
pub const LOOPS: [&str; 3] = ["for", "while", "do"];

/// Returns whether a text contains one of these words outside comments; directives are searched
/// too, since macros may hold them.
pub fn mentions(text: &str, words: &[&str]) -> bool {
    if !has_parts_of(text, words) {
        return false;
    }
    lines(text).iter().any(|line| names(&line.text).any(|name| words.contains(&name)))
}

/// Returns the same for a text whose macros may also paste the words: one with `##` counts as
/// having all of them.
pub fn may_mention(text: &str, words: &[&str]) -> bool {
    let may_paste = has_parts_of(text, &["##"]);
    mentions(text, words) || may_paste && lines(text).iter().any(|line| pastes(&line.text))
}

/// Returns whether a text has one of these words anywhere, also in comments, or may have one that
/// the end of a line cuts: most have not.
pub(crate) fn has_parts_of(text: &str, words: &[&str]) -> bool {
    text.contains('\\') || words.iter().any(|word| text.contains(word))
}

pub(crate) fn pastes(line: &str) -> bool {
    line.contains("##")
}

/// Returns the names, keywords and numbers of a line.
pub(crate) fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| !is_letter(c))
}

/// Returns the columns, from 1, of a token in a line.
pub(crate) fn columns(line: &str, token: &str) -> Vec<usize> {
    let is_word = token.chars().all(is_letter);
    let stands_alone = |&(index, found): &(usize, &str)| {
        let before = line.get(..index).and_then(|text| text.chars().next_back());
        let behind = line.get(index + found.len()..).and_then(|text| text.chars().next());
        !is_word || !(before.is_some_and(is_letter) || behind.is_some_and(is_letter))
    };
    let column = |(index, _)| line.get(..index).map_or(1, |before| before.chars().count() + 1);
    line.match_indices(token).filter(stands_alone).map(column).collect()
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
}
