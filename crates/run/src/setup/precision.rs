//! The precision in which the floats of an input are stored.

use std::fmt;
use std::str::FromStr;

use quadrille::data::ValuesRef;
use quadrille::half::f16;
use quadrille::memory;

use crate::error::{Error, InputError, Result};

/// The precision in which the texture of an input stores floats, and that of the output that
/// replaces it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// Single precision, 32 bits.
    #[default]
    Single,
    /// Half precision, 16 bits: half the memory, and filtered by every device. Numbers are rounded
    /// to 11 bits; none may be above 65504.
    Half,
}

/// The largest finite number of half precision.
const LARGEST_HALF: f32 = 65504.0;

impl Precision {
    /// Counts the numbers held in half precision that are ±65504, the largest finite ones, or
    /// infinite. A device writes either for a number beyond this range, so that the shader's result
    /// cannot be known. The count is 0 for single precision.
    pub fn saturated(self, numbers: ValuesRef<'_>) -> usize {
        match (self, numbers) {
            (Precision::Half, ValuesRef::F32(numbers)) => {
                numbers.iter().filter(|number| number.abs() >= LARGEST_HALF).count()
            }
            _ => 0,
        }
    }
}

impl FromStr for Precision {
    type Err = Error;

    fn from_str(text: &str) -> Result<Precision> {
        match text {
            "single" => Ok(Precision::Single),
            "half" => Ok(Precision::Half),
            got => Err(InputError::UnknownPrecision { got: got.to_owned() }.into()),
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Precision::Single => "single",
            Precision::Half => "half",
        })
    }
}

/// Rounds numbers to half precision, and returns the largest relative error of one. None of them
/// may become infinite by that: the error is the index of one that would.
pub(crate) fn halved(numbers: &[f32]) -> Result<Result<(Vec<f16>, f64), usize>, memory::NoMemory> {
    let mut halves = memory::with_room(numbers.len())?;
    let mut worst = 0.0_f64;
    for (at, number) in numbers.iter().enumerate() {
        let half = f16::from_f32(*number);
        let (was, is) = (f64::from(*number), f64::from(half.to_f32()));
        if was.is_finite() && !is.is_finite() {
            return Ok(Err(at));
        }
        if was.is_finite() && was != is {
            worst = worst.max((was - is).abs() / was.abs());
        }
        halves.push(half);
    }
    Ok(Ok((halves, worst)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_with_their_largest_relative_error() {
        let least = 2.0_f32.powi(-24);
        for (number, half, error) in [
            (0.0, 0.0, 0.0),
            (-0.0, -0.0, 0.0),
            (1.0, 1.0, 0.0),
            (65504.0, 65504.0, 0.0),
            (65519.0, 65504.0, 15.0 / 65519.0),
            // Midway between two, to the even one.
            (1.0 + 2.0_f32.powi(-11), 1.0, 1.0 / 2049.0),
            (1.0 + 3.0 * 2.0_f32.powi(-11), 1.0 + 2.0_f32.powi(-9), 1.0 / 2051.0),
            (least, least, 0.0),
            (3.0 * least, 3.0 * least, 0.0),
            (0.5 * least, 0.0, 1.0),
            (0.75 * least, least, 1.0 / 3.0),
            (f32::INFINITY, f32::INFINITY, 0.0),
        ] {
            for sign in [1.0, -1.0] {
                let (halves, worst) = halved(&[sign * number]).unwrap().unwrap();
                assert_eq!(halves[0].to_f32().to_bits(), (sign * half).to_bits(), "{number}");
                assert!((worst - error).abs() < 1e-15, "{number}: {worst}");
            }
        }
        let (halves, worst) = halved(&[f32::NAN, 1.0]).unwrap().unwrap();
        assert!(halves[0].to_f32().is_nan() && worst == 0.0);
        assert_eq!(halved(&[65504.0, 65520.0]).unwrap().unwrap_err(), 1);
        assert_eq!(halved(&[-1e9]).unwrap().unwrap_err(), 0);
    }

    /// Every half comes back from single precision as it was.
    #[test]
    fn each_half_is_a_single() {
        for bits in 0..=u16::MAX {
            let single = f16::from_bits(bits).to_f32();
            let back = f16::from_f32(single);
            assert!(
                back.to_bits() == bits || single.is_nan() && back.to_f32().is_nan(),
                "{bits:#x}"
            );
        }
    }

    #[test]
    fn numbers_at_the_ends_are_counted_in_half_precision_alone() {
        let ends = [65504.0, -65504.0, f32::INFINITY, f32::NEG_INFINITY, 7e4];
        let others = [0.0, 65472.0, -65472.0, f32::NAN];
        let all = [&ends[..], &others].concat();
        assert_eq!(Precision::Half.saturated(ValuesRef::F32(&all)), 5);
        assert_eq!(Precision::Half.saturated(ValuesRef::F32(&others)), 0);
        assert_eq!(Precision::Single.saturated(ValuesRef::F32(&all)), 0);
        assert_eq!(Precision::Half.saturated(ValuesRef::I32(&[i32::MAX])), 0);
    }

    #[test]
    fn names_are_read_back() {
        for precision in [Precision::Single, Precision::Half] {
            assert_eq!(precision.to_string().parse::<Precision>().unwrap(), precision);
        }
        let error = "double".parse::<Precision>().unwrap_err().to_string();
        assert_eq!(error, "unknown precision `double`: expected single or half");
    }
}
