//! A Matrix Market text as a stream of checked entries, each with its line.

use std::io::{BufRead, Read};
use std::path::Path;

use super::super::error::{reading, whole_file};
use super::super::{Error, Result};
use crate::data::Float;
use crate::data::Shape;
use crate::error::Place;

/// The format allows 1024; a binary file may have no line end at all.
const LONGEST_LINE: u64 = 1 << 16;

/// The bytes of the lines `1` and `1 1 1`, with line ends.
const SHORTEST_DENSE: u64 = 2;
const SHORTEST_COORDINATE: u64 = 6;

const HEADER: &str =
    "the header `%%MatrixMarket matrix coordinate|array real|integer general|symmetric`";

/// An entry of the matrix, its row and column from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) row: usize,
    pub(super) col: usize,
    pub(super) value: f64,
}

impl Entry {
    /// Returns the position of the entry, counted from 1 as in the file.
    fn at(self) -> String {
        format!("row {}, column {}", self.row + 1, self.col + 1)
    }
}

/// The current line; a `Place` is made only for an error.
pub(super) struct Position<'a> {
    path: &'a Path,
    line: usize,
}

impl Position<'_> {
    pub(super) fn place(&self) -> Place {
        Place { line: Some(self.line.max(1)), ..whole_file(self.path) }
    }

    fn syntax(&self, expected: impl Into<String>, got: impl Into<String>) -> Error {
        Error::Syntax { place: self.place(), expected: expected.into(), got: got.into() }
    }
}

/// Refuses a sum that the type of number cannot hold.
pub(super) fn check_held<T: Float>(position: &Position<'_>, entry: Entry, sum: f64) -> Result<()> {
    match is_held::<T>(sum) {
        true => Ok(()),
        false => Err(too_large::<T>(position, entry, format!("{sum:e}"))),
    }
}

fn is_held<T: Float>(number: f64) -> bool {
    T::nearest(number).into().is_finite()
}

fn too_large<T: Float>(position: &Position<'_>, entry: Entry, value: String) -> Error {
    Error::Overflow { place: position.place(), at: entry.at(), value, precision: T::PRECISION }
}

/// A file whose header and sizes have been read.
pub(super) struct Scanner<'a, R> {
    lines: Lines<'a, R>,
    dense: bool,
    integer: bool,
    symmetric: bool,
    shape: Shape,
    stored: usize,
}

impl<'a, R: BufRead> Scanner<'a, R> {
    /// Reads the header and the line of sizes. `length` is that of the file in bytes, or 0 if it is
    /// unknown, as of a pipe; more entries than fit in it are refused.
    pub(super) fn new(path: &'a Path, reader: R, length: u64) -> Result<Self> {
        let mut lines = Lines { reader, position: Position { path, line: 0 }, buffer: Vec::new() };
        let [dense, integer, symmetric] = lines.header()?;
        let (shape, count) = lines.sizes(dense)?;
        if symmetric && shape.rows != shape.cols {
            let Shape { rows, cols } = shape;
            return Err(Error::NotSquare { place: lines.position.place(), rows, cols });
        }
        let dense_count = match symmetric {
            true => (shape.rows as u128) * (shape.rows as u128 + 1) / 2,
            false => (shape.rows as u128) * (shape.cols as u128),
        };
        let stored = count.unwrap_or(usize::try_from(dense_count).unwrap_or(usize::MAX));
        // The last line may lack its end.
        let room = (length + 1) / if dense { SHORTEST_DENSE } else { SHORTEST_COORDINATE };
        if length > 0 && stored as u64 > room {
            let got = format!("a file of {length} bytes, which holds fewer");
            return Err(lines.position.syntax(format!("{stored} entries"), got));
        }
        Ok(Scanner { lines, dense, integer, symmetric, shape, stored })
    }

    /// Returns the name of the file, for errors.
    pub(super) fn path(&self) -> &'a Path {
        self.lines.position.path
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn place(&self) -> Place {
        self.lines.position.place()
    }

