//! Matrix Market files: nine-banded matrices and vectors.

use super::mutation::mutate;
use super::npy::assert_placed;
use super::scratch::{self, Scratch, bounded};
use super::{Choices, Target, Verdicts};
use quadrille::data::{Band, Block, Csr, NineBanded, SystemMatrix};
use quadrille::io::{Error, matrix_market};
use std::fmt::Write;
use std::path::Path;

pub const TARGET: Target = Target { name: "matrix_market", file, generated };

const WORDS: [&str; 12] = [
    "%%MatrixMarket matrix coordinate real general\n",
    "coordinate",
    "array",
    "real",
    "integer",
    "pattern",
    "complex",
    "symmetric",
    "skew-symmetric",
    "% a comment\n",
    "\n1 1 1\n",
    " ",
];

/// Coordinate files that say more rows are left out: they need not store zeros, but a reader takes
/// memory for each row.
const MOST_ROWS: usize = 1 << 16;

fn file(bytes: &[u8]) -> Verdicts {
    scratch::with(|scratch| read_all(scratch, bytes, None))
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    scratch::with(|scratch| {
        let (mut file, width) = match choices.one_in(3) {
            true => (valid_vector(scratch, &mut choices), None),
            false => valid_matrix(scratch, &mut choices),
        };
        mutate(&mut file, &mut choices, &WORDS);
        read_all(scratch, &file, width)
    })
}

/// The style in which a file is written.
struct Style {
    dense: bool,
    integer: bool,
    symmetric: bool,
    upper_case: bool,
    line_end: &'static str,
}

impl Style {
    fn new(choices: &mut Choices) -> Style {
        Style {
            dense: choices.one_in(3),
            integer: choices.one_in(2),
            symmetric: choices.one_in(3),
            upper_case: choices.one_in(4),
            line_end: if choices.one_in(4) { "\r\n" } else { "\n" },
        }
    }

    /// The file of lines that already have their numbers, with comments and blank lines among them.
    fn file(&self, sizes: String, lines: Vec<String>, choices: &mut Choices) -> Vec<u8> {
        let format = if self.dense { "array" } else { "coordinate" };
        let field = if self.integer { "integer" } else { "real" };
        let symmetry = if self.symmetric { "symmetric" } else { "general" };
        let mut header = format!("%%MatrixMarket matrix {format} {field} {symmetry}");
        if self.upper_case {
            header = header.to_uppercase();
        }
        let mut text = header + self.line_end;
        for line in [sizes].iter().chain(&lines) {
            match choices.below(8) {
                0 => text += "% a comment",
                1 => text += "  ",
                _ => {}
            }
            let needs_end = !text.ends_with('\n');
            text += if needs_end { self.line_end } else { "" };
            text += line;
            text += self.line_end;
        }
        text.into_bytes()
    }

    /// A number and its text.
    fn number(&self, choices: &mut Choices) -> (f64, String) {
        let whole = choices.below(2001) as f64 - 1000.0;
        if self.integer {
            return (whole, format!("{whole}"));
        }
        let number = match choices.below(4) {
            0 => whole,
            1 => whole / 7.0,
            2 => whole * 1e-30,
            _ => whole * 1e30,
        };
        (number, if choices.one_in(2) { format!("{number:e}") } else { format!("{number}") })
    }
}

/// A nine-banded matrix that is read back to what it was made of, and its width.
fn valid_matrix(scratch: &Scratch, choices: &mut Choices) -> (Vec<u8>, Option<usize>) {
    let style = Style::new(choices);
    let (n, m) = (choices.between(1, 12), choices.between(3, 14));
    let mut sums = vec![0.0; n * n];
    let mut lines = Vec::new();
    let mut add = |row: usize, col: usize, value: f64| {
        sums[row * n + col] += value;
        if style.symmetric && row != col {
            sums[col * n + row] += value;
        }
    };
    let on_band =
        |row: usize, col: usize| Band::at_offset(col as isize - row as isize, m).is_some();
    if style.dense {
        for col in 0..n {
            for row in if style.symmetric { col } else { 0 }..n {
                let (value, text) = style.number(choices);
                let (value, text) =
                    if on_band(row, col) { (value, text) } else { (0.0, "0".into()) };
                add(row, col, value);
                lines.push(text);
            }
        }
    } else {
        for _ in 0..choices.below(4 * n) {
            let band = choices.pick(&Band::ALL);
            let rows = band.rows(n, m);
            if rows.is_empty() {
                continue;
            }
            let row = choices.between(rows.start, rows.end - 1);
            let col = row.wrapping_add_signed(band.offset(m));
            let (row, col) =
                if style.symmetric { (row.max(col), row.min(col)) } else { (row, col) };
            let (value, text) = style.number(choices);
            add(row, col, value);
            lines.push(format!("{} {} {text}", row + 1, col + 1));
        }
    }
    let count = if style.dense { String::new() } else { format!(" {}", lines.len()) };
    let file = style.file(format!("{n} {n}{count}"), lines, choices);
    let path = scratch.file("valid.mtx", &file);
    let matrix = matrix_market::read_nine_banded(&path, Some(m)).unwrap();
    assert_eq!((matrix.n(), matrix.m()), (n, m));
    assert_entries(&matrix, &sums);
    match matrix_market::read_nine_banded(&path, None) {
        Ok(matrix) => assert_entries(&matrix, &sums),
        // Nothing outside the three middle diagonals.
        Err(error) => assert!(matches!(error, Error::WidthOpen { .. }), "{error}"),
    }
    (file, Some(m))
}

