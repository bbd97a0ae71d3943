//! Tables of rows of one type, described once: by columns, for text, JSON, and the tables of a
//! report.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::text::text;
use super::{Cell, Table};
use crate::twin::Comparison;
use crate::{Error, Summary};

pub struct Column<R> {
    /// The key in JSON; what precedes a point names an object that has the rest. Only shown to
    /// people if empty.
    pub key: &'static str,
    /// The heading for people, without the unit. Only in JSON if none.
    pub heading: Option<&'static str>,
    /// The unit for people; it may be empty.
    pub unit: &'static str,
    pub value: fn(&R) -> Cell,
}

pub fn column<R>(
    key: &'static str,
    heading: &'static str,
    unit: &'static str,
    value: fn(&R) -> Cell,
) -> Column<R> {
    Column { key, heading: Some(heading), unit, value }
}

pub fn only_json<R>(key: &'static str, value: fn(&R) -> Cell) -> Column<R> {
    Column { key, heading: None, unit: "", value }
}

pub fn only_text<R>(heading: &'static str, unit: &'static str, value: fn(&R) -> Cell) -> Column<R> {
    Column { key: "", heading: Some(heading), unit, value }
}

/// A row with the times of several runs, whose result was compared with double precision.
pub trait TimedAndCompared {
    fn summary(&self) -> &Summary;

    fn comparison(&self) -> Comparison;
}

macro_rules! timed_and_compared {
    ($Row:ty) => {
        impl $crate::report::table::TimedAndCompared for $Row {
            fn summary(&self) -> &$crate::Summary {
                &self.summary
            }

            fn comparison(&self) -> $crate::twin::Comparison {
                self.comparison
            }
        }
    };
}
pub(crate) use timed_and_compared;

/// The median, its spread, and the number of runs; for people nothing where nothing was timed.
pub fn timing<R: TimedAndCompared>() -> [Column<R>; 5] {
    fn timed(summary: &Summary, number: f64) -> Cell {
        (summary.runs > 0).then_some(number).into()
    }
    [
        only_json("median_ms", |row| row.summary().median_ms.into()),
        only_text("median", "ms", |row| timed(row.summary(), row.summary().median_ms)),
        only_json("spread_ms", |row| row.summary().spread_ms.into()),
        only_text("spread", "%", |row| {
            timed(row.summary(), 100.0 * row.summary().relative_spread())
        }),
        only_json("runs", |row| row.summary().runs.into()),
    ]
}

/// The largest error, and whether rounding explains it: for people only where it does not.
pub fn checked<R: TimedAndCompared>() -> [Column<R>; 3] {
    [
        column("max_error", "error", "", |row| row.comparison().max_error.into()),
        only_json("right", |row| row.comparison().is_right().into()),
        only_text("", "", |row| wrong(row.comparison().is_right())),
    ]
}

pub fn wrong(right: bool) -> Cell {
    if right { Cell::Empty } else { "WRONG".into() }
}

/// A subject that this device cannot run at a size, and why.
#[derive(Clone, Debug)]
pub struct Skipped<W> {
    pub what: W,
    pub n: usize,
    pub reason: String,
}

impl<W> Skipped<W> {
    pub fn new(what: W, n: usize, error: &Error) -> Skipped<W> {
        Skipped { what, n, reason: error.to_string() }
    }
}

impl<W: std::fmt::Display> std::fmt::Display for Skipped<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}: {}", self.what, self.n, self.reason)
    }
}

/// Rows with their columns: in JSON a list of objects.
pub struct Rows<'a, R> {
    pub columns: Vec<Column<R>>,
    pub rows: &'a [R],
}

