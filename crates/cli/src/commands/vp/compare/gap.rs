//! The known causes of differences between engines; see docs/vector-machine.md.
//!
//! An assembly program is compared with the simulator, which keeps the specification; GLSL, which
//! has none, with the fragment engine.

use quadrille_vp::internal::named_enum;
use quadrille_vp::vector_machine::Profile;

named_enum! {
    /// A reason, as the two numbers suggest it: what happened within the program is not seen.
    pub(super) enum Gap {
        /// The engine's alone is a NaN.
        NanGained => "nan",
        /// The baseline's alone is.
        NanLost => "nan-lost",
        Denormal => "denormal",
        Pixel => "pixel",
        Rounding => "rounding",
        Unexplained => "unexplained",
    }
}

/// A difference up to this part of a number comes from rounding.
const ROUNDED: f32 = 1e-5;

impl Gap {
    /// The explanation, for an assembly program or for GLSL.
    pub(super) fn text(self, of_assembly: bool) -> &'static str {
        match self {
            Gap::NanGained | Gap::NanLost if !of_assembly => {
                "one engine has a NaN and the other a number: GLSL leaves to the device what becomes of NaN and \
                 infinities"
            }
            Gap::NanGained => {
                "the engine alone has a NaN: where the specification has 0 times an infinity or a NaN as 0, GLSL \
                 may have a NaN, which spreads; or, without `precise`, MIN and MAX of a NaN"
            }
            Gap::NanLost => {
                "the simulator alone has a NaN: without `precise`, MIN and MAX of a NaN may give the other operand; \
                 or the engine had another 0, infinity or NaN on the way"
            }
            Gap::Denormal if !of_assembly => {
                "GLSL leaves to the device whether numbers below 2^-126 are 0"
            }
            Gap::Denormal => {
                "the specification takes numbers below 2^-126 for 0, and GLSL leaves that to the device"
            }
            Gap::Pixel => "results of the period pass through 8-bit pixels: one step is 1/255",
            Gap::Rounding if !of_assembly => {
                "GLSL promises no exact rounding of functions, nor, without `precise`, of products and sums; sums are \
                 taken in another order"
            }
            Gap::Rounding => {
                "GLSL promises no exact rounding of RCP, RSQ, EXP.z, LOG.z and LIT, nor, without `precise`, of products \
                 and sums; sums are taken in another order"
            }
            Gap::Unexplained => {
                "more than a rounding of the result: a difference of nearly equal numbers; a NaN, an infinity or a \
                 denormal on the way, of which a later instruction made a number, as SLT, MIN and LIT do; or a mistake"
            }
        }
    }

    /// The cause of a difference between two numbers; `parts` is the number of terms of a sum.
    pub(super) fn of(expected: f32, got: f32, profile: Profile, parts: usize) -> Gap {
        let apart = (expected - got).abs();
        let tiny = |number: f32| number.abs() < f32::MIN_POSITIVE;
        if got.is_nan() && !expected.is_nan() {
            Gap::NanGained
        } else if expected.is_nan() {
            Gap::NanLost
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
    use quadrille_vp::vector_machine::Profile::{Modern, Period};

    #[test]
    fn two_numbers_suggest_why_they_differ() {
        let modern = |a, b| Gap::of(a, b, Modern, 1);
        assert_eq!(modern(0.0, f32::NAN), Gap::NanGained);
        assert_eq!(modern(f32::INFINITY, f32::NAN), Gap::NanGained);
        assert_eq!([modern(f32::NAN, 1.0), modern(f32::NAN, f32::INFINITY)], [Gap::NanLost; 2]);
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