fn assert_entries(matrix: &NineBanded, sums: &[f64]) {
    let n = matrix.n();
    for (index, &sum) in sums.iter().enumerate() {
        let (row, col) = (index / n, index % n);
        assert_eq!(matrix.entry(row, col), sum as f32, "row {row}, column {col}");
    }
}

/// A vector that is read back to what it was made of.
fn valid_vector(scratch: &Scratch, choices: &mut Choices) -> Vec<u8> {
    let style = Style { symmetric: false, ..Style::new(choices) };
    let rows = choices.between(1, 30);
    let mut sums = vec![0.0; rows];
    let count = if style.dense { rows } else { choices.below(2 * rows) };
    let mut lines = Vec::new();
    for index in 0..count {
        let (value, text) = style.number(choices);
        let row = if style.dense { index } else { choices.below(rows) };
        sums[row] += value;
        lines.push(if style.dense { text } else { format!("{} 1 {text}", row + 1) });
    }
    let count = if style.dense { String::new() } else { format!(" {count}") };
    let file = style.file(format!("{rows} 1{count}"), lines, choices);
    let vector = matrix_market::read_vector(scratch.file("valid.mtx", &file)).unwrap();
    assert_eq!(vector, sums.iter().map(|&sum| sum as f32).collect::<Vec<_>>());
    file
}

/// Reads any bytes in every way.
fn read_all(scratch: &Scratch, bytes: &[u8], width: Option<usize>) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let Some(rows) = stored_rows(bytes) else { return verdicts };
    let path = scratch.file("any.mtx", bytes);
    // Nine bands, in double and then in single precision; buffers for the file and for one line.
    let limit = 9 * 12 * rows + 4 * bytes.len() + (1 << 18);
    let mut any: Result<(), ()> = Err(());
    for width in [width, None, Some(3)] {
        let whole = bounded(limit, || matrix_market::read_nine_banded(&path, width));
        assert_same_in_parts(&path, width, whole.as_ref(), limit);
        match whole {
            Ok(matrix) => {
                assert_same_when_written_again(scratch, &matrix);
                let double = matrix_market::read_nine_banded_f64(&path, width).unwrap();
                assert_rounds_to(&double, &matrix);
                any = Ok(());
            }
            Err(error) => assert_placed(&error, "any.mtx"),
        }
    }
    read_rows(scratch, &path, bytes, rows);
    match bounded(limit, || matrix_market::read_vector(&path)) {
        Ok(vector) => {
            assert!(vector.iter().all(|number| number.is_finite()));
            let again = scratch.path("again.mtx");
            matrix_market::write_vector(&again, &vector).unwrap();
            assert_eq!(matrix_market::read_vector(&again).unwrap(), vector);
            any = Ok(());
        }
        Err(error) => assert_placed(&error, "any.mtx"),
    }
    verdicts.count(&any);
    verdicts
}

