//! Numbers as reports show them.

pub mod statistics;

/// Three significant digits; in powers of ten if the number is very large or small.
pub fn three_digits(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    // Rounded first: 999.7 is 1000, and has one digit more than it seems.
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    match rounded.abs() {
        size if size >= 1e9 => format!("{number:.2e}"),
        size if size >= 1e3 => grouped(rounded),
        size if size >= 1e2 => format!("{rounded:.0}"),
        size if size >= 1e1 => format!("{rounded:.1}"),
        size if size >= 1.0 => format!("{rounded:.2}"),
        size if size >= 1e-1 => format!("{rounded:.3}"),
        size if size >= 1e-2 => format!("{rounded:.4}"),
        size if size >= 1e-3 => format!("{rounded:.5}"),
        _ => format!("{number:.2e}"),
    }
}

/// The number in text, without the page's thin spaces: in powers of ten from a million on.
pub fn short(number: f64) -> String {
    match number.is_finite() && number.abs() >= 1e6 {
        true => format!("{number:.2e}"),
        false => three_digits(number).replace(THIN_SPACE, ""),
    }
}

/// The space between thousands.
pub const THIN_SPACE: char = '\u{202f}';

/// A whole number in full, since counts and sizes are not rounded; any other with three digits.
pub fn shown(number: f64) -> String {
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => grouped(number),
        false => three_digits(number),
    }
}

/// A whole number, with thin spaces between its thousands from five digits on.
fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if digits.len() > 4 && at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(THIN_SPACE);
        }
        text.push(digit);
    }
    if number < 0.0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_three() {
        let numbers = [
            0.0,
            1.0,
            9.999,
            99.96,
            999.7,
            12_346.0,
            0.123_44,
            0.099_96,
            0.001_234,
            0.000_999_6,
            1.234e-7,
            -2.0,
            2.5e12,
            1_234_567.0,
        ];
        let expected = [
            "0",
            "1.00",
            "10.0",
            "100",
            "1000",
            "12\u{202f}300",
            "0.123",
            "0.100",
            "0.00123",
            "0.00100",
            "1.23e-7",
            "-2.00",
            "2.50e12",
            "1\u{202f}230\u{202f}000",
        ];
        assert_eq!(numbers.map(three_digits), expected);
        assert_eq!([f64::NAN, f64::NEG_INFINITY].map(three_digits), ["NaN", "-inf"]);
    }

    #[test]
    fn text_has_no_thin_spaces() {
        let texts = [0.0, 0.012_345, 999.6, 123_456.0, 2.5e7, -3.5125].map(short);
        assert_eq!(texts, ["0", "0.0123", "1000", "123000", "2.50e7", "-3.51"]);
    }

    #[test]
    fn counts_are_not_rounded() {
        let expected =
            ["0", "4096", "1\u{202f}048\u{202f}577", "-16\u{202f}777\u{202f}217", "0.500"];
        assert_eq!([0.0, 4096.0, 1_048_577.0, -16_777_217.0, 0.5].map(shown), expected);
        assert_eq!([1e300, f64::INFINITY].map(shown), ["1.00e300", "inf"]);
    }
}
