//! Cuts a program's text into words and marks.

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) word: Word<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// Letters, digits and `_`: an opcode, a register, a number, components.
    Name(&'a str),
    /// `!!` and what follows it: `!!VP1.1`.
    Header(&'a str),
    /// A single mark, one of `, ; . [ ] + -`. [ ] + -`.
    Mark(char),
    /// The start of a comment in other languages: `//` or `/*`.
    Comment(&'static str),
    /// A character that the assembly has no use for.
    Other(char),
    /// The end of the text, forever.
    End,
}

/// The number of characters of a word that are shown in an error.
const SHOWN: usize = 40;

impl std::fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Word::Name(text) | Word::Header(text) => write!(f, "`{}`", clipped(text)),
            Word::Comment(mark) => write!(f, "`{mark}`"),
            Word::Mark(mark) => write!(f, "`{mark}`"),
            Word::Other(other) => write!(f, "{other:?}"),
            Word::End => f.write_str("the end of the text"),
        }
    }
}

/// Returns a word, or the beginning of a very long one.
pub(super) fn clipped(word: &str) -> String {
    match word.get(..SHOWN) {
        Some(start) if word.len() > SHOWN => format!("{start}..."),
        _ => word.to_owned(),
    }
}

/// The tokens of a text, one after another.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Tokens { text, at: 0 }
    }

    /// Returns the next token; behind the last, [`Word::End`] again and again.
    pub(super) fn next(&mut self) -> Token<'a> {
        self.skip_blanks_and_comments();
        let start = self.at;
        let rest = self.rest();
        let word = match rest.chars().next() {
            None => Word::End,
            Some(c) if in_name(c) => Word::Name(leading(rest, in_name)),
            Some('!') if rest.starts_with("!!") => Word::Header(leading(rest, in_header)),
            Some('/') if rest.starts_with("//") => Word::Comment("//"),
            Some('/') if rest.starts_with("/*") => Word::Comment("/*"),
            Some(c) if ",;.[]+-".contains(c) => Word::Mark(c),
            Some(c) => Word::Other(c),
        };
        self.at += match word {
            Word::Name(text) | Word::Header(text) => text.len(),
            Word::Comment(mark) => mark.len(),
            Word::Mark(c) | Word::Other(c) => c.len_utf8(),
            Word::End => 0,
        };
        Token { word, start, end: self.at }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = self.rest();
            let code = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
            self.at += rest.len() - code.len();
            if !code.starts_with('#') {
                return;
            }
            self.at += code.find('\n').unwrap_or(code.len());
        }
    }
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn in_header(c: char) -> bool {
    in_name(c) || c == '!' || c == '.'
}

/// Returns the beginning of a text that is made of such characters.
fn leading(text: &str, is_part: fn(char) -> bool) -> &str {
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word<'_>> {
        let mut tokens = Tokens::new(text);
        let all = std::iter::repeat_with(|| tokens.next().word);
        all.take_while(|&word| word != Word::End).collect()
    }

    #[test]
    fn blanks_and_comments_separate_and_vanish() {
        use Word::{Mark, Name};
        let expected = [Name("MOV"), Name("R1"), Mark('.'), Name("x"), Mark(','), Mark('-')];
        assert_eq!(words("MOV R1.x,-"), expected);
        assert_eq!(words("# \u{3c0}\nMOV\tR1 .\r\n x # a ; b\n,-#"), expected);
        assert_eq!(words("# only\n#"), []);
    }

    #[test]
    fn a_header_is_one_word() {
        use Word::{Header, Name, Other};
        assert_eq!(words("!!VP1.1\nEND"), [Header("!!VP1.1"), Name("END")]);
        assert_eq!(words("!V \u{e9}"), [Other('!'), Name("V"), Other('\u{e9}')]);
    }

    #[test]
    fn tokens_know_their_bytes() {
        let mut tokens = Tokens::new(" \u{e9} R1");
        let spans = [tokens.next(), tokens.next(), tokens.next()].map(|t| (t.start, t.end));
        assert_eq!(spans, [(1, 3), (4, 6), (6, 6)]);
    }

    #[test]
    fn a_very_long_word_is_shown_by_its_beginning() {
        let digits = "9".repeat(1000);
        assert_eq!(Word::Name(&digits).to_string(), format!("`{}...`", "9".repeat(40)));
    }
}