/// Reads a matrix of any shape by its rows: from the file, from its bytes, in single precision, and as
/// that of a system; the verdict is that of the other readers, since these take more.
fn read_rows(scratch: &Scratch, path: &Path, bytes: &[u8], rows: usize) {
    // Two bytes may be two entries of 24 bytes, in a list that grows and is then sorted into another.
    let limit = 256 * bytes.len() + 2 * 9 * 12 * rows + (1 << 18);
    let single = bounded(limit, || matrix_market::read_csr(path));
    let stream = bounded(limit, || matrix_market::read_csr_from::<f64>(bytes, path));
    let system = bounded(limit, || matrix_market::read_system(path, None));
    let matrix = match bounded(limit, || matrix_market::read_csr_f64(path)) {
        Ok(matrix) => matrix,
        Err(error) => {
            assert_placed(&error, "any.mtx");
            assert!(single.is_err() && stream.is_err());
            return;
        }
    };
    assert!(stream.is_ok_and(|stream| stream == matrix));
    assert!((0..matrix.shape().rows).all(|row| matrix.row(row).1.iter().all(|x| x.is_finite())));
    if let Ok(single) = single {
        let rounded: Csr<f32> = matrix.map(|_, _, entry| entry).unwrap();
        assert!(single == rounded);
    }
    match system {
        Ok(SystemMatrix::Csr(system)) => assert!(system == matrix),
        Ok(_) => {}
        Err(error) => assert_placed(&error, "any.mtx"),
    }
    let again = scratch.path("again.mtx");
    matrix_market::write_csr(&again, &matrix).unwrap();
    let again = matrix_market::read_csr_f64(&again).unwrap();
    assert!(again.shape() == matrix.shape() && entries(&again).eq(entries(&matrix)));
}

/// The entries that are not 0: a sum may be, which is left out when it is read again.
fn entries(matrix: &Csr<f64>) -> impl Iterator<Item = (usize, u32, f64)> {
    (0..matrix.shape().rows).flat_map(move |row| {
        let (columns, values) = matrix.row(row);
        let entries = columns.iter().zip(values).filter(|(_, value)| **value != 0.0);
        entries.map(move |(column, value)| (row, *column, *value))
    })
}

/// A block that is the whole is read as the whole is, and refused where that is.
fn assert_same_in_parts(
    path: &std::path::Path,
    width: Option<usize>,
    whole: Result<&NineBanded, &Error>,
    limit: usize,
) {
    let part = bounded(limit, || {
        let outline = matrix_market::outline(path, width)?;
        let block = Block::whole(outline.n, outline.m);
        matrix_market::read_block(path, &outline, &block)
    });
    match (part, whole) {
        (Ok(part), Ok(whole)) => assert!(part == *whole),
        (Err(part), Err(_)) => assert_placed(&part, "any.mtx"),
        (part, whole) => panic!("in parts {:?}, whole {:?}", part.err(), whole.err()),
    }
}

/// The rows for which a reader may take memory: the larger of the two sizes, and of a dense file no
/// more than it has bytes; nothing where they are too many to try.
fn stored_rows(bytes: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(bytes);
    let header = text.lines().next().unwrap_or_default().to_ascii_lowercase();
    let counts = |line: &&str| !line.trim_start().is_empty() && !line.trim_start().starts_with('%');
    let sizes = text.lines().skip(1).find(counts).unwrap_or_default();
    let numbers = sizes.split_ascii_whitespace().take(2).map(|word| word.parse().unwrap_or(0));
    let rows = numbers.max().unwrap_or(0);
    let most = if header.contains(" array ") { bytes.len() } else { usize::MAX };
    Some(rows.min(most)).filter(|&rows| rows <= MOST_ROWS)
}

/// Single precision is double precision rounded once.
fn assert_rounds_to(double: &NineBanded<f64>, single: &NineBanded) {
    assert_eq!((double.n(), double.m()), (single.n(), single.m()));
    for band in Band::ALL {
        let mut pairs = double.band(band).iter().zip(single.band(band));
        assert!(pairs.all(|(double, single)| *double as f32 == *single));
    }
}

fn assert_same_when_written_again(scratch: &Scratch, matrix: &NineBanded) {
    let (n, m) = (matrix.n(), matrix.m());
    let mut lines = String::new();
    let mut count = 0;
    for band in Band::ALL {
        for row in band.rows(n, m) {
            let (col, value) = (row.wrapping_add_signed(band.offset(m)), matrix.band(band)[row]);
            assert!(value.is_finite());
            if value != 0.0 {
                writeln!(lines, "{} {} {value:e}", row + 1, col + 1).unwrap();
                count += 1;
            }
        }
    }
    let text = format!("%%MatrixMarket matrix coordinate real general\n{n} {n} {count}\n{lines}");
    let path = scratch.file("again.mtx", text.as_bytes());
    assert!(matrix_market::read_nine_banded(&path, Some(m)).unwrap() == *matrix, "{text}");
}
