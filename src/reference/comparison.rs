//! The distance of a result from what was expected, where each number has a bound of its own.

use std::fmt;

/// Says how far numbers are from expected ones in double precision, each of which has a bound of
/// its own, such as one derived from the roundings behind it. Where one rule fits all numbers,
/// [`compare`](crate::testing::compare) also finds the worst of them.
///
/// ```
/// use quadrille::testing::Comparison;
/// let got = [2.0_f32, 3.0].map(f32::sqrt);
/// let expected = [2.0, 3.0].map(|x: f64| (x.sqrt(), 1e-6 * x));
/// let comparison = Comparison::of(got, expected);
/// assert!(comparison.is_right() && comparison.max_error < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Comparison {
    /// The largest absolute error.
    pub max_error: f64,
    /// The largest ratio of an error to its bound: above 1 the result is wrong. An unexpected NaN
    /// or infinity counts as infinitely wrong, an expected one as right.
    pub of_bound: f64,
}

impl Comparison {
    /// The comparison of results without a difference.
    pub const RIGHT: Comparison = Comparison { max_error: 0.0, of_bound: 0.0 };

    /// The comparison of results that cannot be compared: another length or shape.
    pub const WRONG: Comparison = Comparison { max_error: f64::INFINITY, of_bound: f64::INFINITY };

    /// Returns whether every error is within its bound.
    pub fn is_right(self) -> bool {
        self.of_bound <= 1.0
    }

    /// Returns the larger errors of two comparisons.
    pub fn worse(self, other: Comparison) -> Comparison {
        Comparison {
            max_error: larger(self.max_error, other.max_error),
            of_bound: larger(self.of_bound, other.of_bound),
        }
    }

    /// Compares numbers with expected numbers, each with its bound. A list of another length is
    /// wrong.
    pub fn of(
        got: impl IntoIterator<Item = impl Into<f64>>,
        expected: impl IntoIterator<Item = (f64, f64)>,
    ) -> Comparison {
        each(got, expected).fold(Comparison::RIGHT, Comparison::worse)
    }

    /// Compares a number in single precision with the exact one, which may exceed that range: an
    /// infinity is right where the exact number, or one within `bound` of it, rounds to it, and wrong
    /// elsewhere, however large the numbers were that were added on the way.
    pub(super) fn of_single(got: f64, exact: f64, bound: f64) -> Comparison {
        if got.is_finite() || !exact.is_finite() {
            return Comparison::of_number(got, exact, bound);
        }
        let towards = exact * 1.0_f64.copysign(got);
        let is_bound = bound >= 0.0 && bound.is_finite();
        let is_right = !got.is_nan() && is_bound && towards + bound >= ROUNDS_TO_INFINITY;
        if is_right { Comparison::RIGHT } else { Comparison::WRONG }
    }

    /// Compares one number with the expected one, within `bound`. No number is right within a bound
    /// that is negative, infinite or NaN.
    pub fn of_number(got: f64, exact: f64, bound: f64) -> Comparison {
        if !(bound >= 0.0 && bound.is_finite()) {
            return Comparison::WRONG;
        }
        if got == exact || got.is_nan() && exact.is_nan() {
            return Comparison::RIGHT;
        }
        let error = (got - exact).abs();
        match error.is_finite() {
            true => Comparison { max_error: error, of_bound: error / bound },
            false => Comparison::WRONG,
        }
    }
}

/// The least number that rounds to an infinity of single precision: half a step above the largest
/// float.
const ROUNDS_TO_INFINITY: f64 = (2.0 - 1.0 / (1 << 24) as f64) * (1_u128 << 127) as f64;

/// The bound of a sum whose terms may be as large as floats are: three roundings of the largest.
const OF_LARGE: f64 = 3.0 / (1 << 24) as f64 * f32::MAX as f64;

/// A wrong element of a matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrong {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub col: usize,
    /// The expected number.
    pub expected: f64,
    /// The largest error allowed.
    pub bound: f64,
    /// The number found.
    pub got: f64,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong { row, col, expected, bound, got } = self;
        write!(f, "row {row}, column {col} (from 0) should be {expected}")?;
        if *bound > 0.0 {
            write!(f, " within {bound:.1e}")?;
        }
        write!(f, " and is {got}")?;
        match !got.is_finite() && *bound > OF_LARGE {
            true => f.write_str("; sums on the way may exceed the largest float, 3.4e38"),
            false => Ok(()),
        }
    }
}

/// Returns whether a number is the expected one, within `bound`, as in [`Comparison::of_number`].
///
/// ```
/// use quadrille::internal::reference::is_near;
/// assert!(is_near(1.25_f32, 1.0, 0.5) && !is_near(1.75_f32, 1.0, 0.5));
/// assert!(!is_near(f32::NAN, 1.0, 0.5) && !is_near(1.0, 1.0, f64::INFINITY));
/// ```
pub fn is_near(got: impl Into<f64>, exact: f64, bound: f64) -> bool {
    Comparison::of_number(got.into(), exact, bound).is_right()
}

