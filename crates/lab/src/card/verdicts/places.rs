//! Sentences about texels: which are reached, covered, and met by interpolated coordinates.

use super::super::{Card, Coverage, Indexing, Interpolation};
use super::{Verdict, listed};

pub(super) fn indexing(card: &Card) -> Vec<Verdict> {
    card.indexing.chunk_by(|one, other| one.way == other.way).map(of_way).collect()
}

fn of_way(rows: &[Indexing]) -> Verdict {
    let way = &rows[0].way;
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            row.first_wrong.map(|first| format!("wrong from texel {first} of {} on", row.extent))
        })
        .collect();
    let all: Vec<String> = rows.iter().map(|row| row.extent.clone()).collect();
    Verdict::unless(&wrong, format!("{way}: every texel of {}", listed(&all)), &format!("{way}:"))
}

pub(super) fn lines(card: &Card) -> Vec<Verdict> {
    card.lines.iter().map(of_line).collect()
}

fn of_line(row: &Coverage) -> Verdict {
    let way = if row.upward { "upward" } else { "downward" };
    let subject = format!("{way} {}", row.line);
    if row.is_exact() {
        return Verdict::good(format!(
            "{subject}: all {} lines cover their column once",
            row.lines
        ));
    }
    let doubled =
        row.doubled.map_or_else(|| "doubles not counted".into(), |n| format!("{n} doubled"));
    let first = row.first_wrong.as_deref().unwrap_or_default();
    Verdict::care(format!(
        "{subject}: {} of {} lines exact; {} texels missed, {doubled}, {} strays; the first wrong one is {first} \
         texels",
        row.exact, row.lines, row.missed, row.strays
    ))
}

pub(super) fn interpolation(card: &Card) -> Vec<Verdict> {
    card.interpolation
        .chunk_by(|one, other| one.reads == other.reads)
        .filter_map(of_reads)
        .collect()
}

fn of_reads(rows: &[Interpolation]) -> Option<Verdict> {
    let worst = rows.iter().max_by(|a, b| a.max_texels.total_cmp(&b.max_texels))?;
    let reads = worst.reads;
    let unit = if reads == "fetch" { "in texels" } else { "in fractions of the side" };
    let misread: usize = rows.iter().map(|row| row.misread).sum();
    let met = if misread == 0 {
        "every texel is met".into()
    } else {
        format!("{misread} texels are missed")
    };
    let off = match worst.max_texels == 0.0 {
        true => "exact".into(),
        false => format!("errors of up to {:.1e} texels at {}", worst.max_texels, worst.extent),
    };
    let text = format!("{unit} ({reads}): {off}; {met}");
    Some(Verdict::of(misread == 0, text))
}
