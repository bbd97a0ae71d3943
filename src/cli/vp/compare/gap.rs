//! What is known to make engines differ. docs/vector-machine.md tells each at length.

use crate::vector_machine::Profile;

/// A reason, as the two numbers suggest it: what happened within the program is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    NotANumber,
    Denormal,
    Pixel,
    Rounding,
    Unexplained,
}

/// A difference up to so much of a number is one of roundings.
const ROUNDED: f32 = 1e-5;

impl Gap {
    pub(super) const ALL: [Gap; 5] =
        [Gap::NotANumber, Gap::Denormal, Gap::Pixel, Gap::Rounding, Gap::Unexplained];

    pub(super) fn name(self) -> &'static str {
        match self {
            Gap::NotANumber => "nan",
            Gap::Denormal => "denormal",
            Gap::Pixel => "pixel",
            Gap::Rounding => "rounding",
            Gap::Unexplained => "unexplained",
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Gap::NotANumber => {
                "the specification has 0 where 0 meets an infinity or a NaN, and GLSL a NaN, which spreads"
            }
            Gap::Denormal => {
                "the specification takes numbers below 2^-126 for 0, and GLSL leaves that to the device"
            }
            Gap::Pixel => "results of the period pass through 8-bit pixels: one step is 1/255",
            Gap::Rounding => {
                "GLSL promises no exact rounding of RCP, RSQ, EXP.z, LOG.z and LIT, nor, without `precise`, of products \
                 and sums; sums are taken in another order"
            }
            Gap::Unexplained => {
                "more than a rounding of the result: a difference of nearly equal numbers, or a mistake"
            }
        }
    }

    /// Of two numbers that differ; a sum has so many parts.
    pub(super) fn of(expected: f32, got: f32, profile: Profile, parts: usize) -> Gap {
        let apart = (expected - got).abs();
        let tiny = |number: f32| number.abs() < f32::MIN_POSITIVE;
        if expected.is_nan() || got.is_nan() {
            Gap::NotANumber
        } else if tiny(expected) && tiny(got) {
            Gap::Denormal
        } else if expected.is_infinite() || got.is_infinite() {
            // The reciprocal of what is 0 on one side alone.
            if expected.abs().max(got.abs()).is_infinite() && expected.abs().min(got.abs()) > 1e37 {
                Gap::Denormal
            } else {
                Gap::Unexplained
            }
        } else if apart <= ROUNDED * expected.abs().max(got.abs()) {
            Gap::Rounding
        } else if profile == Profile::Period && apart <= 1.01 / 255.0 * parts as f32 {
            Gap::Pixel
        } else {
            Gap::Unexplained
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Gap;
    use crate::vector_machine::Profile::{Modern, Period};

    #[test]
    fn two_numbers_suggest_why_they_differ() {
        let modern = |a, b| Gap::of(a, b, Modern, 1);
        assert_eq!(modern(0.0, f32::NAN), Gap::NotANumber);
        assert_eq!(modern(0.0, 1e-40), Gap::Denormal);
        assert_eq!(modern(f32::INFINITY, 3e38), Gap::Denormal);
        assert_eq!(modern(f32::INFINITY, 1.0), Gap::Unexplained);
        assert_eq!(modern(1.0, 1.000_000_1), Gap::Rounding);
        assert_eq!(modern(1.0, 1.01), Gap::Unexplained);
        assert_eq!(modern(0.2, 0.2 + 1.0 / 255.0), Gap::Unexplained);
        assert_eq!(Gap::of(0.2, 0.2 + 1.0 / 255.0, Period, 1), Gap::Pixel);
        assert_eq!(Gap::of(1.0, 1.0 + 3.0 / 255.0, Period, 3), Gap::Pixel);
    }
}
