//! The JSON of an ISF shader's header, and the places of what stands in it.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::dialect::Error;
use quadrille::Place;
use quadrille::Source;
use quadrille::shader::Excerpt;

/// The header of one source, and the places of what stands in it.
pub(crate) struct Reader<'a> {
    pub(crate) source: &'a Source,
    pub(crate) json: &'a str,
    /// The byte of the source's text at which it begins.
    pub(crate) start: usize,
}

impl Reader<'_> {
    /// Returns the byte of the JSON at which a part of it begins.
    pub(super) fn offset(&self, part: &RawValue) -> usize {
        (part.get().as_ptr() as usize).saturating_sub(self.json.as_ptr() as usize)
    }

    /// Returns the error of a part of the JSON.
    pub(super) fn refused(&self, part: &RawValue, key: &str, expected: &'static str) -> Error {
        let (place, excerpt) = self.at(self.offset(part));
        let got = shown(part.get());
        Error::Value { place, key: key.to_owned(), expected, got, excerpt }
    }

    pub(super) fn not_json(&self, error: &serde_json::Error) -> Error {
        // `line` and `column` count from 1, and the column in bytes.
        let lines = self.json.split_inclusive('\n').take(error.line().saturating_sub(1));
        let before: usize = lines.map(str::len).sum();
        let (place, excerpt) = self.at(before + error.column().saturating_sub(1));
        let whole = error.to_string();
        let message = whole.split(" at line ").next().unwrap_or_default().to_owned();
        Error::Json { place, message, excerpt }
    }

    /// Returns the error of a value that stands behind this text, from this byte of the JSON on.
    pub(super) fn wrong(
        &self,
        behind: &str,
        from: usize,
        key: &str,
        expected: &'static str,
        got: &Value,
    ) -> Error {
        let (place, excerpt) = self.find(behind, from);
        let got = if got.is_null() { "nothing".to_owned() } else { got.to_string() };
        Error::Value { place, key: key.to_owned(), expected, got, excerpt }
    }

    fn find(&self, text: &str, from: usize) -> (Place, Box<Excerpt>) {
        let rest = self.json.get(from..).unwrap_or_default();
        self.at(rest.find(text).map_or(from, |at| from + at))
    }

    /// Returns the place of a byte of the JSON.
    pub(super) fn at(&self, byte: usize) -> (Place, Box<Excerpt>) {
        let text = self.source.text();
        let end = (self.start + byte).min(text.len());
        let before = String::from_utf8_lossy(text.as_bytes().get(..end).unwrap_or_default());
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let place = Place::line(self.source.name(), line).at_column(column);
        let text = text.lines().nth(line - 1).unwrap_or_default().to_owned();
        (place, Box::new(Excerpt::new(line, text, Some(column))))
    }
}

/// Returns a part of the JSON on one line, and not much of it.
fn shown(json: &str) -> String {
    let words: Vec<&str> = json.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(60) {
        None => line,
        Some((end, _)) => format!("{} ...", &line[..end]),
    }
}

pub(super) fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(letter) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}
