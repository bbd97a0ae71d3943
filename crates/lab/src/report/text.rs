//! Tables as aligned text.

use super::Cell;
use crate::numbers::THIN_SPACE;

const GAP: &str = "  ";

/// Headings and rows, with an empty line wherever one of the first `group` columns changes.
pub fn text(headings: &[String], rows: &[Vec<Cell>], group: usize) -> String {
    let mut lines = Vec::new();
    let mut before: Option<&Vec<Cell>> = None;
    for row in rows {
        if before.is_some_and(|before| before.iter().zip(row).take(group).any(|(a, b)| a != b)) {
            lines.push(Vec::new());
        }
        before = Some(row);
        lines.push(row.iter().map(shown).collect());
    }
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    aligned(&headings, lines)
}

/// The text of a cell without the page's thin spaces, which programs that read text would stumble
/// over.
fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        cell => cell.shown().replace(THIN_SPACE, ""),
    }
}

/// Headings and rows, without a newline at the end: columns of numbers are aligned to the right,
/// others to the left. A row without cells is an empty line, and an empty cell among numbers a
/// dash.
pub fn aligned(headings: &[&str], mut rows: Vec<Vec<String>>) -> String {
    let mut formats = Vec::new();
    for (column, heading) in headings.iter().enumerate() {
        let cells =
            || rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
        let numbers = cells().filter(|cell| cell.parse::<f64>().is_ok()).count();
        let width = cells().map(|cell| cell.chars().count()).chain([heading.chars().count()]).max();
        formats.push((width.unwrap_or(0), numbers > 0 && 2 * numbers >= cells().count()));
    }
    rows.insert(0, headings.iter().map(ToString::to_string).collect());
    let cell = |(cell, (width, numeric)): (&String, &(usize, bool))| match (cell.as_str(), numeric)
    {
        ("", true) => format!("{:>width$}", "-"),
        (cell, true) => format!("{cell:>width$}"),
        (cell, false) => format!("{cell:<width$}"),
    };
    let line = |row: &Vec<String>| {
        row.iter().zip(&formats).map(cell).collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Words in lines of at most `letters` letters. A longer word has a line of its own.
pub fn broken(words: impl IntoIterator<Item = impl AsRef<str>>, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let word = word.as_ref();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let broken = |words: &str| broken(words.split_whitespace(), 17);
        assert_eq!(broken("4x4 blocks, multiple targets"), ["4x4 blocks,", "multiple targets"]);
        assert_eq!(broken("unbreakable-as-it-is-all-one"), ["unbreakable-as-it-is-all-one"]);
        assert!(broken("").is_empty());
    }

    #[test]
    fn columns_line_up() {
        let headings = ["n", "layout", "rate"].map(String::from);
        let rows = [
            vec![Cell::Count(65_536), "red".into(), 7.0.into()],
            vec![Cell::Count(1), "packed".into(), Cell::Empty],
            vec![Cell::Count(1), "".into(), 0.123_45.into()],
        ];
        let expected = "    n  layout   rate\n65536  red         7\n    1  packed      -\n    1          0.123";
        assert_eq!(text(&headings, &rows, 0), expected);
        assert_eq!(text(&headings, &rows, 1), expected.replacen("7\n", "7\n\n", 1));
    }
}