/// Returns the short name of [`Comparison::of`] in tests.
pub fn compare(
    got: impl IntoIterator<Item = impl Into<f64>>,
    expected: impl IntoIterator<Item = (f64, f64)>,
) -> Comparison {
    Comparison::of(got, expected)
}

/// Returns the index of the first number that [`compare`] finds wrong, missing or unexpected.
pub fn first_wrong(
    got: impl IntoIterator<Item = impl Into<f64>>,
    expected: impl IntoIterator<Item = (f64, f64)>,
) -> Option<usize> {
    each(got, expected).position(|one| !one.is_right())
}

/// Returns the comparison of each number, to the end of the longer list.
fn each(
    got: impl IntoIterator<Item = impl Into<f64>>,
    expected: impl IntoIterator<Item = (f64, f64)>,
) -> impl Iterator<Item = Comparison> {
    let (mut got, mut expected) = (got.into_iter().fuse(), expected.into_iter().fuse());
    std::iter::from_fn(move || match (got.next(), expected.next()) {
        (None, None) => None,
        (Some(got), Some((exact, bound))) => Some(Comparison::of_number(got.into(), exact, bound)),
        _ => Some(Comparison::WRONG),
    })
}

/// Returns the largest absolute value: 0 of an empty list, and NaN if there is one, which
/// `f64::max` would drop.
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().map(f64::abs).fold(0.0, larger)
}

/// Returns the larger of two numbers, or the NaN.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alone and in the middle of others, by every way to ask.
    fn is_right(got: f64, exact: f64, bound: f64) -> bool {
        let all = ([1.0, got, 2.0], [(1.0, 0.0), (exact, bound), (2.0, 0.0)]);
        let alone = is_near(got, exact, bound);
        assert_eq!(compare(all.0, all.1).is_right(), alone);
        assert_eq!(first_wrong(all.0, all.1), (!alone).then_some(1));
        alone
    }

    #[test]
    fn an_error_is_measured_by_its_own_bound() {
        assert!(is_right(1.5, 1.0, 0.5) && !is_right(1.5, 1.0, 0.25));
        assert!(is_right(2.0, 2.0, 0.0) && !is_right(2.0, 3.0, 0.0));
        let of_bound = compare([1.5, 2.0], [(1.0, 1.0), (1.0, 10.0)]);
        assert_eq!(of_bound, Comparison { max_error: 1.0, of_bound: 0.5 });
    }

    #[test]
    fn what_is_not_finite_is_right_only_where_it_is_expected() {
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        for special in [nan, infinity, -infinity] {
            assert!(is_right(special, special, 0.0), "{special}");
            assert!(!is_right(special, 1.0, 1.0) && !is_right(1.0, special, 1.0), "{special}");
        }
        assert!(!is_right(nan, infinity, 1.0) && !is_right(infinity, -infinity, 1.0));
    }

    #[test]
    fn a_bound_that_bounds_nothing_accepts_nothing() {
        for bound in [f64::NAN, f64::INFINITY, -1.0] {
            for got in [1.0, 1.5, f64::NAN, f64::INFINITY] {
                assert!(!is_right(got, 1.0, bound), "{got} within {bound}");
            }
        }
    }

    #[test]
    fn twice_the_bound_is_too_far_and_half_of_it_is_not() {
        for (exact, bound) in [(0.0, 1e-30), (1.0, 1e-7), (-3e4, 5.0), (1e38, 1e30)] {
            assert!(is_right(exact + bound / 2.0, exact, bound), "{exact}");
            assert!(!is_right(exact + 2.0 * bound, exact, bound), "{exact}");
            assert!(!is_right(exact - 2.0 * bound, exact, bound), "{exact}");
        }
    }

    #[test]
    fn a_number_that_is_missing_or_not_expected_is_wrong() {
        let expected = [(1.0, 0.5), (2.0, 0.5), (3.0, 0.5)];
        let got = [1.0, 2.0, 3.0];
        assert_eq!(compare(got, expected), Comparison::RIGHT);
        assert_eq!(first_wrong(got, expected), None);
        for length in 0..3 {
            let (fewer, sooner) = (got[..length].to_vec(), expected[..length].to_vec());
            assert_eq!(compare(fewer.clone(), expected), Comparison::WRONG);
            assert_eq!(first_wrong(fewer, expected), Some(length));
            assert_eq!(compare(got, sooner.clone()), Comparison::WRONG);
            assert_eq!(first_wrong(got, sooner), Some(length));
        }
    }

    #[test]
    fn the_worse_and_the_largest_keep_a_nan_wherever_it_is() {
        let unknown = Comparison { max_error: f64::NAN, of_bound: f64::NAN };
        for other in [Comparison::RIGHT, Comparison::WRONG] {
            assert!(!unknown.worse(other).is_right() && !other.worse(unknown).is_right());
        }
        for numbers in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0], [1.0, 2.0, -f64::NAN]] {
            assert!(largest(numbers).is_nan());
        }
        assert_eq!([largest([]), largest([1.0, -3.0, 2.0])], [0.0, 3.0]);
        assert_eq!(largest([1.0, f64::NEG_INFINITY]), f64::INFINITY);
    }
}
