//! Sentences about denormals, NaN, infinities and zeros, in arithmetic and on their ways.

use super::super::{Answer, Card, Group, Passage};
use super::{Verdict, listed};

fn rows(card: &Card, group: Group) -> Vec<&Answer> {
    let first = card.first();
    card.specials.iter().filter(|row| row.engine == first && row.group == group).collect()
}

fn exceptions(rows: &[&Answer]) -> Vec<String> {
    let other = rows.iter().filter(|row| row.ieee == Some(false));
    other.map(|row| format!("{} gives {}", row.what, row.gives)).collect()
}

fn gives<'a>(rows: &[&'a Answer], what: &str) -> &'a str {
    rows.iter().find(|row| row.what == what).map_or("", |row| row.gives.as_str())
}

/// The questions about denormals, by the position in which the denormal is.
const AS_OPERANDS: [&str; 4] = ["1e-40 * 2^30", "1e-40 > 0", "1e-40 == 0", "1e-40 + 1e-40"];
const AS_RESULTS: [&str; 4] =
    ["2^-126 * 1.5 - 2^-126", "2^-100 * 2^-30", "2^-100 / 2^30", "exp2(-130)"];
const MOVED: [&str; 2] = ["1e-40 moved", "1e-40 as a constant"];
const SIGNED: [&str; 2] = ["-(1e-40)", "abs(-1e-40)"];
const CHOSEN: [&str; 2] = ["max(1e-40, 0)", "min(1e-40, 1)"];

pub(super) fn denormals(card: &Card) -> Vec<Verdict> {
    let rows = rows(card, Group::Denormals);
    if rows.is_empty() {
        return Vec::new();
    }
    let sentence = |subject: &str, questions: &[&str]| {
        let of: Vec<&Answer> =
            rows.iter().filter(|row| questions.contains(&row.what)).copied().collect();
        let lost = exceptions(&of);
        match lost.len() {
            0 => Verdict::good(format!("{subject}: kept")),
            n if n == of.len() => Verdict::care(format!("{subject}: flushed to zero")),
            _ => Verdict::care(format!("{subject}: {}", listed(&lost))),
        }
    };
    vec![
        sentence("moved and as constants", &MOVED),
        sentence("negated and without their sign", &SIGNED),
        sentence("as operands", &AS_OPERANDS),
        sentence("as results", &AS_RESULTS),
        sentence("in min and max", &CHOSEN),
    ]
}

pub(super) fn nan(card: &Card) -> Vec<Verdict> {
    let rows = rows(card, Group::Nan);
    if rows.is_empty() {
        return Vec::new();
    }
    let lost = exceptions(&rows);
    let good = "produced, kept, compared and detected by isnan() as in IEEE 754";
    let ieee = Verdict::unless(&lost, good, "unlike IEEE 754:");
    let side = |first: &str, second: &str| match (gives(&rows, first), gives(&rows, second)) {
        ("1", "1") => "the number",
        ("NaN", "NaN") => "NaN",
        ("1", "NaN") => "the second operand",
        ("NaN", "1") => "the first operand",
        _ => "neither operand",
    };
    let min = side("min(NaN, 1)", "min(1, NaN)");
    let max = side("max(NaN, 1)", "max(1, NaN)");
    let clamps = ["clamp(NaN, 0, 1)", "clamp(0.5, NaN, 1)", "clamp(0.5, 0, NaN)"];
    let clamps = clamps.map(|what| format!("{what} gives {}", gives(&rows, what)));
    vec![
        ieee,
        Verdict::of(min == "NaN", format!("min of NaN and a number gives {min}")),
        Verdict::of(max == "NaN", format!("max of NaN and a number gives {max}")),
        Verdict::of(gives(&rows, "clamp(NaN, 0, 1)") == "NaN", listed(&clamps)),
    ]
}

pub(super) fn infinities(card: &Card) -> Vec<Verdict> {
    let subject = |name: &str, group: Group| {
        let rows = rows(card, group);
        let (good, otherwise) =
            (format!("{name}: as in IEEE 754"), format!("{name}, unlike IEEE 754:"));
        (!rows.is_empty()).then(|| Verdict::unless(&exceptions(&rows), good, &otherwise))
    };
    let infinities = subject("infinities and overflow", Group::Infinities);
    infinities.into_iter().chain(subject("the sign of zero", Group::Zeros)).collect()
}

pub(super) fn passages(card: &Card) -> Vec<Verdict> {
    if card.passages.is_empty() {
        return Vec::new();
    }
    let mut verdicts: Vec<Verdict> = card.passages.iter().filter_map(lost).collect();
    if verdicts.len() < card.passages.len() {
        let rest = if verdicts.is_empty() { "every way" } else { "every other way" };
        let text = format!("denormals, NaN, infinities, -0 and the largest arrive by {rest}");
        verdicts.insert(0, Verdict::good(text));
    }
    verdicts
}

fn lost(passage: &Passage) -> Option<Verdict> {
    let kinds = [
        (passage.denormals, "denormals"),
        (passage.nan, "NaN"),
        (passage.infinities, "infinities"),
        (passage.negative_zero, "-0"),
        (passage.largest, "the largest"),
    ];
    let lost: Vec<String> =
        kinds.iter().filter(|(kept, _)| !kept).map(|(_, name)| name.to_string()).collect();
    let text = format!("{}: loses {}", passage.way, listed(&lost));
    (!lost.is_empty()).then(|| Verdict::care(text))
}
