//! Counts numbers by their distance from the expected ones.

use quadrille::data::{Field, Values};
use quadrille::testing::ulps;

/// The row of the numbers that differ where one is infinite or NaN.
const APART: &str = "infinity or NaN";

/// The row of the numbers that are equal.
pub(super) const EQUAL: &str = "equal";

/// Counts distances by powers of two, in ULP of floats or in units of integers.
pub(super) fn steps(got: &Field, expected: &Field) -> Vec<(String, usize)> {
    let distances: Vec<Option<u64>> = match (got.values(), expected.values()) {
        (Values::F32(got), Values::F32(expected)) => {
            got.iter().zip(expected).map(|(a, b)| ulps(*a, *b)).collect()
        }
        (got, expected) => {
            let pairs = got.doubles().zip(expected.doubles());
            pairs.map(|(a, b)| Some((a - b).abs() as u64)).collect()
        }
    };
    let unit = if matches!(got.values(), Values::F32(_)) { "ULP" } else { "off" };
    let class = |distance: u64| distance.checked_ilog2().map_or(0, |log| log as usize + 1);
    let mut counts = [0; u64::BITS as usize + 1];
    distances.iter().flatten().for_each(|distance| counts[class(*distance)] += 1);
    let apart = distances.iter().filter(|distance| distance.is_none()).count();
    rows(counts[0], &counts[1..], |class| steps_name(class + 1, unit), apart)
}

fn steps_name(class: usize, unit: &str) -> String {
    match class {
        1 => format!("1 {unit}"),
        class => format!("{} to {} {unit}", 1_u64 << (class - 1), (1_u128 << class) - 1),
    }
}

/// The bounds of the classes of absolute distances.
const DECADES: [f64; 7] = [1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 1.0];

/// Counts distances by powers of ten, in parts of white: half a ULP of a dark colour is not a
/// larger error than one of a bright colour.
pub(super) fn absolute(got: &Field, expected: &Field) -> Vec<(String, usize)> {
    let (mut equal, mut apart, mut counts) = (0, 0, [0; DECADES.len() + 1]);
    for (got, expected) in got.values().doubles().zip(expected.values().doubles()) {
        let distance = (got - expected).abs();
        if got == expected || got.is_nan() && expected.is_nan() {
            equal += 1;
        } else if distance.is_finite() {
            counts[DECADES.partition_point(|bound| *bound <= distance)] += 1;
        } else {
            apart += 1;
        }
    }
    rows(equal, &counts, decade_name, apart)
}

fn decade_name(class: usize) -> String {
    match class.checked_sub(1).map(|below| DECADES[below]) {
        None => format!("below {}", DECADES[0]),
        Some(low) => match DECADES.get(class) {
            Some(high) => format!("{low} to {high}"),
            None => format!("{low} and more"),
        },
    }
}

/// Returns the rows of the classes from the first to the last that has numbers, and of numbers that
/// are in none.
fn rows(
    equal: usize,
    classes: &[usize],
    name: impl Fn(usize) -> String,
    apart: usize,
) -> Vec<(String, usize)> {
    let first = classes.iter().position(|count| *count > 0).unwrap_or(classes.len());
    let end = classes.iter().rposition(|count| *count > 0).map_or(first, |last| last + 1);
    let mut rows = vec![(EQUAL.to_owned(), equal)];
    rows.extend((first..end).map(|class| (name(class), classes[class])));
    if apart > 0 {
        rows.push((APART.into(), apart));
    }
    rows
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn field(numbers: &[f32]) -> Field {
        Field::line(numbers.to_vec()).unwrap()
    }

    fn row(name: &str, count: usize) -> (String, usize) {
        (name.to_owned(), count)
    }

    #[test]
    fn every_number_is_in_one_class_of_distances() {
        let one = 1.0_f32;
        let by = |steps: u32| f32::from_bits(one.to_bits() + steps);
        let got = field(&[one, by(1), by(2), by(3), by(4), f32::NAN, f32::INFINITY]);
        let rows = steps(&got, &field(&[one, one, one, one, one, one, f32::MAX]));
        let expected = [
            row("equal", 1),
            row("1 ULP", 1),
            row("2 to 3 ULP", 2),
            row("4 to 7 ULP", 1),
            row(APART, 2),
        ];
        assert_eq!(rows, expected);
        let rows = steps(&field(&[one, by(9)]), &field(&[one, one]));
        assert_eq!(rows, [row("equal", 1), row("8 to 15 ULP", 1)], "no empty rows before");
    }

    #[test]
    fn distances_of_colours_are_absolute() {
        let got = field(&[0.0, 0.5, 1.0, 1.0, f32::NAN, f32::NAN, f32::INFINITY]);
        let rows = absolute(&got, &field(&[1e-20, 0.5, 0.95, 0.0, f32::NAN, 1.0, f32::INFINITY]));
        assert_eq!(rows[..2], [row("equal", 3), row("below 0.000001", 1)]);
        assert_eq!(rows[2..5].iter().map(|(_, count)| count).sum::<usize>(), 0);
        let rest = [row("0.01 to 0.1", 1), row("0.1 to 1", 0), row("1 and more", 1), row(APART, 1)];
        assert_eq!(rows[rows.len() - 4..], rest);
        assert_eq!(absolute(&got, &got), [row("equal", 7)]);
    }
}
