//! The device's numeric card as tables of the report.

use super::prelude::*;
use crate::reproduce::list_studies;

use crate::card;
use crate::card::{Card, Engine};

list_studies! {
    STUDIES of None;

    "card", [7, 20], run, "The device's numeric card";
}

fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    Ok(part(&card::run(lab.context, lab.seed, &mut lab.in_time())?))
}

/// The card's tables: sentences first, numbers after them.
fn part(card: &Card) -> Part {
    let mut tables = vec![
        verdicts(card),
        accuracy(card),
        contraction(card),
        specials(card),
        passages(card),
        indexing(card),
        lines(card),
        interpolation(card),
    ];
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
    let notes = ["Sentences describe fragment shaders unless they name others."];
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

fn rounded(fusion: card::Fusion) -> &'static str {
    match fusion {
        card::Fusion::Fused => "once",
        card::Fusion::Separate => "twice",
        card::Fusion::Mixed => "once or twice",
        card::Fusion::Neither => "otherwise",
    }
}

fn contraction(card: &Card) -> Table {
    let columns = vec![
        only_text("written as", "", |row: &card::Contraction| row.form.into()),
        only_text("engine", "", |row| row.engine.name().into()),
        only_text("rounded", "", |row| rounded(row.fusion).into()),
    ];
    let title = "Products and sums, rounded once or twice";
    table("contraction", title, columns, &card.contraction, &[])
}

fn specials(card: &Card) -> Table {
    let first = card.specials.iter().filter(|row| row.engine == Engine::Fragment);
    let columns = vec![
        only_text("expression", "", |row: &&card::Answer| row.what.into()),
        only_text("gives", "", |row| row.gives.as_str().into()),
        only_text("as IEEE 754", "", |row| row.ieee.map_or("open".into(), Cell::from)),
    ];
    let title = "Denormals, NaN, infinities, zeros, and what a compiler may shorten";
    let notes = ["By fragment shaders."];
    table("specials", title, columns, &first.collect::<Vec<_>>(), &notes)
}

fn passages(card: &Card) -> Table {
    let columns = vec![
        only_text("way", "", |row: &card::Passage| row.way.into()),
        only_text("denormals", "", |row| row.denormals.into()),
        only_text("NaN", "", |row| row.nan.into()),
        only_text("infinities", "", |row| row.infinities.into()),
        only_text("-0", "", |row| row.negative_zero.into()),
        only_text("largest", "", |row| row.largest.into()),
    ];
    table("passages", "Values that arrive unchanged", columns, &card.passages, &[])
}

fn indexing(card: &Card) -> Table {
    let columns = vec![
        only_text("way of reading", "", |row: &card::Indexing| row.way.as_str().into()),
        only_text("texture", "", |row| row.extent.as_str().into()),
        only_text("texels", "", |row| row.texels.into()),
        only_text("first that is missed", "", |row| {
            row.first_wrong.map_or("none".into(), Cell::from)
        }),
    ];
    table("indexing", "Which texels are reached exactly", columns, &card.indexing, &[])
}

fn lines(card: &Card) -> Table {
    let columns = vec![
        only_text("lines", "", |row: &card::Coverage| row.line.into()),
        only_text("way", "", |row| if row.upward { "up" } else { "down" }.into()),
        only_text("drawn", "", |row| row.lines.into()),
        only_text("exact", "", |row| row.exact.into()),
        only_text("missed", "texels", |row| row.missed.into()),
        only_text("doubled", "texels", |row| row.doubled.into()),
        only_text("strays", "texels", |row| row.strays.into()),
    ];
    let title = "What lines along the first and last columns cover";
    table("lines", title, columns, &card.lines, &[])
}

fn interpolation(card: &Card) -> Table {
    let columns = vec![
        only_text("strip", "", |row: &card::Interpolation| row.extent.as_str().into()),
        only_text("read by", "", |row| row.reads.into()),
        only_text("largest error", "texels", |row| row.max_texels.into()),
        only_text("largest error", "ULP", |row| row.max_ulps.into()),
        only_text("texels missed", "", |row| row.misread.into()),
    ];
    let title = "Interpolated coordinates of neighbours";
    let notes = [
        "Coordinates of a texel and its two neighbours, interpolated over the strip; half a texel is too much.",
    ];
    table("interpolation", title, columns, &card.interpolation, &notes)
}
