//! What a comparison looks like: heat maps, and how far how many numbers are off.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use quadrille::data::{Field, Values};
use quadrille::internal::reference::ulps;
use quadrille::io::picture::HeatMap;
use quadrille::testing::{Finding, Ran};

/// The pictures of one comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    pub output: String,
    pub claim: String,
    /// The channel that is drawn: that of the worst number.
    pub channel: usize,
    /// `expected`, `actual` and `difference`, each a `.png` in base 64.
    pub maps: Vec<(String, String)>,
    pub histogram: Vec<(String, usize)>,
}

/// The most numbers along a side of a picture; of a block of differences the largest is drawn.
const SIDE: usize = 320;
/// The most comparisons that are drawn of a test.
const MOST: usize = 6;

/// The figures of what was expected, and of what should not have changed and did.
pub fn figures(ran: &Ran) -> Vec<Figure> {
    let of_interest = |finding: &&Finding| {
        !["again", "reads", "size"].contains(&finding.claim) || !finding.is_right()
    };
    ran.findings.iter().filter(of_interest).take(MOST).map(figure).collect()
}

fn figure(finding: &Finding) -> Figure {
    let worst = finding.difference.as_ref().ok().and_then(|difference| difference.worst.as_ref());
    let channel = worst.map_or(0, |worst| worst.channel);
    let got = channel_of(&finding.got, channel);
    let shape = (finding.got.extent().width as usize, finding.got.extent().height as usize);
    let expected = finding.expected.as_ref().filter(|field| {
        (field.extent(), field.channels()) == (finding.got.extent(), finding.got.channels())
    });
    let mut maps = Vec::new();
    let mut histogram = Vec::new();
    if let Some(field) = expected {
        let numbers = channel_of(field, channel);
        maps.extend(map("expected", shape, &numbers));
        maps.extend(map("actual", shape, &got));
        let difference: Vec<f64> =
            got.iter().zip(&numbers).map(|(a, b)| difference(*a, *b)).collect();
        maps.extend(map("actual - expected", shape, &difference));
        histogram = distances(&finding.got, field);
    } else {
        maps.extend(map("actual", shape, &got));
    }
    let (output, claim) = (finding.output.clone(), finding.claim.to_owned());
    Figure { output, claim, channel, maps, histogram }
}

/// Zero for equal numbers, also where both are the same infinity or NaN.
fn difference(got: f64, expected: f64) -> f64 {
    if got == expected || got.is_nan() && expected.is_nan() { 0.0 } else { got - expected }
}

fn channel_of(field: &Field, channel: usize) -> Vec<f64> {
    field.values().doubles().skip(channel).step_by(field.channels()).collect()
}

/// A heat map with its scale; none where it cannot be drawn.
fn map(title: &str, (width, height): (usize, usize), numbers: &[f64]) -> Option<(String, String)> {
    let (width, values) = reduced(width, height, numbers);
    let height = values.len() / width.max(1);
    let picture = HeatMap { width, height, values: &values, title }.png().ok()?;
    Some((title.to_owned(), BASE64_STANDARD.encode(picture)))
}

/// Blocks of a large grid as their largest number, so that no single difference is lost: the width, and the numbers.
fn reduced(width: usize, height: usize, numbers: &[f64]) -> (usize, Vec<f32>) {
    let block = width.max(height).div_ceil(SIDE).max(1);
    let largest = |(row, column): (usize, usize)| {
        let rows = row * block..((row + 1) * block).min(height);
        let cells = rows.flat_map(|y| {
            let columns = column * block..((column + 1) * block).min(width);
            columns.map(move |x| y * width + x)
        });
        let numbers = cells.filter_map(|cell| numbers.get(cell).copied());
        numbers.fold(0.0, |a, b| if b.abs() > f64::abs(a) || b.is_nan() { b } else { a }) as f32
    };
    let (columns, rows) = (width.div_ceil(block), height.div_ceil(block));
    let blocks = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    (columns, blocks.map(largest).collect())
}

/// How many numbers are how far off: in ULP of floats, or in units of integers, by powers of two.
fn distances(got: &Field, expected: &Field) -> Vec<(String, usize)> {
    let distances: Vec<Option<u64>> = match (got.values(), expected.values()) {
        (Values::F32(got), Values::F32(expected)) => got
            .iter()
            .zip(expected)
            .map(|(a, b)| ulps(*a, *b).filter(|_| a.is_infinite() == b.is_infinite()))
            .collect(),
        (got, expected) => {
            let pairs = got.doubles().zip(expected.doubles());
            pairs.map(|(a, b)| Some((a - b).abs() as u64)).collect()
        }
    };
    let unit = if matches!(got.values(), Values::F32(_)) { "ULP" } else { "off" };
    let class = |distance: u64| distance.checked_ilog2().map_or(0, |log| log as usize + 1);
    let last = distances.iter().flatten().map(|distance| class(*distance)).max().unwrap_or(0);
    let count = |wanted: usize| {
        distances.iter().flatten().filter(|distance| class(**distance) == wanted).count()
    };
    let mut rows: Vec<(String, usize)> =
        (0..=last).map(|class| (class_name(class, unit), count(class))).collect();
    let apart = distances.iter().filter(|distance| distance.is_none()).count();
    if apart > 0 {
        rows.push(("only one is finite".into(), apart));
    }
    rows
}

fn class_name(class: usize, unit: &str) -> String {
    match class {
        0 => "equal".into(),
        1 => format!("1 {unit}"),
        class => format!("{} to {} {unit}", 1_u64 << (class - 1), (1_u128 << class) - 1),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_single_difference_is_seen_in_a_large_grid() {
        let (width, height) = (1000, 333);
        for at in [0, 999, 332_999, 123_456] {
            let mut numbers = vec![0.0; width * height];
            numbers[at] = -7.0;
            let (columns, values) = reduced(width, height, &numbers);
            assert_eq!(values.iter().filter(|value| **value == -7.0).count(), 1);
            assert!(columns <= SIDE && values.len() == columns * height.div_ceil(4));
        }
        assert!(reduced(2, 1, &[1.0, f64::NAN]).1[1].is_nan());
    }

    #[test]
    fn every_number_is_in_one_class_of_distances() {
        let field = |numbers: &[f32]| Field::line(numbers.to_vec()).unwrap();
        let one = 1.0_f32;
        let by = |steps: u32| f32::from_bits(one.to_bits() + steps);
        let got = field(&[one, by(1), by(2), by(3), by(4), f32::NAN, f32::INFINITY]);
        let rows = distances(&got, &field(&[one, one, one, one, one, one, f32::MAX]));
        let row = |name: &str, count| (name.to_owned(), count);
        let expected = [
            row("equal", 1),
            row("1 ULP", 1),
            row("2 to 3 ULP", 2),
            row("4 to 7 ULP", 1),
            row("only one is finite", 2),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn equal_numbers_do_not_differ_even_where_they_are_not_finite() {
        assert_eq!(difference(f64::INFINITY, f64::INFINITY), 0.0);
        assert_eq!(difference(f64::NAN, f64::NAN), 0.0);
        assert!(difference(f64::NAN, 1.0).is_nan());
        assert_eq!(difference(1.5, 1.0), 0.5);
    }
}
