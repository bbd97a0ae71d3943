//! The direction in which results are rounded, found from cases that decide it.

use crate::card::prelude::*;
use crate::report::names::named_enum;

named_enum! {
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Direction {
        /// Rounds to the nearest float, and a tie to the even one: IEEE 754's usual.
        NearestEven => "to nearest, ties to even",
        /// Rounds to the nearest float, and a tie to the larger one.
        NearestAway => "to nearest, ties away from zero",
        /// Toward zero: what is too much is cut off.
        TowardZero => "toward zero",
        Up => "toward plus infinity",
        Down => "toward minus infinity",
        /// Rounds by none of these rules in all cases.
        Mixed => "in no one direction, and not always to nearest",
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Rounding {
    pub operation: &'static str,
    pub engine: Engine,
    pub direction: Direction,
    /// The number of results that were examined, among them ties both ways.
    pub cases: usize,
}

impl Direction {
    /// The float that an exact number becomes.
    fn round(self, exact: f64) -> f32 {
        let nearest = exact as f32;
        let (low, high) = match f64::from(nearest) {
            n if n < exact => (nearest, nearest.next_up()),
            n if n > exact => (nearest.next_down(), nearest),
            _ => return nearest,
        };
        let (below, above) = (exact - f64::from(low), f64::from(high) - exact);
        let (inner, outer) = if exact > 0.0 { (low, high) } else { (high, low) };
        match self {
            Direction::Down => low,
            Direction::Up => high,
            Direction::TowardZero => inner,
            Direction::NearestAway if below == above => outer,
            _ => nearest,
        }
    }

    /// The whole number that a float becomes.
    fn round_whole(self, exact: f64) -> f64 {
        match self {
            Direction::NearestEven | Direction::Mixed => exact.round_ties_even(),
            Direction::NearestAway => exact.round(),
            Direction::TowardZero => exact.trunc(),
            Direction::Up => exact.ceil(),
            Direction::Down => exact.floor(),
        }
    }
}

pub(super) fn decide(cases: &[(f64, f32)]) -> Direction {
    let explains = |d: &Direction| cases.iter().all(|(exact, got)| d.round(*exact) == *got);
    Direction::ALL.into_iter().find(explains).unwrap_or(Direction::Mixed)
}

pub(super) fn decide_whole(cases: &[(f64, f64)]) -> Direction {
    let explains = |d: &Direction| cases.iter().all(|(exact, got)| d.round_whole(*exact) == *got);
    Direction::ALL.into_iter().find(explains).unwrap_or(Direction::Mixed)
}

/// Sums, products and quotients of these, with either sign; many are half way between two floats.
pub(crate) fn pairs(seed: u64) -> Vec<[f32; 2]> {
    let mut generator = SplitMix64::new(seed);
    let (e, mut pairs) = (f32::EPSILON, Vec::new());
    for steps in 0..16 {
        let one = 1.0 + steps as f32 * e;
        for quarters in 1..8 {
            pairs.push([one, quarters as f32 * 0.25 * e]);
        }
        pairs.push([one, 1.5]);
        pairs.push([one, 1.25]);
    }
    let mut next = || generator.within(1.0..2.0) as f32;
    pairs.extend((0..300).map(|_| [next(), next()]));
    let negative: Vec<_> = pairs.iter().map(|[a, b]| [-a, *b]).collect();
    let both: Vec<_> = pairs.iter().map(|[a, b]| [-a, -b]).collect();
    [pairs, negative, both].concat()
}

type Binary = (&'static str, fn(f64, f64) -> f64);

/// Operations that f64 can judge: sums and products of these pairs are exact, and a quotient is
/// never too near to the middle of two floats for f64 to find its side.
const BINARY: [Binary; 3] =
    [("a + b", |a, b| a + b), ("a * b", |a, b| a * b), ("a / b", |a, b| a / b)];

pub(crate) const EXPRESSIONS: [&str; 6] =
    ["a + b", "a * b", "a / b", "float(int(a))", "round(a)", "float(floatBitsToInt(a))"];

pub(crate) fn measure(context: &Context, engine: Engine, seed: u64) -> Result<Vec<Rounding>> {
    let ask = Ask::floats(EXPRESSIONS.into_iter());
    let pairs = pairs(seed);
    let wholes = wholes();
    let large = large_integers();
    let pick = |case: usize, a: f32, b: f32| {
        let mut bits = bits([a, b, 0.0, 0.0]);
        bits[3] = case as i32;
        bits
    };
    let mut asked = Vec::new();
    for case in 0..BINARY.len() {
        asked.extend(pairs.iter().map(|[a, b]| pick(case, *a, *b)));
    }
    for case in [3, 4] {
        asked.extend(wholes.iter().map(|x| pick(case, *x, 0.0)));
    }
    asked.extend(large.iter().map(|i| [*i, 0, 0, 5]));
    let mut answers = ask.numbers(context, engine, &asked)?;
    let mut rows = Vec::new();
    let mut row =
        |operation, direction, cases| rows.push(Rounding { operation, engine, direction, cases });
    for (name, exact) in BINARY {
        let cases: Vec<_> = pairs
            .iter()
            .zip(answers.by_ref())
            .map(|([a, b], got)| (exact((*a).into(), (*b).into()), got))
            .collect();
        row(name, decide(&cases), cases.len());
    }
    for name in ["float to int", "round(a)"] {
        let cases: Vec<_> = wholes
            .iter()
            .zip(answers.by_ref())
            .map(|(x, got)| (f64::from(*x), f64::from(got)))
            .collect();
        row(name, decide_whole(&cases), cases.len());
    }
    let cases: Vec<_> = large.iter().zip(answers).map(|(i, got)| (f64::from(*i), got)).collect();
    row("int to float", decide(&cases), cases.len());
    Ok(rows)
}

fn wholes() -> Vec<f32> {
    let parts = [0.0, 0.25, 0.499_999_97, 0.5, 0.75, 0.999_999_9];
    let sizes = [0.0, 1.0, 2.0, 3.0, 101.0, 1e6];
    let all = sizes.iter().flat_map(|size| parts.iter().map(move |part| size + part));
    all.flat_map(|x| [x, -x]).collect()
}

/// Past 2^24, where not every integer is a float: between two, half way both ways.
fn large_integers() -> Vec<i32> {
    let numbers =
        (0..6).flat_map(|bit| (-9..=9).map(move |i| (1 << (25 + bit)) - 1 - (1 << 20) + i));
    numbers.flat_map(|i| [i, -i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(direction: Direction, exact: fn(f64, f64) -> f64) -> Vec<(f64, f32)> {
        let exact = pairs(1).into_iter().map(|[a, b]| exact(a.into(), b.into()));
        exact.map(|exact| (exact, direction.round(exact))).collect()
    }

    #[test]
    fn the_cases_tell_every_direction_from_every_other() {
        for direction in Direction::ALL.into_iter().filter(|one| *one != Direction::Mixed) {
            for (name, exact) in &BINARY[..2] {
                assert_eq!(decide(&rounded(direction, *exact)), direction, "{name}");
            }
            let whole: Vec<_> = wholes()
                .into_iter()
                .map(|x| (f64::from(x), direction.round_whole(x.into())))
                .collect();
            assert_eq!(decide_whole(&whole), direction);
            let large: Vec<_> = large_integers()
                .into_iter()
                .map(|i| (f64::from(i), direction.round(i.into())))
                .collect();
            assert_eq!(decide(&large), direction);
        }
        // Quotients have no ties, so that the two nearest ones are one.
        assert_eq!(decide(&rounded(Direction::TowardZero, |a, b| a / b)), Direction::TowardZero);
        assert_eq!(decide(&rounded(Direction::NearestAway, |a, b| a / b)), Direction::NearestEven);
    }

    #[test]
    fn one_result_that_is_off_belongs_to_no_direction() {
        let mut cases = rounded(Direction::NearestEven, |a, b| a + b);
        cases[5].1 = cases[5].1.next_up().next_up();
        assert_eq!(decide(&cases), Direction::Mixed);
    }

    #[test]
    fn f32_of_the_host_rounds_to_nearest_even() {
        let sums: Vec<_> =
            pairs(2).into_iter().map(|[a, b]| (f64::from(a) + f64::from(b), a + b)).collect();
        assert_eq!(decide(&sums), Direction::NearestEven);
    }
}
