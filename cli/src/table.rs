//! Aligned tables for people.

/// Aligns columns to the right; those in `left` to
/// the left.
pub(super) struct Table {
    lines: Vec<Vec<String>>,
    left: Vec<usize>,
}

/// Between two columns.
const GAP: &str = "  ";

impl Table {
    /// A table with these headings.
    pub(super) fn new(headings: &[&str]) -> Table {
        Table { lines: vec![headings.iter().map(ToString::to_string).collect()], left: vec![] }
    }

    /// Sets the columns, from 0, that are aligned to the left.
    pub(super) fn left(mut self, columns: &[usize]) -> Table {
        self.left = columns.to_vec();
        self
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.lines.push(cells);
    }

    /// The table as text, without a newline at its end.
    pub(super) fn text(&self) -> String {
        let columns = self.lines.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let lines = self.lines.iter().map(|line| self.line(line, &widths));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn line(&self, line: &[String], widths: &[usize]) -> String {
        let cells = line.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            match self.left.contains(&column) {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            }
        });
        cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["n", "layout", "rate"]).left(&[1]);
        table.row(["4096", "red", "7"].map(String::from).into());
        table.row(["1", "packed", "1234"].map(String::from).into());
        let expected = "   n  layout  rate\n4096  red        7\n   1  packed  1234";
        assert_eq!(table.text(), expected);
    }
}
