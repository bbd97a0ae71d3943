//! The tables and figures of studies, in their order.

use maud::{Markup, html};

use crate::{Entry, Outcome};
use quadrille_lab::report::{Cell, Figure, Part, Table};

use super::super::figure as drawing;
use super::drawings;

/// The studies that have something to show, or a wrong result to report.
pub(super) fn section(entries: &[&Entry]) -> Option<Markup> {
    let shown: Vec<&&Entry> = entries.iter().filter(|entry| has_something(entry)).collect();
    (!shown.is_empty()).then(|| html! { @for entry in shown { (study(entry)) } })
}

/// The kind of element that the page shows under this name.
pub(super) fn shown_as(outcome: &Outcome, id: &str) -> Option<&'static str> {
    let among = |part: &Part| {
        let figure = part.figures.iter().any(|figure| figure.id == id).then_some("figure");
        figure.or_else(|| part.tables.iter().any(|table| table.id == id).then_some("table"))
    };
    outcome.parts().find_map(|(_, part)| among(part))
}

fn has_something(entry: &Entry) -> bool {
    let there = |part: &Part| !part.tables.is_empty() || !part.figures.is_empty();
    entry.wrong().is_some() || entry.part().is_some_and(there)
}

fn study(entry: &Entry) -> Markup {
    html! {
        article id={ "study-" (entry.study.id) } {
            h3 { (entry.study.title) }
            (drawings::of(entry.study.id))
            @if let Some(wrong) = entry.wrong() {
                p.alarm {
                    strong { "Wrong result. " } (wrong) ". Nothing else of this study is shown, and \
                    nothing is judged by it."
                }
            }
            @if let Some(part) = entry.part() {
                @for it in &part.figures { (figure(it)) }
                @for it in &part.tables { (table(it)) }
            }
        }
    }
}

fn figure(figure: &Figure) -> Markup {
    html! {
        figure id={ "figure-" (figure.id) } {
            figcaption { (figure.title) }
            div.paper tabindex="0" role="group" aria-label="A figure, which may be wider than the page" {
                @match drawing::inline(figure) {
                    Ok(svg) => (svg),
                    Err(reason) => { p.alarm { (format!("{reason:#}")) } }
                }
            }
            (notes(&figure.notes, &figure.id, None))
        }
    }
}

/// Tables of fewer rows are not cut in print; those of more columns are set closer.
const FEW_ROWS: usize = 18;
const MANY_COLUMNS: usize = 8;
/// Cells of fewer letters are kept in one line.
const FEW_LETTERS: usize = 28;

fn table(table: &Table) -> Markup {
    let numeric: Vec<bool> = (0..table.columns.len())
        .map(|at| Cell::are_numbers(table.rows.iter().filter_map(|row| row.get(at))))
        .collect();
    let close = table.columns.len() > MANY_COLUMNS;
    let whole = table.rows.len() < FEW_ROWS;
    html! {
        details.table.close[close].whole[whole] {
            summary { (table.title) }
            // A link to it opens what is folded around it.
            div id={ "table-" (table.id) } {
                div.scroll tabindex="0" role="group" aria-label="A table, which may be wider than the page" {
                    table aria-label=(table.title) {
                        thead {
                            tr {
                                @for (column, numeric) in table.columns.iter().zip(&numeric) {
                                    th scope="col" class=[numeric.then_some("number")] { (heading(column)) }
                                }
                            }
                        }
                        tbody { @for row in &table.rows { (cells(row, &numeric)) } }
                    }
                }
                (notes(&table.notes, &table.id, Some(&table.command)))
            }
        }
    }
}

fn heading(column: &str) -> Markup {
    match column.strip_suffix(']').and_then(|column| column.rsplit_once(" [")) {
        Some((name, unit)) => html! { (name) " " span.unit { (unit) } },
        None => html! { (column) },
    }
}

fn cells(row: &[Cell], numeric: &[bool]) -> Markup {
    let numeric = numeric.iter().copied().chain(std::iter::repeat(false));
    html! { tr { @for (cell, numeric) in row.iter().zip(numeric) {
        td class=[class(cell, numeric)] { (cell.shown()) }
    } } }
}

fn class(cell: &Cell, numeric: bool) -> Option<&'static str> {
    match cell {
        Cell::Text(text) if text.chars().count() >= FEW_LETTERS => Some("long"),
        Cell::Empty if !numeric => Some("empty"),
        Cell::Text(_) | Cell::Flag(_) if !numeric => None,
        Cell::Empty => Some("number empty"),
        _ => Some("number"),
    }
}

/// The notes, the file with all digits, and the command that repeats the measurement.
fn notes(notes: &[String], id: &str, command: Option<&str>) -> Markup {
    html! {
        @if !notes.is_empty() {
            ul.notes { @for note in notes { li { (note) } } }
        }
        p.source {
            @if let Some(command) = command.filter(|command| !command.is_empty()) {
                code { (command) } " "
            }
            span { "numbers/" (id) ".csv" }
        }
    }
}
