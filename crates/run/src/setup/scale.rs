//! Extents that follow from others.

use std::fmt;
use std::str::FromStr;

use quadrille::Extent;

use crate::error::{Error, Result, SizeError};

/// The extent of a named array, multiplied or divided, rounded down, and at least 1 along each
/// axis: as text `image`, `image / 2` or `image * 1.5`.
///
/// The name is that of an input, `pass.output` of an earlier pass, or `size` for the extent that
/// the whole experiment is given.
///
/// ```
/// use quadrille_run::Scale;
/// let half: Scale = "image / 2".parse()?;
/// assert_eq!(half.to_string(), "image / 2");
/// # Ok::<(), quadrille_run::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    of: String,
    factor: Factor,
}

/// The extent of a pass or of a buffer, or what it follows from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Size {
    Extent(Extent),
    Scale(Scale),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Factor {
    One,
    Times(f64),
    /// A divisor. It is kept apart from `Times`, since a factor of one third is not a
    /// floating-point number.
    Over(f64),
}

impl Scale {
    /// Returns the name of the array or size that is scaled.
    pub fn name(&self) -> &str {
        &self.of
    }

    /// Returns the extent, of that of what it is named after.
    pub(crate) fn applied(&self, extent: Extent) -> Extent {
        let scaled = |side: u32| match self.factor {
            Factor::One => side,
            Factor::Times(factor) => (f64::from(side) * factor) as u32,
            Factor::Over(divisor) => (f64::from(side) / divisor) as u32,
        };
        Extent::new(scaled(extent.width).max(1), scaled(extent.height).max(1))
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.factor {
            Factor::One => f.write_str(&self.of),
            Factor::Times(factor) => write!(f, "{} * {factor}", self.of),
            Factor::Over(divisor) => write!(f, "{} / {divisor}", self.of),
        }
    }
}

impl FromStr for Scale {
    type Err = Error;

    fn from_str(text: &str) -> Result<Scale> {
        let wrong = || SizeError::Scale { got: text.to_owned() };
        let (name, factor) = match text.find(['*', '/']) {
            None => (text, Factor::One),
            Some(at) => {
                let (name, rest) = text.split_at(at);
                let (sign, number) = rest.split_at(1);
                let number = number.trim().parse::<f64>().ok();
                let number = number.filter(|x| x.is_finite() && *x > 0.0).ok_or_else(wrong)?;
                (name, if sign == "*" { Factor::Times(number) } else { Factor::Over(number) })
            }
        };
        let name = name.trim();
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        match !name.is_empty() && name.chars().all(letter) {
            true => Ok(Scale { of: name.to_owned(), factor }),
            false => Err(wrong().into()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn scaled(text: &str, width: u32, height: u32) -> (u32, u32) {
        let extent = text.parse::<Scale>().unwrap().applied(Extent::new(width, height));
        (extent.width, extent.height)
    }

    #[test]
    fn sides_are_rounded_down_and_at_least_1() {
        assert_eq!(scaled("a", 7, 5), (7, 5));
        assert_eq!(scaled("a / 2", 7, 5), (3, 2));
        assert_eq!(scaled("a/8", 7, 17), (1, 2));
        assert_eq!(scaled("p.out * 1.5", 7, 5), (10, 7));
        for side in 1..1000 {
            assert_eq!(scaled("a / 3", 3 * side, 1), (side, 1));
        }
        assert_eq!(scaled("a * 1e30", 7, 5), (u32::MAX, u32::MAX));
    }

    #[test]
    fn a_text_of_another_form_is_refused() {
        for text in
            ["", "/ 2", "a / 0", "a * -1", "a * nan", "a * inf", "a b", "a / 2 / 2", "64x48"]
        {
            let parsed = text.parse::<Scale>();
            if text == "64x48" {
                assert!(parsed.is_ok(), "a name, that of nothing");
                continue;
            }
            assert!(parsed.unwrap_err().to_string().contains("image / 2"), "{text}");
        }
    }
}
