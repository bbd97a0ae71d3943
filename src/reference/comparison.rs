//! How far a result is from what it should be.

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

    /// Of one number with what it should be, give or take `bound`. Where the bound is infinite
    /// nothing is known, and any number is right.
    pub fn of_number(got: f64, exact: f64, bound: f64) -> Comparison {
        let same = got == exact || got.is_nan() && exact.is_nan();
        if same || bound == f64::INFINITY {
            return Comparison { max_error: 0.0, of_bound: 0.0 };
        }
        let error = (got - exact).abs();
        if error.is_finite() && !bound.is_nan() {
            Comparison { max_error: error, of_bound: error / bound }
        } else {
            Comparison::WRONG
        }
    }
}

/// Compares numbers, each given with what it should be and a bound.
pub fn compare(numbers: impl Iterator<Item = (f64, f64, f64)>) -> Comparison {
    let right = Comparison { max_error: 0.0, of_bound: 0.0 };
    numbers.fold(right, |worst, (got, exact, bound)| {
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
            assert!(is_right(special, 1.0, infinity), "{special}");
        }
        assert!(!is_right(nan, infinity, 1.0) && !is_right(infinity, -infinity, 1.0));
    }

    #[test]
    fn a_bound_that_is_no_number_is_not_kept() {
        assert!(!is_right(1.5, 1.0, f64::NAN));
    }
}
