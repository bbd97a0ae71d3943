//! Text of files and names on its way to a terminal, which would obey the control characters in it.

use std::borrow::Cow;

/// Returns the text with a picture for each control character but tabs and ends of lines, such as
/// `␛` for escape.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.chars().any(|c| shown(c) != c) {
        true => Cow::Owned(text.chars().map(shown).collect()),
        false => Cow::Borrowed(text),
    }
}

/// Returns the character, or one of equal width if it is a control character, so that a caret stays
/// under its token.
fn shown(c: char) -> char {
    match u32::from(c) {
        0x09 | 0x0a => c,
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ if c.is_control() => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_pictures_and_all_else_stays() {
        assert_eq!(visible("a\0\x1b[31m\r\x7f\u{9b}é\t\nb"), "a␀␛[31m␍␡\u{fffd}é\t\nb");
        assert!(matches!(visible("plain, naïve\n"), Cow::Borrowed(_)));
    }
}
