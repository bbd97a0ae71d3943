//! Words of the prelude to which a text gives a meaning of its own.

use super::lines::Line;
use crate::shader::lexer::comments::strip;
use crate::shader::lexer::directive;
use crate::shader::lexer::tokens::{Token, is_letter, name, tokens};
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
    let (directive, rest) = directive::split(line)?;
    directives.contains(&directive).then(|| name(rest.trim_start()))
}

/// Returns whether a condition asks for a word.
fn is_asked(line: &str, word: &str) -> bool {
    let Some((directive, rest)) = directive::split(line) else { return false };
    let words = rest.split(|c: char| !is_letter(c));
    ["if", "ifdef", "ifndef", "elif"].contains(&directive) && words.into_iter().any(|w| w == word)
}

/// Returns whether a word is declared: it stands behind a type.
fn declares(tokens: &[Token], word: &str) -> bool {
    tokens.windows(3).any(|window| match window {
        [kind, name, behind] => {
            let ends = [";", ",", "=", "[", "(", ")"].contains(&&*behind.text);
            name.is(word)
                && ends
                && kind.word().is_some_and(|kind| !["return", "else"].contains(&kind))
        }
        _ => false,
    })
}
