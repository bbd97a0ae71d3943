//! What studies found: their tables and figures, in their order.

use maud::{Markup, html};

use crate::measure::report::{Cell, Figure, Table};
use crate::measure::reproduce::Entry;

use super::super::super::numbers::shown;
use super::super::drawing;

/// The studies that have something to show, or a wrong result to tell.
pub(super) fn section(entries: &[&Entry]) -> Option<Markup> {
    let shown: Vec<&&Entry> = entries.iter().filter(|entry| has_something(entry)).collect();
    (!shown.is_empty()).then(|| html! { @for entry in shown { (study(entry)) } })
}

fn has_something(entry: &Entry) -> bool {
    let there =
        |part: &crate::measure::report::Part| !part.tables.is_empty() || !part.figures.is_empty();
    entry.wrong().is_some() || entry.part().is_some_and(there)
}

fn study(entry: &Entry) -> Markup {
    html! {
        article id={ "study-" (entry.study.id) } {
            h3 { (entry.study.title) }
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

fn table(table: &Table) -> Markup {
    let numeric: Vec<bool> = (0..table.columns.len()).map(|at| is_numeric(table, at)).collect();
    html! {
        div.table id={ "table-" (table.id) } {
            div.scroll tabindex="0" role="group" aria-label="A table, which may be wider than the page" {
                table {
                    caption { (table.title) }
                    thead {
                        tr {
                            @for (column, numeric) in table.columns.iter().zip(&numeric) {
                                th scope="col" class=[numeric.then_some("number")] { (heading(column)) }
                            }
                        }
                    }
                    tbody { @for row in &table.rows { tr { @for it in row { (cell(it)) } } } }
                }
            }
            (notes(&table.notes, &table.id, Some(&table.command)))
        }
    }
}

/// A column's name, its unit apart.
fn heading(column: &str) -> Markup {
    match column.strip_suffix(']').and_then(|column| column.rsplit_once(" [")) {
        Some((name, unit)) => html! { (name) " " span.unit { (unit) } },
        None => html! { (column) },
    }
}

/// Whether a column has numbers, and besides them no more than gaps and a few words.
fn is_numeric(table: &Table, column: usize) -> bool {
    let cells = || table.rows.iter().filter_map(|row| row.get(column));
    let numbers = cells().filter(|cell| matches!(cell, Cell::Number(_))).count();
    let words = cells().filter(|cell| matches!(cell, Cell::Text(_))).count();
    numbers > 0 && numbers >= words
}

fn cell(cell: &Cell) -> Markup {
    match cell {
        Cell::Number(number) => html! { td.number { (shown(*number)) } },
        Cell::Text(text) => html! { td { (text) } },
        Cell::Empty => html! { td.empty { "–" } },
    }
}

/// What a reader must know, where all digits are, and how it is repeated.
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
