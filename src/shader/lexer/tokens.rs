//! Cuts GLSL text into the tokens that declarations are made of.

use super::comments::strip;
use super::directive::{Directive, directive};

/// A token and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The token itself.
    pub word: Word,
    /// The number of the line, counted from 1.
    pub line: usize,
    /// Characters of the line in front of it.
    pub column: usize,
}

/// The content of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A name, a keyword or a number.
    Name(String),
    /// Any other single character.
    Mark(char),
    /// `#if` and its kin.
    If,
    /// `#elif` or `#else`.
    Else,
    /// `#endif`.
    Endif,
}

impl Word {
    /// Returns the number of characters; names hold ASCII alone.
    fn length(&self) -> usize {
        match self {
            Word::Name(name) => name.len(),
            _ => 1,
        }
    }
}

/// Returns the tokens of a text. Comments and directives are left out, apart from the conditional
/// ones.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut continued = false;
    for (index, line) in strip(text).lines.iter().enumerate() {
        let number = index + 1;
        let found = if continued { Some(Directive::Other) } else { directive(line) };
        continued = found.is_some() && line.trim_end().ends_with('\\');
        let word = match found {
            None => {
                cut(line, number, &mut tokens);
                continue;
            }
            Some(Directive::If) => Word::If,
            Some(Directive::Else) => Word::Else,
            Some(Directive::Endif) => Word::Endif,
            Some(_) => continue,
        };
        tokens.push(Token { word, line: number, column: 0 });
    }
    tokens
}

/// Appends the tokens of a line without comments.
pub(super) fn cut(line: &str, number: usize, tokens: &mut Vec<Token>) {
    let mut name = String::new();
    for (column, character) in line.chars().chain([' ']).enumerate() {
        if character.is_ascii_alphanumeric() || character == '_' {
            name.push(character);
            continue;
        }
        if !name.is_empty() {
            let word = Word::Name(std::mem::take(&mut name));
            let column = column - word.length();
            tokens.push(Token { word, line: number, column });
        }
        // A backslash only says that the line continues.
        if !character.is_whitespace() && character != '\\' {
            tokens.push(Token { word: Word::Mark(character), line: number, column });
        }
    }
}
