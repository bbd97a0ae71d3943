//! Words in a drawing.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::NUMBERS;

/// Sizes in percent would be relative to this; all sizes here are in pixels.
const NO_AREA: (u32, u32) = (800, 400);

pub(super) type Words<C> = Text<'static, C, String>;

/// Words to the right of and below a point.
pub(super) fn text<C>(words: &str, place: C, size: u32) -> Words<C> {
    anchored(words, place, size, Pos::new(HPos::Left, VPos::Top))
}

/// Words with this point of theirs at a place.
pub(super) fn anchored<C>(words: &str, place: C, size: u32, at: Pos) -> Words<C> {
    Text::new(words.to_owned(), place, ("sans-serif", size).into_text_style(&NO_AREA).pos(at))
}

/// About the width of words in pixels, rather more than less.
pub(super) fn width(words: &str) -> u32 {
    words.chars().count() as u32 * (NUMBERS * 6 / 10)
}

/// A number on an axis, with at most three digits, in powers of ten only from a million on. Large
/// powers of two are exact.
pub(super) fn tick(number: f64) -> String {
    let is_power = number.fract() == 0.0 && (number as u64).is_power_of_two();
    match number.abs() {
        size if is_power && size >= MEBI => format!("{} Mi", size / MEBI),
        size if is_power && size >= 16.0 * KIBI => format!("{} Ki", size / KIBI),
        size if size >= 1e6 => format!("{number:.0e}"),
        size if size >= 100.0 || size == 0.0 => format!("{number:.0}"),
        _ => {
            let digits: f64 = format!("{number:.2e}").parse().unwrap_or(number);
            digits.to_string()
        }
    }
}

const KIBI: f64 = 1024.0;
const MEBI: f64 = KIBI * KIBI;

#[cfg(test)]
mod tests {
    use super::tick;

    #[test]
    fn axes_show_numbers_plainly() {
        let shown = [1e7, 1e5, 12.0, 5.656854, 0.5, 0.1 + 0.2, 0.0].map(tick);
        assert_eq!(shown, ["1e7", "100000", "12", "5.66", "0.5", "0.3", "0"]);
        let sizes = [8192.0, 16384.0, 262144.0, 1048576.0, 268435456.0, -65536.0].map(tick);
        assert_eq!(sizes, ["8192", "16 Ki", "256 Ki", "1 Mi", "256 Mi", "-65536"]);
    }
}
