//! The tokens of GLSL.

use std::rc::Rc;

/// The position of a character: its line, counted from 1, and the characters of the line in front
/// of it.
pub type Position = (usize, usize);

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The token.
    pub text: Rc<str>,
    /// The part that it came from.
    pub from: Span,
    /// Whether it is the name of a macro that has come out of this macro, which leaves it.
    pub is_painted: bool,
}

impl Piece {
    /// Returns whether it is a name or a keyword.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(is_first_letter)
    }
}

/// The operators of several characters, the longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "##", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// Cuts a line without comments into tokens.
pub(super) fn cut(line: &str, number: usize, pieces: &mut Vec<Piece>) {
    let (mut rest, mut column) = (line, 0);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_first_letter(first) => name(rest),
            _ if is_number(rest) => number_length(rest),
            _ => {
                let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
                operator.map_or(first.len_utf8(), |operator| operator.len())
            }
        };
        let (text, behind) = rest.split_at(length);
        let end = column + text.chars().count();
        // A backslash only says that the line continues.
        if !first.is_whitespace() && first != '\\' {
            let from = Span { start: (number, column), end: (number, end), is_macro: false };
            pieces.push(Piece { text: text.into(), from, is_painted: false });
        }
        (rest, column) = (behind, end);
    }
}

fn is_first_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Returns the number of bytes of the name at the beginning.
pub(super) fn name(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
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
        !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || is_sign)
    };
    text.find(ends).unwrap_or(text.len())
}
