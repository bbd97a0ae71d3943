//! A DIMACS text as words with their positions, without comments.

use std::io::BufRead;
use std::path::Path;

use quadrille::error::Place;

use super::error::{Error, Result, reading, whole_file};

/// Longer words are errors.
const LONGEST_WORD: usize = 64;

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// A word of the text. It holds its bytes itself, since a file has millions of words.
pub(super) struct Token {
    bytes: [u8; LONGEST_WORD],
    length: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    /// Whether it is the first word of its line.
    pub(super) begins_line: bool,
}

impl Token {
    pub(super) fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Returns the number that the token holds, or `i64::MAX` if that is too large.
    pub(super) fn number(&self) -> Option<i64> {
        let text = std::str::from_utf8(self.text()).ok()?;
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(text.parse().unwrap_or(i64::MAX))
    }

    /// Returns the text in backquotes, with bytes escaped, cut if it is long.
    pub(super) fn quoted(&self) -> String {
        const MOST: usize = 24;
        let shown = self.text()[..self.length.min(MOST)].escape_ascii();
        let more = if self.length > MOST { "..." } else { "" };
        format!("`{shown}{more}`")
    }
}

/// Reads words from a text, one buffer of it at a time.
pub(super) struct Scanner<'a, R> {
    path: &'a Path,
    reader: R,
    line: usize,
    /// The column of the next byte.
    column: usize,
    begins_line: bool,
}

impl<'a, R: BufRead> Scanner<'a, R> {
    pub(super) fn new(path: &'a Path, reader: R) -> Self {
        Scanner { path, reader, line: 1, column: 1, begins_line: true }
    }

    /// Returns the next word; none at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token>> {
        loop {
            match self.peek()? {
                None => return Ok(None),
                Some(byte) if is_space(byte) => self.advance(byte),
                Some(b'c') if self.begins_line => self.skip_line()?,
                Some(_) => return self.word().map(Some),
            }
        }
    }

    /// Skips the byte order mark that some editors write; it counts as no column.
    pub(super) fn skip_byte_order_mark(&mut self) -> Result<()> {
        if self.peek()? != Some(BYTE_ORDER_MARK[0]) {
            return Ok(());
        }
        for byte in BYTE_ORDER_MARK {
            if self.peek()? != Some(byte) {
                let expected = "a whole byte order mark or none";
                return Err(self.syntax_here(expected, "a part of one"));
            }
            self.reader.consume(1);
        }
        Ok(())
    }

    /// Skips to the end of the line; only white space may follow `what`.
    pub(super) fn must_end_line(&mut self, what: &str) -> Result<()> {
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
            if !is_space(byte) {
                let token = self.word()?;
                let expected = format!("the end of the line after {what}");
                return Err(self.syntax(&token, expected, token.quoted()));
            }
            self.advance(byte);
        }
        Ok(())
    }

    /// Checks the end of the file after `%`: files of SATLIB have at most one 0 there, which is not
    /// a clause.
    pub(super) fn must_end_after_percent(&mut self) -> Result<()> {
        while let Some(token) = self.next()? {
            if token.text() != b"0" {
                let expected = "nothing but 0 after `%`, which ends the formula";
                return Err(self.syntax(&token, expected, token.quoted()));
            }
        }
        Ok(())
    }

    pub(super) fn place(&self, token: &Token) -> Place {
        Place { line: Some(token.line), ..whole_file(self.path) }.at_column(token.column)
    }

    pub(super) fn syntax(
        &self,
        token: &Token,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> Error {
        Error::Syntax { place: self.place(token), expected: expected.into(), got: got.into() }
    }

    /// Returns an error at the current line; at the end of the text, the last one.
    pub(super) fn syntax_here(&self, expected: impl Into<String>, got: impl Into<String>) -> Error {
        let place = Place { line: Some(self.line), ..whole_file(self.path) };
        Error::Syntax { place, expected: expected.into(), got: got.into() }
    }

    fn word(&mut self) -> Result<Token> {
        let (line, column, begins_line) = (self.line, self.column, self.begins_line);
        let bytes = [0; LONGEST_WORD];
        let mut token = Token { bytes, length: 0, line, column, begins_line };
        while let Some(byte) = self.peek()?.filter(|&byte| !is_space(byte)) {
            let Some(room) = token.bytes.get_mut(token.length) else {
                let expected = format!("words of at most {LONGEST_WORD} bytes");
                return Err(self.syntax(&token, expected, token.quoted()));
            };
            *room = byte;
            token.length += 1;
            self.advance(byte);
        }
        Ok(token)
    }

    fn skip_line(&mut self) -> Result<()> {
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
            self.advance(byte);
        }
        Ok(())
    }

    fn peek(&mut self) -> Result<Option<u8>> {
        let buffer = self.reader.fill_buf().map_err(reading(self.path))?;
        Ok(buffer.first().copied())
    }

    /// Skips the byte that `peek` returned.
    fn advance(&mut self, byte: u8) {
        self.reader.consume(1);
        if byte == b'\n' {
            (self.line, self.column, self.begins_line) = (self.line + 1, 1, true);
        } else {
            self.column += 1;
            self.begins_line &= is_space(byte);
        }
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
