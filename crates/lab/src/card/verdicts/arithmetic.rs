//! Sentences about errors, rounding, contraction, and where engines differ.

use super::super::{Accuracy, Card, Contraction, Direction, Engine, Fusion};
use super::{Verdict, listed};
use crate::card::special::specials::{SUM, SUM_PRECISELY};

/// Beyond this many units a function says little of its result's last digits.
const COARSE: f64 = 1000.0;

pub(super) fn accuracy(card: &Card) -> Vec<Verdict> {
    let rows: Vec<&Accuracy> =
        card.accuracy.iter().filter(|row| row.engine == card.first()).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut verdicts = Vec::new();
    let simple = ["a + b", "a - b", "a * b", "a / b", "sqrt(a)"];
    let nearest = |name: &str| {
        rows.iter().filter(|row| row.operation == name).all(|row| row.not_nearest == 0)
    };
    let (right, wrong): (Vec<&str>, Vec<&str>) = simple.iter().partition(|name| nearest(name));
    if !right.is_empty() {
        verdicts.push(Verdict::good(format!("{} are rounded correctly", names(&right))));
    }
    for name in wrong {
        verdicts.push(Verdict::care(format!(
            "{name} has an error of up to {:.2} ULP",
            worst(&rows, name)
        )));
    }
    verdicts.push(promises(&rows));
    verdicts.extend(coarse(&rows));
    verdicts.extend(integers(card));
    verdicts
}

/// Most of these are near a zero of the function, where a small error is many units: it is reported
/// too.
fn coarse(rows: &[&Accuracy]) -> Option<Verdict> {
    let is_coarse = |row: &Accuracy| row.max_ulps > COARSE || !row.max_ulps.is_finite();
    let mut worst: Vec<&Accuracy> = Vec::new();
    for row in rows.iter().copied().filter(|row| is_coarse(row)) {
        match worst.iter_mut().find(|other| other.operation == row.operation) {
            Some(other) if other.max_ulps >= row.max_ulps => {}
            Some(other) => *other = row,
            None => worst.push(row),
        }
    }
    let there = |row: &&Accuracy| {
        let off = (f64::from(row.worst_got) - row.worst_exact).abs();
        format!("{} (there by {off:.1e})", row.operation)
    };
    let texts: Vec<String> = worst.iter().map(there).collect();
    (!texts.is_empty()).then(|| {
        Verdict::care(format!("an error of more than {COARSE} ULP somewhere: {}", listed(&texts)))
    })
}

