//! Cuts GLSL text into tokens.

use std::rc::Rc;

use super::directive::split;
use super::hidden::Hidden;
use super::lines::{Line, Position, lines};
use super::verdict::Verdict;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first character.
    pub start: Position,
    /// The first character behind it.
    pub end: Position,
    /// Whether it is the use of a macro.
    pub is_macro: bool,
}

/// A token, and the part of the text that it came from: itself, or the use of a macro.
#[derive(Clone, Debug)]
pub struct Token {
    /// The token; `#if`, `#else` or `#endif` for a directive that begins or ends a branch.
    pub text: Rc<str>,
    /// The part that it came from.
    pub from: Span,
    /// Whether it is the name of a macro that has come out of this macro, which leaves it.
    pub is_painted: bool,
    /// Whether a driver keeps it.
    pub(in crate::shader) kept: Verdict,
    /// The macros that it came out of.
    pub(super) hidden: Hidden,
}

impl Token {
    /// Returns a token that stands in no text.
    pub(super) fn bare(text: impl Into<Rc<str>>) -> Token {
        let from = Span { start: (0, 0), end: (0, 0), is_macro: false };
        Token {
            text: text.into(),
            from,
            is_painted: false,
            kept: Verdict::Yes,
            hidden: Hidden::default(),
        }
    }

    /// Returns whether it is this one.
    pub fn is(&self, text: &str) -> bool {
        *self.text == *text
    }

    /// Returns whether it is a name or a keyword.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(is_first_letter)
    }

    /// Returns a name, a keyword or a number.
    pub fn word(&self) -> Option<&str> {
        self.text.starts_with(is_letter).then_some(&*self.text)
    }

    /// Returns whether it is a directive that begins or ends a branch.
    pub fn is_branch(&self) -> bool {
        self.text.len() > 2 && self.text.starts_with('#')
    }

    /// Returns the number of its line, counted from 1.
    pub fn line(&self) -> usize {
        self.from.start.0
    }
}

/// Returns the tokens of a text. Comments and directives are left out, apart from the conditional
/// ones.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for line in lines(text) {
        match split(&line.text) {
            None => cut(&line, Verdict::Yes, &mut tokens),
            Some((word, _)) => tokens.extend(branch(word, &line, Verdict::Yes)),
        }
    }
    tokens
}

/// Appends the tokens of a line.
pub(super) fn cut(line: &Line<'_>, kept: Verdict, tokens: &mut Vec<Token>) {
    tokens.extend(words(&line.text).map(|(column, text)| {
        let (last, before) = line.position(column + text.chars().count() - 1);
        let from = Span { start: line.position(column), end: (last, before + 1), is_macro: false };
        Token { from, kept, ..Token::bare(text) }
    }));
}

/// Returns the token of a directive that begins or ends a branch.
pub(super) fn branch(word: &str, line: &Line<'_>, kept: Verdict) -> Option<Token> {
    let text = match word {
        "if" | "ifdef" | "ifndef" => "#if",
        "elif" | "else" => "#else",
        "endif" => "#endif",
        _ => return None,
    };
    let start = (line.number, 0);
    Some(Token { from: Span { start, end: start, is_macro: false }, kept, ..Token::bare(text) })
}

/// The operators of several characters, the longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "##", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// Returns the tokens of a line without comments, each with the characters in front of it.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut rest, mut column) = (line, 0);
    std::iter::from_fn(move || {
        // A backslash only says that the line continues.
        let behind = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
        let start = column + rest[..rest.len() - behind.len()].chars().count();
        let (text, behind) = behind.split_at(length(behind, behind.chars().next()?));
        (rest, column) = (behind, start + text.chars().count());
        Some((start, text))
    })
}

/// Returns the number of bytes of the token at the beginning.
fn length(text: &str, first: char) -> usize {
    if is_first_letter(first) {
        return name(text).len();
    }
    if is_number(text) {
        return number_length(text);
    }
    let is_doubled = text.as_bytes().get(1).is_some_and(|second| b"=+-<>&|^#".contains(second));
    let operator = OPERATORS.iter().find(|operator| is_doubled && text.starts_with(**operator));
    operator.map_or(first.len_utf8(), |operator| operator.len())
}

pub(crate) fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(super) fn is_first_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Returns the name at the beginning.
pub(crate) fn name(text: &str) -> &str {
    &text[..text.find(|c| !is_letter(c)).unwrap_or(text.len())]
}

fn is_number(text: &str) -> bool {
    text.strip_prefix('.').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the number of bytes of the number at the beginning: letters, digits, points, and the
/// sign of an exponent.
fn number_length(text: &str) -> usize {
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut before = ' ';
    let ends = |c: char| {
        let is_sign = ['+', '-'].contains(&c) && ['e', 'E'].contains(&before) && !is_hexadecimal;
        before = c;
        !(is_letter(c) || c == '.' || is_sign)
    };
    text.find(ends).unwrap_or(text.len())
}
