//! The distance of one number from the expected one.

use crate::reference::ulps;

use super::rule::{Denormals, Nan, Rule, Tolerance};

/// The distance of a number from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distance {
    /// Steps between floats; `None` for integers, and where only one is finite.
    pub(super) ulp: Option<u64>,
    /// NaN where only one of the two is NaN.
    pub(super) absolute: f64,
    /// The order of the worst: infinite where one is not finite and the other differs.
    pub(super) size: f64,
    pub(super) misses: bool,
    /// A NaN where none may be, which no count of outliers excuses.
    pub(super) forbidden: bool,
}

/// Returns the distance of two floats.
pub(super) fn of_floats(got: f32, expected: f32, rule: &Rule) -> Distance {
    let (got, expected) = match rule.denormals {
        Denormals::Keep => (got, expected),
        Denormals::Flush => (got, flushed(expected)),
        Denormals::Any => (flushed(got), flushed(expected)),
    };
    let ulp = ulps(got, expected);
    let (wide_got, wide) = (f64::from(got), f64::from(expected));
    let same = ulp == Some(0);
    let absolute = if same { 0.0 } else { (wide_got - wide).abs() };
    let within = same
        || ulp.is_some_and(|ulp| match rule.tolerance {
            Tolerance::Exact => false,
            Tolerance::Ulp(most) => ulp <= most,
            Tolerance::Close { absolute: flat, relative } => {
                absolute <= flat + relative * wide.abs()
            }
        });
    let forbidden = rule.nan == Nan::Forbid && got.is_nan();
    let wrong = forbidden || rule.denormals == Denormals::Flush && got.is_subnormal();
    let misses = !within || wrong || !rule.bounds();
    let size = match rule.tolerance {
        _ if same && !wrong => 0.0,
        _ if ulp.is_none() || wrong => f64::INFINITY,
        Tolerance::Close { absolute: flat, relative } => {
            excess(absolute, flat + relative * wide.abs())
        }
        _ => ulp.unwrap_or(u64::MAX) as f64,
    };
    Distance { ulp, absolute, size, misses, forbidden }
}

/// Returns the distance of two integers of 32 bits.
pub(super) fn of_integers(got: i64, expected: i64, rule: &Rule) -> Distance {
    let absolute = got.abs_diff(expected) as f64;
    let bound = match rule.tolerance {
        Tolerance::Close { absolute: flat, relative } => flat + relative * (expected as f64).abs(),
        _ => 0.0,
    };
    let misses = absolute > bound || !rule.bounds();
    Distance { ulp: None, absolute, size: excess(absolute, bound), misses, forbidden: false }
}

/// Returns a distance in units of its bound; where that is 0, the distance itself.
fn excess(absolute: f64, bound: f64) -> f64 {
    if bound > 0.0 { absolute / bound } else { absolute }
}

/// Returns zero for a subnormal float.
fn flushed(number: f32) -> f32 {
    if number.is_subnormal() { 0.0 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misses(got: f32, expected: f32, rule: Rule) -> bool {
        of_floats(got, expected, &rule).misses
    }

    #[test]
    fn a_step_more_than_the_tolerance_misses() {
        for number in [1.0_f32, -3.5, 0.0, 2.0, f32::MAX.next_down()] {
            let next = number.next_up();
            assert!(!misses(number, number, Rule::exact()));
            assert!(misses(next, number, Rule::exact()), "{number}");
            assert!(!misses(next, number, Rule::ulp(1)), "{number}");
            assert!(number == 0.0 || misses(next.next_up(), number, Rule::ulp(1)), "{number}");
        }
        assert!(
            !misses(1.5, 1.0, Rule::close(0.5, 0.0)) && misses(1.6, 1.0, Rule::close(0.5, 0.0))
        );
        assert!(!misses(-11.0, -10.0, Rule::close(0.0, 0.1)));
        assert!(misses(-11.1, -10.0, Rule::close(0.0, 0.1)));
        assert!(!misses(-11.05, -10.0, Rule::close(0.1, 0.1)));
    }

    #[test]
    fn what_is_not_finite_is_right_only_where_it_is_expected() {
        let wide = [Rule::ulp(u64::MAX), Rule::close(1e300, 1e300), Rule::exact()];
        for rule in wide {
            for special in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert!(!misses(special, special, rule));
                assert!(misses(special, 1.0, rule) && misses(f32::MAX, special, rule), "{special}");
            }
            assert!(misses(f32::NAN, f32::NAN, rule.nan(Nan::Forbid)));
            assert!(misses(f32::INFINITY, f32::NEG_INFINITY, rule));
        }
    }

    #[test]
    fn subnormal_numbers_count_as_the_rule_says() {
        let (tiny, normal) = (f32::from_bits(5), f32::MIN_POSITIVE);
        for (rule, [kept, lost, made]) in [
            (Denormals::Any, [false, false, false]),
            (Denormals::Keep, [false, true, true]),
            (Denormals::Flush, [true, false, true]),
        ] {
            let rule = Rule::ulp(1).denormals(rule);
            let got = [(tiny, tiny), (0.0, tiny), (tiny, 0.0)].map(|(g, e)| misses(g, e, rule));
            assert_eq!(got, [kept, lost, made], "{rule:?}");
            assert!(misses(normal, 0.0, rule) && misses(0.0, normal, rule));
        }
    }

    #[test]
    fn a_bound_that_bounds_nothing_accepts_nothing() {
        for bound in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(misses(1.0, 1.0, Rule::close(bound, 0.0)));
            assert!(misses(1.0, 1.0, Rule::close(0.0, bound)));
            assert!(of_integers(1, 1, &Rule::close(bound, 0.0)).misses);
        }
    }

    #[test]
    fn integers_are_compared_without_rounding() {
        let (a, b) = (i64::from(u32::MAX), i64::from(u32::MAX) - 1);
        assert!(of_integers(a, b, &Rule::exact()).misses);
        assert!(!of_integers(a, b, &Rule::close(1.0, 0.0)).misses);
        assert_eq!(of_integers(-5, 7, &Rule::exact()).absolute, 12.0);
    }
}
