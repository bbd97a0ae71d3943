//! Maps numbers to colours, and labels the scale with its numbers.

use image::Rgb;

use crate::io::ColourMap;

pub(crate) const NOT_FINITE: Rgb<u8> = Rgb([230, 40, 40]);

/// The range of the finite numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    range: Option<(f64, f64)>,
    /// The count of numbers that are NaN or infinite.
    pub(super) not_finite: usize,
}

impl Scale {
    pub(super) fn of(values: &[f32]) -> Scale {
        let mut scale = Scale { range: None, not_finite: 0 };
        for &value in values {
            if !value.is_finite() {
                scale.not_finite += 1;
                continue;
            }
            let value = f64::from(value);
            let (low, high) = scale.range.unwrap_or((value, value));
            scale.range = Some((low.min(value), high.max(value)));
        }
        scale
    }

    pub(super) fn colour(&self, value: f64) -> Rgb<u8> {
        match self.range {
            Some((low, high)) if value.is_finite() && high > low => {
                self.part_colour((value - low) / (high - low))
            }
            Some(_) if value.is_finite() => self.part_colour(0.5),
            _ => NOT_FINITE,
        }
    }

    /// Returns the colour at a part of the scale, 0 at its lower end; one colour where all numbers
    /// are equal.
    pub(super) fn part_colour(&self, part: f64) -> Rgb<u8> {
        let constant = self.range.is_some_and(|(low, high)| low == high);
        let part = if constant { 0.5 } else { part.clamp(0.0, 1.0) };
        Rgb(ColourMap::Viridis.at(part))
    }

    /// Returns the numbers at the scale, each with its part of the height: both ends and the
    /// middle, or the only number there is.
    pub(super) fn labels(&self) -> Vec<(f64, String)> {
        let Some((low, high)) = self.range else { return Vec::new() };
        if low == high {
            return vec![(0.5, short(low, 4))];
        }
        let numbers = [low, low / 2.0 + high / 2.0, high].map(|number| {
            // A zero with a rounding error is shown as zero.
            let rest = number.abs() < 1e-6 * (high - low);
            if rest { 0.0 } else { number }
        });
        // More digits where fewer would make two of the three look the same.
        let mut labels = (3..=9).map(|digits| numbers.map(|number| short(number, digits)));
        let distinct = |labels: &[String; 3]| labels[0] != labels[1] && labels[1] != labels[2];
        let chosen = labels.clone().find(distinct).or_else(|| labels.next_back());
        [0.0, 0.5, 1.0].into_iter().zip(chosen.into_iter().flatten()).collect()
    }
}

/// Returns a number with this number of significant digits, without trailing zeros.
fn short(number: f64, digits: usize) -> String {
    let scientific = format!("{number:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if number == 0.0 {
        return "0".into();
    }
    if (-3..6).contains(&power) {
        let decimals = (digits as i32 - 1 - power).max(0) as usize;
        return trimmed(&format!("{number:.decimals$}")).into();
    }
    format!("{}e{exponent}", trimmed(mantissa))
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f32]) -> Vec<String> {
        Scale::of(values).labels().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn labels_are_short_and_distinct() {
        assert_eq!(labels(&[-1.0, 1.0]), ["-1", "0", "1"]);
        assert_eq!(labels(&[0.0, 0.3]), ["0", "0.15", "0.3"]);
        assert_eq!(labels(&[1000.0, 1001.0]), ["1000", "1000.5", "1001"]);
        assert_eq!(labels(&[0.0, 1e-20]), ["0", "5e-21", "1e-20"]);
        assert_eq!(labels(&[f32::MIN, f32::MAX]), ["-3.4e38", "0", "3.4e38"]);
    }

    #[test]
    fn equal_numbers_have_one_label_and_one_colour() {
        assert_eq!(labels(&[2.5; 4]), ["2.5"]);
        let scale = Scale::of(&[2.5; 4]);
        assert_eq!(scale.colour(2.5), scale.part_colour(0.0));
    }

    #[test]
    fn what_is_not_finite_is_counted_and_left_out() {
        let scale = Scale::of(&[f32::NAN, 1.0, f32::INFINITY, 3.0]);
        assert_eq!(scale.not_finite, 2);
        assert_eq!(scale.range, Some((1.0, 3.0)));
        assert_eq!(scale.colour(f64::NAN), NOT_FINITE);
        assert!(Scale::of(&[f32::NAN]).labels().is_empty());
    }
}