impl<R> Rows<'_, R> {
    /// The headings and cells for people, of columns in which any row has something.
    pub fn shown(&self) -> (Vec<String>, Vec<Vec<Cell>>) {
        let has_some = |column: &&Column<R>| {
            column.heading.is_some()
                && self.rows.iter().any(|row| (column.value)(row) != Cell::Empty)
        };
        let columns: Vec<&Column<R>> = self.columns.iter().filter(has_some).collect();
        let heading = |column: &&Column<R>| match (column.heading.unwrap_or_default(), column.unit)
        {
            (heading, "") => heading.to_owned(),
            (heading, unit) => format!("{heading} [{unit}]"),
        };
        let cells = |row: &R| columns.iter().map(|column| (column.value)(row)).collect();
        (columns.iter().map(heading).collect(), self.rows.iter().map(cells).collect())
    }

    pub fn table(
        &self,
        id: &str,
        title: impl Into<String>,
        notes: impl IntoIterator<Item = impl Into<String>>,
        command: impl Into<String>,
    ) -> Table {
        let ((columns, rows), id) = (self.shown(), id.to_owned());
        let notes = notes.into_iter().map(Into::into).collect();
        Table { id, title: title.into(), columns, rows, notes, command: command.into() }
    }

    /// Writes aligned text, with an empty line wherever one of the first `group` columns changes.
    pub fn text(&self, group: usize) -> String {
        let (headings, cells) = self.shown();
        text(&headings, &cells, group)
    }
}

impl<R> Serialize for Rows<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns: Vec<&Column<R>> = self.columns.iter().filter(|c| !c.key.is_empty()).collect();
        let mut list = serializer.serialize_seq(Some(self.rows.len()))?;
        for row in self.rows {
            let cells = columns.iter().map(|column| (column.key, (column.value)(row)));
            list.serialize_element(&Object(cells.collect()))?;
        }
        list.end()
    }
}

/// Keys and values; neighbours with the same name before a point are an object of their own, or
/// null if all of them are empty.
struct Object(Vec<(&'static str, Cell)>);

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let outer = |key: &'static str| key.split_once('.').map_or(key, |(outer, _)| outer);
        for entries in self.0.chunk_by(|(one, _), (other, _)| outer(one) == outer(other)) {
            let inner =
                entries.iter().filter_map(|(key, cell)| Some((key.split_once('.')?.1, cell)));
            let inner: Vec<_> = inner.map(|(key, cell)| (key, cell.clone())).collect();
            match entries {
                [(key, cell)] if inner.is_empty() => map.serialize_entry(key, cell)?,
                [(key, _), ..] if inner.iter().all(|(_, cell)| *cell == Cell::Empty) => {
                    map.serialize_entry(outer(key), &Cell::Empty)?;
                }
                [(key, _), ..] => map.serialize_entry(outer(key), &Object(inner))?,
                [] => {}
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (usize, f64, Option<u32>);

    fn rows(rows: &[Row]) -> Rows<'_, Row> {
        let columns = vec![
            column("n", "n", "", |row: &Row| row.0.into()),
            column("time_ms", "time", "ms", |row: &Row| row.1.into()),
            only_text("", "", |row: &Row| wrong(row.1 < 10.0)),
            column("paper.old", "old", "", |row: &Row| row.2.into()),
            only_json("paper.new", |_: &Row| Cell::Empty),
        ];
        Rows { columns, rows }
    }

    #[test]
    fn json_has_keys_and_objects_in_order() {
        let json = serde_json::to_string(&rows(&[(1, 2.5, Some(3)), (2, 0.5, None)])).unwrap();
        let first = r#"{"n":1,"time_ms":2.5,"paper":{"old":3,"new":null}}"#;
        assert_eq!(json, format!(r#"[{first},{{"n":2,"time_ms":0.5,"paper":null}}]"#));
    }

    #[test]
    fn people_see_units_groups_and_no_empty_column() {
        let text = rows(&[(4096, 2.5, None), (4096, 0.25, None), (1, 0.5, None)]).text(1);
        let expected = "   n  time [ms]\n4096       2.50\n4096      0.250\n\n   1      0.500";
        assert_eq!(text, expected);
        assert!(rows(&[(1, 10.0, None)]).text(0).ends_with("10  WRONG"));
    }
}
