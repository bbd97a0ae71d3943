//! The device's numeric card as tables of the report.

use super::prelude::*;
use std::time::Instant;

use quadrille::observer::{Control, Observer, Progress};

use super::super::card::{self, Card, Engine};

pub(super) const STUDIES: [Study; 1] = [Study {
    id: "card",
    document: None,
    title: "The device's numeric card",
    seconds: [7, 20],
    run,
}];

fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let (context, seed) = (lab.context, lab.seed);
    let end = Instant::now() + lab.left();
    let mut observer = lab.observer();
    let mut in_time = |progress: &Progress| match Instant::now() < end {
        true => observer.observe(progress),
        false => Control::Stop,
    };
    let card = card::run(context, seed, &mut in_time)?;
    Ok(part(&card))
}

/// The card's tables: sentences first, numbers after them.
fn part(card: &Card) -> Part {
    let tables = vec![
        verdicts(card),
        accuracy(card),
        contraction(card),
        specials(card),
        passages(card),
        indexing(card),
        lines(card),
        interpolation(card),
    ];
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

fn table(id: &str, title: &str, columns: &[&str], rows: Vec<Vec<Cell>>, notes: &[&str]) -> Table {
    Table {
        id: format!("card-{id}"),
        title: title.into(),
        columns: columns.iter().map(ToString::to_string).collect(),
        rows,
        notes: notes.iter().map(ToString::to_string).collect(),
        command: "quadrille card".into(),
    }
}

fn yes(holds: bool) -> Cell {
    if holds { "yes".into() } else { "no".into() }
}

/// Whole numbers that may be larger than a table's others.
fn count(count: u64) -> Cell {
    Cell::Number(count as f64)
}

fn verdicts(card: &Card) -> Table {
    let sections = card.verdicts();
    let sentences = sections.iter().flat_map(|section| {
        let row = |verdict: &card::Verdict| {
            let care = if verdict.care { "take care" } else { "" };
            vec![section.title.into(), verdict.text.as_str().into(), care.into()]
        };
        section.verdicts.iter().map(row)
    });
    let columns = ["subject", "what was found", ""];
    let notes = ["Sentences describe fragment shaders unless they name others."];
    table(
        "verdicts",
        "The accuracy of this device's arithmetic",
        &columns,
        sentences.collect(),
        &notes,
    )
}

fn accuracy(card: &Card) -> Table {
    let rows = card.accuracy.iter().map(|row| {
        let kept = row.kept.map(|kept| if kept { "kept" } else { "not kept" });
        vec![
            row.operation.into(),
            row.range.into(),
            row.engine.name().into(),
            row.max_ulps.into(),
            row.mean_ulps.into(),
            (100.0 * row.not_nearest as f64 / row.arguments.max(1) as f64).into(),
            row.promise.into(),
            kept.into(),
        ]
    });
    let columns = [
        "operation",
        "arguments",
        "engine",
        "largest error [ULP]",
        "mean error [ULP]",
        "not the nearest [%]",
        "promised",
        "",
    ];
    let notes = [
        "Against f64, in units in the last place of the exact result, or for sums that cancel, of their largest term.",
        "Promised: by section 4.7.1 of GLSL 4.60 and GLSL ES 3.20, which let a device round in any direction.",
    ];
    table(
        "accuracy",
        "Errors of operations and built-in functions",
        &columns,
        rows.collect(),
        &notes,
    )
}

fn contraction(card: &Card) -> Table {
    let rows = card.contraction.iter().map(|row| {
        let rounded = match row.fusion {
            card::Fusion::Fused => "once",
            card::Fusion::Separate => "twice",
            card::Fusion::Mixed => "once or twice",
            card::Fusion::Neither => "otherwise",
        };
        vec![row.form.into(), row.engine.name().into(), rounded.into()]
    });
    let columns = ["written as", "engine", "rounded"];
    table("contraction", "Products and sums, rounded once or twice", &columns, rows.collect(), &[])
}

fn specials(card: &Card) -> Table {
    let first = card.specials.iter().filter(|row| row.engine == Engine::Fragment);
    let rows = first.map(|row| {
        let ieee: Cell = match row.ieee {
            Some(same) => yes(same),
            None => "open".into(),
        };
        vec![row.what.into(), row.gives.as_str().into(), ieee]
    });
    let columns = ["expression", "gives", "as IEEE 754"];
    let title = "Denormals, NaN, infinities, zeros, and what a compiler may shorten";
    table("specials", title, &columns, rows.collect(), &["By fragment shaders."])
}

fn passages(card: &Card) -> Table {
    let rows = card.passages.iter().map(|row| {
        let kept = [row.denormals, row.nan, row.infinities, row.negative_zero, row.largest];
        [Cell::from(row.way)].into_iter().chain(kept.map(yes)).collect()
    });
    let columns = ["way", "denormals", "NaN", "infinities", "-0", "largest"];
    table("passages", "Values that arrive unchanged", &columns, rows.collect(), &[])
}

fn indexing(card: &Card) -> Table {
    let rows = card.indexing.iter().map(|row| {
        let first = row.first_wrong.map_or("none".into(), count);
        vec![row.way.as_str().into(), row.extent.as_str().into(), count(row.texels), first]
    });
    let columns = ["way of reading", "texture", "texels", "first that is missed"];
    table("indexing", "Which texels are reached exactly", &columns, rows.collect(), &[])
}

fn lines(card: &Card) -> Table {
    let rows = card.lines.iter().map(|row| {
        let way = if row.upward { "up" } else { "down" };
        vec![
            row.line.into(),
            way.into(),
            row.lines.into(),
            row.exact.into(),
            row.missed.into(),
            row.doubled.into(),
            row.strays.into(),
        ]
    });
    let columns = [
        "lines",
        "way",
        "drawn",
        "exact",
        "missed [texels]",
        "doubled [texels]",
        "strays [texels]",
    ];
    table(
        "lines",
        "What lines along the first and last columns cover",
        &columns,
        rows.collect(),
        &[],
    )
}

fn interpolation(card: &Card) -> Table {
    let rows = card.interpolation.iter().map(|row| {
        vec![
            row.extent.as_str().into(),
            row.reads.into(),
            row.max_texels.into(),
            row.max_ulps.into(),
            row.misread.into(),
        ]
    });
    let columns =
        ["strip", "read by", "largest error [texels]", "largest error [ULP]", "texels missed"];
    let notes = [
        "Coordinates of a texel and its two neighbours, interpolated over the strip; half a texel is too much.",
    ];
    table(
        "interpolation",
        "Interpolated coordinates of neighbours",
        &columns,
        rows.collect(),
        &notes,
    )
}
