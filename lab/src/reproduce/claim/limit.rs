//! The numbers for which a claim holds.

use super::super::super::report::Estimate;
use super::super::words::short;

/// The numbers for which a claim holds, and which numbers there can be. A claim may speak of several: of all sizes
/// or, where it says so, of one of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::reproduce) struct Limit {
    at_least: f64,
    at_most: f64,
    one_suffices: bool,
    /// The least and the greatest number that a measurement could give.
    pub(super) possible: [f64; 2],
}

pub(in crate::reproduce) const fn at_least(number: f64) -> Limit {
    between(number, f64::INFINITY)
}

pub(in crate::reproduce) const fn at_most(number: f64) -> Limit {
    between(0.0, number)
}

/// It holds for a number, give or take a factor.
pub(in crate::reproduce) const fn about(number: f64, factor: f64) -> Limit {
    between(number / factor, number * factor)
}

/// It holds between two numbers, and for both of them.
const fn between(at_least: f64, at_most: f64) -> Limit {
    Limit { at_least, at_most, one_suffices: false, possible: [0.0, f64::INFINITY] }
}

impl Limit {
    /// The claim holds if it holds for one of several numbers; otherwise for all of them.
    pub(in crate::reproduce) const fn one_suffices(self) -> Limit {
        Limit { one_suffices: true, ..self }
    }

    /// The numbers that a measurement could give, where they are not all above 0.
    pub(in crate::reproduce) const fn of(self, least: f64, most: f64) -> Limit {
        Limit { possible: [least, most], ..self }
    }

    /// How far inside the limit a number is, in units of its scatter; below 0 where it is outside.
    pub(super) fn margin(&self, estimate: Estimate) -> f64 {
        let Estimate { value, scatter } = estimate;
        let inside = (value / self.at_least).ln().min((self.at_most / value).ln());
        match scatter {
            _ if !value.is_finite() || scatter.is_nan() => 0.0,
            0.0 if inside >= 0.0 => f64::INFINITY,
            0.0 => -f64::INFINITY,
            _ => inside / scatter.ln_1p(),
        }
    }

    /// The estimate that decides, and its margin: the worst of them, or the best if one suffices.
    pub(super) fn deciding(&self, estimates: &[Estimate]) -> Option<(Estimate, f64)> {
        let margins = estimates.iter().map(|estimate| (*estimate, self.margin(*estimate)));
        let order = |a: &(Estimate, f64), b: &(Estimate, f64)| a.1.total_cmp(&b.1);
        match self.one_suffices {
            true => margins.max_by(order),
            false => margins.min_by(order),
        }
    }
}

/// "6 to 10".
impl std::fmt::Display for Limit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (least, most) = (short(self.at_least), short(self.at_most));
        match (self.at_least > 0.0, self.at_most.is_finite()) {
            (true, true) => write!(out, "{least} to {most}"),
            (false, _) => write!(out, "at most {most}"),
            (true, false) => write!(out, "at least {least}"),
        }?;
        if self.one_suffices { write!(out, ", in one case") } else { Ok(()) }
    }
}