fn names(names: &[&str]) -> String {
    listed(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn worst(rows: &[&Accuracy], name: &str) -> f64 {
    rows.iter().filter(|row| row.operation == name).map(|row| row.max_ulps).fold(0.0, f64::max)
}

fn promises(rows: &[&Accuracy]) -> Verdict {
    let broken: Vec<String> = rows
        .iter()
        .filter(|row| row.kept == Some(false))
        .map(|row| {
            format!(
                "{} over {} ({:.1} ULP, promised {})",
                row.operation, row.range, row.max_ulps, row.promise
            )
        })
        .collect();
    let kept = "all error bounds that GLSL 4.60 and ES 3.20 promise are kept";
    Verdict::unless(&broken, kept, "error bounds of GLSL 4.60 and ES 3.20 NOT kept:")
}

fn integers(card: &Card) -> Option<Verdict> {
    let rows = || card.integers.iter().filter(|row| row.engine == card.first());
    rows().next()?;
    let wrong: Vec<String> = rows()
        .filter(|row| row.wrong > 0)
        .map(|row| format!("{} ({} of {})", row.operation, row.wrong, row.arguments))
        .collect();
    Some(Verdict::unless(&wrong, "integers and conversions are exact", "wrong:"))
}

pub(super) fn rounding(card: &Card) -> Vec<Verdict> {
    let rows: Vec<_> = card.rounding.iter().filter(|row| row.engine == card.first()).collect();
    let mut directions: Vec<Direction> = rows.iter().map(|row| row.direction).collect();
    directions.sort_by_key(|direction| direction.name());
    directions.dedup();
    let mut verdicts: Vec<Verdict> = directions
        .into_iter()
        .map(|direction| {
            let of: Vec<&str> = rows
                .iter()
                .filter(|row| row.direction == direction)
                .map(|row| row.operation)
                .collect();
            Verdict::of(
                direction != Direction::Mixed,
                format!("{}: {}", names(&of), direction.name()),
            )
        })
        .collect();
    if let Some(bytes) = &card.quantising {
        let kept = if bytes.bytes_kept { "" } else { ", and a byte / 255 does NOT give that byte" };
        let rest =
            if bytes.clamped { "outside 0 to 1 clamped" } else { "NOT clamped outside 0 to 1" };
        let text = format!(
            "fractions drawn into bytes: {}{kept}, {rest}, NaN becomes {}",
            bytes.text(),
            bytes.nan
        );
        verdicts.push(Verdict::of(bytes.bytes_kept && bytes.clamped, text));
    }
    verdicts
}

pub(super) fn contraction(card: &Card) -> Vec<Verdict> {
    let rows: Vec<&Contraction> =
        card.contraction.iter().filter(|row| row.engine == card.first()).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let is_fma = |row: &&&Contraction| row.form.starts_with("fma");
    let plain: Vec<&&Contraction> = rows.iter().filter(|row| !row.precise).collect();
    let precise: Vec<&&Contraction> =
        rows.iter().filter(|row| row.precise && !is_fma(row)).collect();
    let mut verdicts = vec![plain_forms(&plain), precise_forms(card, &plain, &precise)];
    if let Some(fma) = rows.iter().find(is_fma) {
        verdicts.push(match fma.fusion {
            Fusion::Fused => Verdict::good("fma() rounds once"),
            Fusion::Separate => Verdict::care("fma() rounds twice: it is a product and a sum"),
            Fusion::Mixed | Fusion::Neither => {
                Verdict::care("fma() sometimes rounds once, sometimes twice")
            }
        });
    }
    verdicts.push(algebra(card));
    verdicts
}

fn plain_forms(plain: &[&&Contraction]) -> Verdict {
    let fused: Vec<String> = plain
        .iter()
        .filter(|row| row.fusion != Fusion::Separate)
        .map(|row| row.form.to_owned())
        .collect();
    match (fused.len(), plain.len()) {
        (0, _) => Verdict::good("a * b + c is not fused, however it is written"),
        (n, m) if n == m => Verdict::care("a * b + c is fused, however it is written"),
        _ => Verdict::care(format!("a * b + c is fused when written {}", listed(&fused))),
    }
}

/// Judges `precise`: it keeps products from being fused, and sums in their order.
fn precise_forms(card: &Card, plain: &[&&Contraction], precise: &[&&Contraction]) -> Verdict {
    if !card.precise {
        return Verdict::care("`precise` is not supported: it requires OpenGL 4.0 or ES 3.2");
    }
    let fused = precise.iter().filter(|row| row.fusion != Fusion::Separate);
    let mut ignored: Vec<String> = fused.map(|row| row.form.to_owned()).collect();
    if !as_written(card, SUM_PRECISELY) {
        ignored.push("a sum's order".into());
    }
    if !ignored.is_empty() {
        let text = format!("`precise` is supported and NOT respected: {}", listed(&ignored));
        return Verdict::care(text);
    }
    let fuses = plain.iter().any(|row| row.fusion != Fusion::Separate);
    match fuses || !as_written(card, SUM) {
        true => Verdict::good("`precise` is supported and respected"),
        false => Verdict::good("`precise` is supported; nothing was found that changes without it"),
    }
}

fn as_written(card: &Card, what: &str) -> bool {
    let mut rows = card.specials.iter().filter(|row| row.engine == card.first());
    rows.all(|row| row.what != what || row.ieee == Some(true))
}

fn algebra(card: &Card) -> Verdict {
    let rows = card
        .specials
        .iter()
        .filter(|row| row.engine == card.first() && row.group == super::super::Group::Algebra);
    let shortened: Vec<String> = rows
        .filter(|row| row.ieee == Some(false))
        .map(|row| format!("{} gives {}", row.what, row.gives))
        .collect();
    let otherwise = "expressions are simplified as if floats were real numbers:";
    Verdict::unless(&shortened, "expressions are computed as written", otherwise)
}

/// The differences of another engine from fragments, to the last reported bit.
pub(super) fn engines(card: &Card) -> Vec<Verdict> {
    let others = card.engines.iter().filter(|engine| **engine != card.first());
    others
        .map(|engine| {
            let (differs, name) = (differences(card, *engine), engine.name());
            let same = format!("{name} shaders give the same results in every row");
            Verdict::unless(&differs, same, &format!("{name} shaders differ in"))
        })
        .collect()
}

fn differences(card: &Card, engine: Engine) -> Vec<String> {
    let both = [card.first(), engine];
    let mut found = unlike(&card.accuracy, both, |row| {
        let errors = [row.max_ulps.to_bits(), row.mean_ulps.to_bits()];
        (row.engine, row.operation, (row.range, errors, row.not_nearest))
    });
    found.extend(unlike(&card.integers, both, |row| (row.engine, row.operation, row.wrong)));
    found.extend(unlike(&card.rounding, both, |row| (row.engine, row.operation, row.direction)));
    found.extend(unlike(&card.contraction, both, |row| (row.engine, row.form, row.fusion)));
    found.extend(unlike(&card.specials, both, |row| (row.engine, row.what, row.gives.clone())));
    found.dedup();
    found
}

/// The names of an engine's rows whose results differ from the first engine's; both have the same
/// rows in order.
fn unlike<R, K: PartialEq>(
    rows: &[R],
    [first, other]: [Engine; 2],
    of: impl Fn(&R) -> (Engine, &'static str, K),
) -> Vec<String> {
    let rows: Vec<_> = rows.iter().map(of).collect();
    let of_engine = |engine| rows.iter().filter(move |(its, ..)| *its == engine);
    let pairs = of_engine(first).zip(of_engine(other));
    pairs.filter(|(a, b)| (a.1, &a.2) != (b.1, &b.2)).map(|(a, _)| a.1.to_owned()).collect()
}
