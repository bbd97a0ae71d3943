//! The numbers for which a claim holds, and the verdict on an estimate of one.

use super::{Basis, Estimate, Stability, Verdict};
use crate::numbers::short;

/// The margin from which on a verdict is robust.
const ROBUST: f64 = 3.0;
/// A scatter from which on the machine was disturbed: its runs depend on each other, and only what
/// is robust is judged.
pub const DISTURBED: f64 = 0.5;

/// The numbers for which a claim holds, and which numbers there can be. A claim may speak of
/// several: of all sizes or, where it says so, of one of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    at_least: f64,
    at_most: f64,
    one_suffices: bool,
    between_sizes: bool,
    pub is_question: bool,
    /// The least and the greatest number that a measurement could give.
    pub possible: [f64; 2],
}

pub const fn at_least(number: f64) -> Limit {
    between(number, f64::INFINITY)
}

pub const fn at_most(number: f64) -> Limit {
    between(0.0, number)
}

/// A limit that holds near a number, within a factor.
pub const fn about(number: f64, factor: f64) -> Limit {
    between(number / factor, number * factor)
}

/// A limit that holds between two numbers, and for both of them.
pub const fn between(at_least: f64, at_most: f64) -> Limit {
    Limit {
        at_least,
        at_most,
        one_suffices: false,
        between_sizes: false,
        is_question: false,
        possible: [0.0, f64::INFINITY],
    }
}

impl Limit {
    /// The claim holds if it holds for one of several numbers; otherwise for all of them.
    pub const fn one_suffices(self) -> Limit {
        Limit { one_suffices: true, ..self }
    }

    /// The claim is about growth: it may compare problems of different sizes.
    pub const fn between_sizes(self) -> Limit {
        Limit { between_sizes: true, ..self }
    }

    /// The paper asks whether it is so.
    pub const fn asked(self) -> Limit {
        Limit { is_question: true, ..self }
    }

    /// Whether this claim may be judged by such a number.
    pub fn takes(&self, basis: Basis) -> bool {
        self.between_sizes || basis != Basis::Sizes
    }

    /// The numbers that a measurement could give, where they are not all above 0.
    pub const fn of(self, least: f64, most: f64) -> Limit {
        Limit { possible: [least, most], ..self }
    }

    /// The distance of a number inside the limit, in units of its scatter; below 0 where it is
    /// outside.
    fn margin(&self, estimate: Estimate) -> f64 {
        let Estimate { value, scatter, basis } = estimate;
        let inside = (value / self.at_least).ln().min((self.at_most / value).ln());
        match scatter {
            _ if !value.is_finite() || scatter.is_nan() || !self.takes(basis) => 0.0,
            0.0 if inside >= 0.0 => f64::INFINITY,
            0.0 => -f64::INFINITY,
            _ => inside / scatter.ln_1p(),
        }
    }

    /// The estimate that decides: the one that is the least far inside, or the farthest if one
    /// suffices.
    pub fn deciding(&self, estimates: &[Estimate]) -> Option<Estimate> {
        let order = |a: &Estimate, b: &Estimate| self.margin(*a).total_cmp(&self.margin(*b));
        match self.one_suffices {
            true => estimates.iter().copied().max_by(order),
            false => estimates.iter().copied().min_by(order),
        }
    }

    /// The verdict on an estimate: none where its scatter could turn it.
    pub fn judge(&self, estimate: Estimate) -> (Verdict, Stability) {
        let stable = |margin: f64| match margin >= ROBUST {
            true => Stability::Robust,
            false => Stability::NearTheLimit,
        };
        let least = if estimate.scatter < DISTURBED { 1.0 } else { ROBUST };
        match self.margin(estimate) {
            far if far >= least => (Verdict::Confirmed, stable(far)),
            far if far <= -least => (Verdict::Contradicted, stable(-far)),
            _ => (Verdict::NotMeasurable, Stability::Undecided),
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
