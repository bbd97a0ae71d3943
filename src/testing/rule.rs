//! The rule by which a number counts as the expected one.

use std::fmt;

/// The rule by which numbers count as the expected ones: a [`Tolerance`], how many texels may miss
/// it, and how NaN and subnormal numbers compare. Infinities are right only where the same infinity
/// is expected.
///
/// ```
/// use quadrille::testing::{Nan, Rule};
/// let rule = Rule::ulp(4).outliers(3).nan(Nan::Forbid);
/// assert_eq!(rule.to_string(), "within 4 ULP, NaN is forbidden");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Rule {
    pub(super) tolerance: Tolerance,
    pub(super) outliers: usize,
    pub(super) nan: Nan,
    pub(super) denormals: Denormals,
}

/// The largest allowed distance of a number from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Tolerance {
    /// The numbers are equal. The two zeros are equal, and so are all NaNs.
    Exact,
    /// The most steps between neighbouring floats.
    Ulp(u64),
    /// |got - expected| <= absolute + relative * |expected|, as in NumPy's `allclose`.
    Close {
        /// The part that does not depend on the expected number.
        absolute: f64,
        /// The part for each unit of the expected number.
        relative: f64,
    },
}

/// The treatment of NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nan {
    /// A NaN is right where a NaN is expected.
    #[default]
    Equal,
    /// A NaN is wrong everywhere.
    Forbid,
}

/// The treatment of subnormal floats, which devices may keep or replace by zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Denormals {
    /// Subnormal numbers count as zero, in the result and in the expected numbers.
    #[default]
    Any,
    /// Subnormal numbers are compared like all others.
    Keep,
    /// The device must give zero where one is expected, and give none itself.
    Flush,
}

impl Rule {
    /// Requires equal numbers. Subnormal ones are numbers like all others, unless
    /// [`denormals`](Rule::denormals) says otherwise.
    pub fn exact() -> Rule {
        Rule::within(Tolerance::Exact)
    }

    /// Allows `ulp` units in the last place: with 1 the neighbouring floats pass.
    pub fn ulp(ulp: u64) -> Rule {
        Rule::within(Tolerance::Ulp(ulp))
    }

    /// Requires |got - expected| <= absolute + relative * |expected|.
    pub fn close(absolute: f64, relative: f64) -> Rule {
        Rule::within(Tolerance::Close { absolute, relative })
    }

    /// Makes the rule of a tolerance that is chosen elsewhere: the same as that of
    /// [`exact`](Rule::exact), [`ulp`](Rule::ulp) or [`close`](Rule::close).
    pub fn within(tolerance: Tolerance) -> Rule {
        let denormals = match tolerance {
            Tolerance::Exact => Denormals::Keep,
            Tolerance::Ulp(_) | Tolerance::Close { .. } => Denormals::Any,
        };
        Rule { tolerance, outliers: 0, nan: Nan::default(), denormals }
    }

    /// Sets the number of texels that may miss the tolerance, which is 0 by default.
    pub fn outliers(self, outliers: usize) -> Rule {
        Rule { outliers, ..self }
    }

    /// Sets the treatment of NaN.
    pub fn nan(self, nan: Nan) -> Rule {
        Rule { nan, ..self }
    }

    /// Sets the treatment of subnormal floats.
    pub fn denormals(self, denormals: Denormals) -> Rule {
        Rule { denormals, ..self }
    }

    /// Returns whether its bounds bound anything: none is negative, infinite or NaN.
    pub(super) fn bounds(&self) -> bool {
        match self.tolerance {
            Tolerance::Exact | Tolerance::Ulp(_) => true,
            Tolerance::Close { absolute, relative } => {
                [absolute, relative].iter().all(|bound| *bound >= 0.0 && bound.is_finite())
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tolerance {
            Tolerance::Exact => f.write_str("exactly")?,
            Tolerance::Ulp(ulp) => write!(f, "within {ulp} ULP")?,
            Tolerance::Close { absolute, relative: 0.0 } => {
                write!(f, "within {}", Bound(absolute))?
            }
            Tolerance::Close { absolute: 0.0, relative } => {
                write!(f, "within {} times the expected number", Bound(relative))?;
            }
            Tolerance::Close { absolute, relative } => {
                let (absolute, relative) = (Bound(absolute), Bound(relative));
                write!(f, "within {absolute} + {relative} times the expected number")?;
            }
        }
        if self.nan == Nan::Forbid {
            f.write_str(", NaN is forbidden")?;
        }
        if self.denormals == Denormals::Flush {
            f.write_str(", subnormal numbers must be zero")?;
        }
        Ok(())
    }
}

/// A bound, with an exponent only where it is small or large.
struct Bound(f64);

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bound if (1e-3..1e6).contains(&bound) => write!(f, "{bound}"),
            bound => write!(f, "{bound:e}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_says_all_that_it_asks() {
        for (rule, says) in [
            (Rule::exact(), "exactly"),
            (Rule::close(0.0, 0.1), "within 0.1 times the expected number"),
            (Rule::close(1e-6, 0.0), "within 1e-6"),
            (Rule::close(0.5, 1e-5), "within 0.5 + 1e-5 times the expected number"),
            (Rule::ulp(4).nan(Nan::Forbid), "within 4 ULP, NaN is forbidden"),
            (
                Rule::ulp(0).denormals(Denormals::Flush),
                "within 0 ULP, subnormal numbers must be zero",
            ),
        ] {
            assert_eq!(rule.to_string(), says);
        }
    }
}
