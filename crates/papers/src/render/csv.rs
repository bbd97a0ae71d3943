//! The numbers of tables and figures as CSV, with all their digits.

use quadrille_lab::report::{Cell, Figure, Plot, Table};
use quadrille_lab::{MeasurementError, Result};

/// A table, with a line for each of its rows.
pub fn of_table(table: &Table) -> Result<Vec<u8>> {
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect());
    written(table.columns.clone(), rows)
}

/// A figure, with a row for each group of bars, or for each point of a line.
pub fn of_figure(figure: &Figure) -> Result<Vec<u8>> {
    match &figure.plot {
        Plot::Bars { unit, series, groups } => {
            let name = |series: &String| format!("{series} [{unit}]");
            let columns = std::iter::once("group".to_owned()).chain(series.iter().map(name));
            let rows = groups.iter().map(|(group, bars)| {
                let bars = bars.iter().map(|bar| bar.map(text).unwrap_or_default());
                std::iter::once(group.clone()).chain(bars).collect()
            });
            written(columns.collect(), rows)
        }
        Plot::Lines { axes: [x, y], lines, .. } => {
            let columns = ["line", x, y, "from"].map(str::to_owned).into();
            let rows = lines.iter().flat_map(|line| {
                let from = if line.quoted { "document" } else { "measured" };
                let row = move |[x, y]: &[f64; 2]| {
                    vec![line.name.clone(), text(*x), text(*y), from.to_owned()]
                };
                line.points.iter().map(row)
            });
            written(columns, rows)
        }
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Count(number) => number.to_string(),
        Cell::Number(number) => text(*number),
        Cell::Flag(_) => cell.shown(),
        Cell::Text(text) => text.clone(),
        Cell::Empty => String::new(),
    }
}

/// Writes the fewest digits that give the same number again.
fn text(number: f64) -> String {
    match number.abs() {
        size if size != 0.0 && !(1e-5..1e16).contains(&size) => format!("{number:e}"),
        _ => number.to_string(),
    }
}

fn failed(error: impl Into<::csv::Error>) -> MeasurementError {
    MeasurementError::Csv(error.into().into())
}

fn written(columns: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>> {
    // Rows with too few or too many cells are a mistake of a study, and no reason to lose them.
    let mut writer = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    writer.write_record(&columns).map_err(failed)?;
    for row in rows {
        writer.write_record(&row).map_err(failed)?;
    }
    Ok(writer.into_inner().map_err(|error| failed(error.into_error()))?)
}
