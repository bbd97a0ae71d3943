//! How far a result is from what it should be.

use std::fmt;

/// How a result compares with what was expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The largest absolute error.
    pub max_error: f64,
    /// The largest error over its own bound: above 1 it is wrong. A NaN or an infinity is infinitely
    /// wrong where it is not expected, and right where the same is.
    pub of_bound: f64,
}

impl Comparison {
    /// No difference.
    pub const RIGHT: Comparison = Comparison { max_error: 0.0, of_bound: 0.0 };

    /// What cannot be compared: a result of another length or shape.
    pub const WRONG: Comparison = Comparison { max_error: f64::INFINITY, of_bound: f64::INFINITY };

    /// Whether rounding explains all of it.
    pub fn is_right(self) -> bool {
        self.of_bound <= 1.0
    }

    /// The worse of two.
    pub fn worse(self, other: Comparison) -> Comparison {
        Comparison {
            max_error: self.max_error.max(other.max_error),
            of_bound: self.of_bound.max(other.of_bound),
        }
    }

    /// Compares one number with what it should be, within `bound`. A bound that is negative, infinite or
    /// NaN would accept anything or nothing, so no number is right within it.
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

/// An element of a matrix that is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrong {
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub col: usize,
    /// What it should be.
    pub expected: f64,
    /// How far from that it may be.
    pub bound: f64,
    /// What it is.
    pub got: f64,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong { row, col, expected, bound, got } = self;
        write!(f, "row {row}, column {col} (from 0) should be {expected}")?;
        if *bound > 0.0 {
            write!(f, " within {bound:.1e}")?;
        }
        write!(f, " and is {got}")
    }
}

/// Compares numbers, each given with what it should be and a bound.
pub fn compare(numbers: impl Iterator<Item = (f64, f64, f64)>) -> Comparison {
    numbers.fold(Comparison::RIGHT, |worst, (got, exact, bound)| {
        worst.worse(Comparison::of_number(got, exact, bound))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_right(got: f64, exact: f64, bound: f64) -> bool {
        compare([(1.0, 1.0, 0.0), (got, exact, bound)].into_iter()).is_right()
    }

    #[test]
    fn an_error_is_measured_by_its_own_bound() {
        assert!(is_right(1.5, 1.0, 0.5) && !is_right(1.5, 1.0, 0.25));
        assert!(is_right(2.0, 2.0, 0.0) && !is_right(2.0, 3.0, 0.0));
        let of_bound = compare([(1.5, 1.0, 1.0), (2.0, 1.0, 10.0)].into_iter());
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
}
