//! The words of a text, and those that it declares itself.

use std::collections::HashSet;

use quadrille::internal::shader::strip;
use quadrille::internal::shader::{Token, Word, tokens};

/// The words of a text, comments and quoted names left out.
pub(super) struct Words {
    /// All of them, those in directives too, since macros may hold them.
    all: HashSet<String>,
    /// Those that the text gives a meaning at its outermost level: macros, functions, variables.
    own: HashSet<String>,
    tokens: Vec<Token>,
    pastes: bool,
}

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let tokens = tokens(text);
        let mut words =
            Words { all: HashSet::new(), own: declared(&tokens), tokens, pastes: false };
        for line in strip(text).lines {
            let bare = unquoted(&line);
            words.all.extend(names(&bare).map(str::to_owned));
            words.own.extend(defined(&bare).map(str::to_owned));
            words.pastes |= bare.contains("##");
        }
        words
    }

    /// Returns whether a word stands in the text.
    pub(super) fn has(&self, word: &str) -> bool {
        self.all.contains(word)
    }

    /// Returns whether macros put words together, which may then be any.
    pub(super) fn pastes(&self) -> bool {
        self.pastes
    }

    /// Returns whether a word stands in the text, which gives it no meaning of its own.
    pub(super) fn needs(&self, word: &str) -> bool {
        self.has(word) && !self.own.contains(word)
    }

    /// Returns whether the text declares this at its outermost level, or defines it as a macro.
    pub(super) fn declares(&self, word: &str) -> bool {
        self.own.contains(word)
    }

    /// Finds each `word[...]` of the text: the line of the word, and the number between the
    /// brackets if it is one.
    pub(super) fn indices(&self, word: &str) -> Vec<(usize, Option<usize>)> {
        let is_word = |token: &Token| matches!(&token.word, Word::Name(name) if name == word);
        let index = |window: &[Token]| match window {
            [name, open, number, close] if is_word(name) && open.word == Word::Mark('[') => {
                let number = match &number.word {
                    Word::Name(digits) if close.word == Word::Mark(']') => digits.parse().ok(),
                    _ => None,
                };
                Some((name.line, number))
            }
            _ => None,
        };
        self.tokens.windows(4).filter_map(index).collect()
    }
}

/// Returns a line without what stands in quotes, which GLSL has in `#include` alone.
fn unquoted(line: &str) -> String {
    line.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}

fn names(line: &str) -> impl Iterator<Item = &str> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    line.split(move |c| !letter(c)).filter(name)
}

/// Returns the name that a `#define` gives a meaning.
fn defined(line: &str) -> Option<&str> {
    let after = line.trim_start().strip_prefix('#')?.trim_start();
    names(after.strip_prefix("define")?).next()
}

/// Returns the names that statements at the outermost level declare: the last name behind a type
/// or, in a list, behind a comma.
fn declared(tokens: &[Token]) -> HashSet<String> {
    let mut own = HashSet::new();
    let (mut depth, mut typed) = (0_i32, false);
    let mut before: Option<&Word> = None;
    let behind = tokens.iter().skip(1).map(|token| Some(&token.word)).chain([None]);
    for (Token { word, .. }, behind) in tokens.iter().zip(behind) {
        let outermost = depth == 0;
        match word {
            Word::Mark('{' | '(' | '[') => depth += 1,
            Word::Mark('}' | ')' | ']') => depth = (depth - 1).max(0),
            Word::Name(name) if outermost && ends_a_declarator(behind) => {
                let behind_type = matches!(before, Some(Word::Name(_) | Word::Mark(']')));
                if behind_type || (typed && before == Some(&Word::Mark(','))) {
                    own.insert(name.clone());
                    typed = true;
                }
            }
            _ => {}
        }
        if matches!(word, Word::Mark(';' | '}')) || is_condition(word) {
            typed = false;
        }
        before = Some(word);
    }
    own
}

/// Returns whether what follows a name shows that the name is declared, not a type.
fn ends_a_declarator(behind: Option<&Word>) -> bool {
    matches!(behind, Some(Word::Mark(';' | ',' | '=' | '[' | '(')))
}

fn is_condition(word: &Word) -> bool {
    matches!(word, Word::If | Word::Else | Word::Endif)
}