    /// Passes every entry to `visit`, those of a symmetric file at both positions. Numbers beyond
    /// those of type `T` are refused.
    pub(super) fn entries<T: Float>(
        mut self,
        mut visit: impl FnMut(&Position<'_>, Entry) -> Result<()>,
    ) -> Result<()> {
        let mut next = (0, 0);
        for read in 0..self.stored {
            if !self.lines.advance()? {
                let got = format!("{read} and the end of the file");
                return Err(self.lines.position.syntax(format!("{} entries", self.stored), got));
            }
            let entry = match self.dense {
                true => self.dense_entry::<T>(next)?,
                false => self.coordinate_entry::<T>()?,
            };
            next = self.after(entry);
            visit(&self.lines.position, entry)?;
            if self.symmetric && entry.row != entry.col {
                visit(&self.lines.position, Entry { row: entry.col, col: entry.row, ..entry })?;
            }
        }
        if self.lines.advance()? {
            let expected = format!("the end of the file after {} entries", self.stored);
            return Err(self.lines.position.syntax(expected, quoted(self.lines.text()?)));
        }
        Ok(())
    }

    /// Returns a line with one number, whose position follows from the order of the file.
    fn dense_entry<T: Float>(&self, (row, col): (usize, usize)) -> Result<Entry> {
        let text = self.lines.text()?;
        let mut fields = text.split_ascii_whitespace();
        match (fields.next(), fields.next()) {
            (Some(number), None) => self.number::<T>(number, Entry { row, col, value: 0.0 }),
            _ => Err(self.lines.position.syntax("one number", quoted(text))),
        }
    }

    /// Returns the next position in a dense file, column by column.
    fn after(&self, entry: Entry) -> (usize, usize) {
        if entry.row + 1 < self.shape.rows {
            return (entry.row + 1, entry.col);
        }
        let col = entry.col + 1;
        (if self.symmetric { col } else { 0 }, col)
    }

    /// Returns a line `row column value`.
    fn coordinate_entry<T: Float>(&self) -> Result<Entry> {
        let text = self.lines.text()?;
        let mut fields = text.split_ascii_whitespace();
        let (Some(row), Some(col), Some(number), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(self.lines.position.syntax("`row column value`", quoted(text)));
        };
        let row = self.index("a row", row, self.shape.rows)?;
        let col = self.index("a column", col, self.shape.cols)?;
        if self.symmetric && col > row {
            let expected =
                "an entry of the lower triangle, which is all that a symmetric file stores";
            return Err(self
                .lines
                .position
                .syntax(expected, format!("row {}, column {}", row + 1, col + 1)));
        }
        self.number::<T>(number, Entry { row, col, value: 0.0 })
    }

    fn index(&self, what: &str, text: &str, last: usize) -> Result<usize> {
        match text.parse::<usize>() {
            Ok(index) if (1..=last).contains(&index) => Ok(index - 1),
            _ => Err(self.lines.position.syntax(format!("{what} from 1 to {last}"), quoted(text))),
        }
    }

    /// Returns the entry with its number.
    fn number<T: Float>(&self, text: &str, entry: Entry) -> Result<Entry> {
        let position = &self.lines.position;
        let value = if self.integer {
            text.parse::<i64>().ok().map(|value| value as f64)
        } else {
            text.parse::<f64>().ok()
        };
        let Some(value) = value else {
            let expected = if self.integer { "an integer" } else { "a number such as -1.5e3" };
            return Err(position.syntax(format!("{expected} for {}", entry.at()), quoted(text)));
        };
        if is_held::<T>(value) {
            return Ok(Entry { value, ..entry });
        }
        // `1e999` is a number; `inf` and `nan` are words.
        if text.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(too_large::<T>(position, entry, text.into()));
        }
        Err(Error::NotFinite { place: position.place(), at: entry.at(), value })
    }
}

/// The lines of a file without comments and blank lines.
struct Lines<'a, R> {
    reader: R,
    position: Position<'a>,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<'_, R> {
    /// Reads one line of any content; false at the end of the file.
    fn read_line(&mut self) -> Result<bool> {
        self.buffer.clear();
        let mut reader = self.reader.by_ref().take(LONGEST_LINE);
        let read =
            reader.read_until(b'\n', &mut self.buffer).map_err(reading(self.position.path))?;
        self.position.line += usize::from(read > 0);
        if read as u64 == LONGEST_LINE && !self.buffer.ends_with(b"\n") {
            let expected = format!("lines of text, shorter than {LONGEST_LINE} bytes");
            return Err(self.position.syntax(expected, "a longer one"));
        }
        Ok(read > 0)
    }

    /// Goes to the next line with content; false at the end of the file.
    fn advance(&mut self) -> Result<bool> {
        while self.read_line()? {
            let line = self.buffer.trim_ascii_start();
            if !line.is_empty() && line[0] != b'%' {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn text(&self) -> Result<&str> {
        match std::str::from_utf8(&self.buffer) {
            Ok(text) => Ok(text.trim_ascii()),
            Err(_) => Err(self.position.syntax("plain text", "bytes that are not UTF-8")),
        }
    }

    /// Returns the header line: whether the file is dense, integer, symmetric.
    fn header(&mut self) -> Result<[bool; 3]> {
        if !self.read_line()? {
            return Err(self.position.syntax(HEADER, "an empty file"));
        }
        let text = self.text()?.to_ascii_lowercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let ["%%matrixmarket", "matrix", format, field, symmetry] = words[..] else {
            return Err(self.position.syntax(HEADER, quoted(&text)));
        };
        Ok([
            self.either(format, ["coordinate", "array"], "`coordinate` or `array`")?,
            self.either(field, ["real", "integer"], "`real` or `integer`")?,
            self.either(symmetry, ["general", "symmetric"], "`general` or `symmetric`")?,
        ])
    }

    /// Returns whether a word of the header is the second of the two known ones.
    fn either(&self, word: &str, known: [&str; 2], accepted: &'static str) -> Result<bool> {
        match known.iter().position(|known| *known == word) {
            Some(index) => Ok(index == 1),
            None => Err(Error::Unsupported {
                place: self.position.place(),
                got: quoted(word),
                accepted,
            }),
        }
    }

    /// Returns the line of sizes: the shape, and the number of entries in a coordinate file.
    fn sizes(&mut self, dense: bool) -> Result<(Shape, Option<usize>)> {
        let expected =
            if dense { "the sizes `rows columns`" } else { "the sizes `rows columns entries`" };
        if !self.advance()? {
            return Err(self.position.syntax(expected, "the end of the file"));
        }
        let text = self.text()?;
        let sizes: Option<Vec<usize>> =
            text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        match (dense, sizes.as_deref()) {
            (true, Some(&[rows, cols])) => Ok((Shape { rows, cols }, None)),
            (false, Some(&[rows, cols, entries])) => Ok((Shape { rows, cols }, Some(entries))),
            _ => Err(self.position.syntax(expected, quoted(text))),
        }
    }
}

/// Returns the text in backquotes, cut if it is long.
fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}
