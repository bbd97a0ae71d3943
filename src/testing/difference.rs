//! Differences between numbers and what was expected, and their description in words.

use std::fmt;

use crate::error::failure;
use crate::{Extent, Rectangle};

use super::rule::Rule;

/// A result that differs from what was expected.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The texels that were compared.
    pub texels: usize,
    /// The texels of which a channel misses.
    pub missed: usize,
    /// The texels that may miss.
    pub outliers: usize,
    /// The number of texels with a forbidden NaN; it must be 0.
    pub forbidden: usize,
    /// The number that is farthest from the expected one; `None` where all are equal.
    pub worst: Option<Worst>,
    /// The rule that the numbers violate, such as `within 4 ULP`.
    pub rule: String,
}

/// The number that is farthest from the expected one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Worst {
    /// The column in the whole output, from 0.
    pub x: u32,
    /// The row, from 0.
    pub y: u32,
    /// The channel, from 0.
    pub channel: usize,
    /// The expected number or range.
    pub expected: Wanted,
    /// The number that was computed.
    pub got: Number,
    /// The steps between the two floats; `None` for integers, for ranges, and where the two differ
    /// and one is infinite or NaN.
    pub ulp: Option<u64>,
    /// The distance; NaN where only one is NaN, 0 where NaN was expected and is forbidden.
    pub absolute: f64,
}

/// A float or an integer, shown with the digits that distinguish it from its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A float.
    Float(f32),
    /// A signed or unsigned integer.
    Integer(i64),
}

/// The expectation for one number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Wanted {
    /// This number exactly.
    Number(Number),
    /// Any finite number.
    Finite,
    /// A number from the first to the second.
    Inside(f64, f64),
}

/// The reason why two fields cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Mismatch {
    #[error("expected {expected} with {} a texel, got {got} with {}", channels(*of_expected), channels(*of_got))]
    Shape { expected: Extent, of_expected: usize, got: Extent, of_got: usize },
    #[error("expected {expected}, got {got}")]
    Class { expected: &'static str, got: &'static str },
    #[error(
        "a tolerance in ULP is for floats, and these are {class}: integers are compared exactly, or by an absolute or relative tolerance"
    )]
    UlpOfIntegers { class: &'static str },
    #[error("there are no numbers")]
    Missing,
    #[error("expected no numbers")]
    Unexpected,
    #[error("{part} is not inside the output of {whole}")]
    Outside { part: Rectangle, whole: Extent },
}

failure!(Mismatch);

fn channels(count: usize) -> String {
    if count == 1 { "one channel".into() } else { format!("{count} channels") }
}

impl Difference {
    /// Returns the difference of no numbers from none.
    pub(super) fn none(rule: &Rule) -> Difference {
        let rule = rule.to_string();
        Difference { texels: 0, missed: 0, outliers: 0, forbidden: 0, worst: None, rule }
    }

    /// Returns whether no more texels miss than may, and none has a NaN that is forbidden.
    pub fn is_right(&self) -> bool {
        self.missed <= self.outliers && self.forbidden == 0
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(number) => write!(f, "{number}"),
            // Rust writes every digit of the places before and behind the point.
            Number::Float(number) if (1e-4..1e7).contains(&number.abs()) || *number == 0.0 => {
                write!(f, "{number}")
            }
            Number::Float(number) => write!(f, "{number:e}"),
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Number(number) => number.fmt(f),
            Wanted::Finite => f.write_str("a finite number"),
            Wanted::Inside(low, high) => write!(f, "a number from {low} to {high}"),
        }
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Worst { x, y, channel, expected, got, ulp, absolute } = self;
        write!(f, "column {x} of row {y}, channel {channel}: expected {expected}, got {got}")?;
        match (ulp, expected) {
            (Some(ulp), _) => write!(f, " ({ulp} ULP, {absolute:.3e} absolute)"),
            (None, Wanted::Number(_)) if absolute.is_finite() => {
                write!(f, " ({absolute} absolute)")
            }
            (None, Wanted::Inside(..)) if absolute.is_finite() => {
                write!(f, " ({absolute:.3e} outside)")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { texels, missed, outliers, forbidden, worst, rule } = self;
        write!(f, "{missed} of {texels} texels miss ({rule}")?;
        match outliers {
            0 => f.write_str(")")?,
            outliers => write!(f, "; {outliers} may miss)")?,
        }
        if *forbidden > 0 {
            write!(f, ", {forbidden} with a NaN that is forbidden")?;
        }
        match worst {
            Some(worst) => write!(f, "\nthe worst is at {worst}"),
            None => Ok(()),
        }
    }
}
