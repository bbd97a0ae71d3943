//! Text of files and names on its way to a terminal, which would obey the control characters in it, or
//! to the log of a service for CI, which takes lines for commands.

use std::borrow::Cow;

/// Returns the text with a picture for each control character but tabs and ends of lines, such as
/// `␛` for escape, and for those that turn the direction of writing.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.chars().any(|c| shown(c) != c) {
        true => Cow::Owned(text.chars().map(shown).collect()),
        false => Cow::Borrowed(text),
    }
}

/// Returns a name that may come from a file, which is one line whatever is in it.
pub fn visible_name(name: &str) -> Cow<'_, str> {
    match visible(name) {
        name if !name.contains('\n') => name,
        name => Cow::Owned(name.replace('\n', "\u{240a}")),
    }
}

/// Returns the text as nobody who reads it line by line takes it for commands: visible, and with a
/// backslash in what the log of GitHub's actions obeys, `::` at the beginning of a line and `##[`
/// anywhere.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    if !text.split('\n').any(is_command) {
        return text;
    }
    let line = |line: &str| {
        let line = line.replace("##[", "##\\[");
        let rest = line.trim_start();
        let space = &line[..line.len() - rest.len()];
        let sign = if rest.starts_with("::") { "\\" } else { "" };
        format!("{space}{sign}{rest}")
    };
    Cow::Owned(text.split('\n').map(line).collect::<Vec<_>>().join("\n"))
}

/// Returns whether a character turns the direction of the text after it, or ends a line although it
/// is no control character.
pub fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the character, or one of equal width if it is a control character, so that a caret stays
/// under its token.
fn shown(c: char) -> char {
    match u32::from(c) {
        0x09 | 0x0a => c,
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ if c.is_control() || turns(c) => char::REPLACEMENT_CHARACTER,
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
        let turned: String = ('\u{2028}'..='\u{202e}').chain('\u{2066}'..='\u{2069}').collect();
        assert_eq!(visible(&turned), "\u{fffd}".repeat(11));
        assert_eq!(visible_name("a\n::b\u{202e}\r"), "a␊::b\u{fffd}␍");
    }

    #[test]
    fn no_line_is_a_command() {
        for (text, expected) in [
            ("a::b # [c]\n", "a::b # [c]\n"),
            ("::error::x", "\\::error::x"),
            ("a\n \t::stop-commands::x\nb", "a\n \t\\::stop-commands::x\nb"),
            ("\u{3000}::x", "\u{3000}\\::x"),
            ("a ##[error]b\r::x", "a ##\\[error]b␍::x"),
        ] {
            assert_eq!(harmless(text), expected);
        }
    }
}
