//! The device's numeric card as tables of the report.

use super::prelude::*;
use crate::list_studies;

use quadrille_lab::card;
use quadrille_lab::card::{Card, Engine};

list_studies! {
    STUDIES of None;

    "card", [7, 20], run, "The device's numeric card";
}

fn run(lab: &mut Lab<'_>) -> Result<Part> {
    Ok(part(&card::run(lab.context, lab.seed, &mut lab.in_time())?))
}

/// The card's tables: sentences first, numbers after them.
fn part(card: &Card) -> Part {
    let mut tables = vec![verdicts(card), accuracy(card)];
    tables.retain(|table| !table.rows.is_empty());
    let mut left_out = Vec::new();
    if !card.engines.contains(&Engine::Compute) {
        left_out.push("the arithmetic of compute shaders: this context has none".into());
    }
    if card.stopped {
        left_out.push("the part of the card that its time did not suffice for".into());
    }
    if !card.precise {
        left_out.push("`precise` and fma(): they require OpenGL 4.0 or ES 3.2".into());
    }
    Part { tables, left_out, ..Part::default() }
}

fn table<R>(id: &str, title: &str, columns: Vec<Column<R>>, rows: &[R], notes: &[&str]) -> Table {
    let notes = notes.iter().copied();
    Rows { columns, rows }.table(&format!("card-{id}"), title, notes, "quadrille card")
}

fn verdicts(card: &Card) -> Table {
    let sections = card.verdicts();
    let rows = sections.into_iter().flat_map(|section| {
        section.verdicts.into_iter().map(move |verdict| (section.title, verdict))
    });
    let columns = vec![
        only_text("subject", "", |(title, _): &(&str, card::Verdict)| (*title).into()),
        only_text("what was found", "", |(_, verdict)| verdict.text.as_str().into()),
        only_text("", "", |(_, verdict)| verdict.care.then_some("take care").into()),
    ];
    let title = "The accuracy of this device's arithmetic";
    let notes = [
        "Sentences describe fragment shaders unless they name others. `quadrille card --json` has every answer that they \
         rest on.",
    ];
    table("verdicts", title, columns, &rows.collect::<Vec<_>>(), &notes)
}

fn accuracy(card: &Card) -> Table {
    let columns = vec![
        only_text("operation", "", |row: &card::Accuracy| row.operation.into()),
        only_text("arguments", "", |row| row.range.into()),
        only_text("engine", "", |row| row.engine.name().into()),
        only_text("largest error", "ULP", |row| row.max_ulps.into()),
        only_text("mean error", "ULP", |row| row.mean_ulps.into()),
        only_text("not the nearest", "%", |row| {
            (100.0 * row.not_nearest as f64 / row.arguments.max(1) as f64).into()
        }),
        only_text("promised", "", |row| row.promise.into()),
        only_text("", "", |row| row.kept.map(|kept| if kept { "kept" } else { "not kept" }).into()),
    ];
    let notes = [
        "Against f64, in units in the last place of the exact result, or for sums that cancel, of their largest term.",
        "Promised: by section 4.7.1 of GLSL 4.60 and GLSL ES 3.20, which let a device round in any direction.",
    ];
    let title = "Errors of operations and built-in functions";
    table("accuracy", title, columns, &card.accuracy, &notes)
}
