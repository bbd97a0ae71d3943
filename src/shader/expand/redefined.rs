//! Words of the prelude to which a text gives a meaning of its own.

use super::lines::Line;
use crate::shader::lexer::comments::strip;
use crate::shader::lexer::tokens::{Token, Word, tokens};
use crate::shader::source::embedded;
use crate::shader::source::embedded::PRELUDE;

/// Takes the prelude's meaning from the words that the text defines, and in a pasted text also from
/// those that it declares. A text that asks for a word by `#ifndef`, or undefines it, finds it as
/// the prelude has it.
pub(super) fn undefined(body: &[Line], is_plain: bool) -> Vec<String> {
    let text: String = body.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect();
    let prelude = embedded::text(PRELUDE).unwrap_or_default();
    let mut words: Vec<&str> =
        prelude.lines().filter_map(|line| named(line, &["define"])).collect();
    words.retain(|word| !word.starts_with("QUADRILLE_") && text.contains(word));
    words.sort_unstable();
    words.dedup();
    if words.is_empty() {
        return Vec::new();
    }
    let stripped = strip(&text).lines;
    let tokens = if is_plain { Vec::new() } else { tokens(&text) };
    let is_own = |word: &&str| {
        let asks = |line: &str| is_asked(line, word) || named(line, &["undef"]) == Some(word);
        let defines = |line: &str| named(line, &["define"]) == Some(word);
        let defined = stripped.iter().any(|line| defines(line));
        (defined || declares(&tokens, word)) && !stripped.iter().any(|line| asks(line))
    };
    words.into_iter().filter(is_own).map(|word| format!("#undef {word}")).collect()
}

/// Returns the name behind one of these directives.
fn named<'a>(line: &'a str, directives: &[&str]) -> Option<&'a str> {
    let (directive, rest) = split(line.trim_start().strip_prefix('#')?.trim_start());
    directives.contains(&directive).then(|| split(rest.trim_start()).0)
}

/// Returns whether a condition asks for a word.
fn is_asked(line: &str, word: &str) -> bool {
    let Some(after) = line.trim_start().strip_prefix('#') else { return false };
    let (directive, rest) = split(after.trim_start());
    let words = rest.split(|c: char| !is_letter(c));
    ["if", "ifdef", "ifndef", "elif"].contains(&directive) && words.into_iter().any(|w| w == word)
}

/// Returns a name at the beginning, and the rest.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| !is_letter(c)).unwrap_or(text.len()))
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns whether a word is declared: it stands behind a type.
fn declares(tokens: &[Token], word: &str) -> bool {
    tokens.windows(3).any(|window| match window {
        [Token { word: Word::Name(kind), .. }, Token { word: Word::Name(name), .. }, behind] => {
            let ends = matches!(behind.word, Word::Mark(';' | ',' | '=' | '[' | '(' | ')'));
            name == word && ends && !["return", "else"].contains(&kind.as_str())
        }
        _ => false,
    })
}
