//! Numbers in sentences.

/// Three digits, as people read them.
pub(super) fn digits(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 0.01 || size == 0.0 => format!("{number:.2}"),
        _ => format!("{number:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_three() {
        let texts = [1234.5, 12.345, 1.2345, 0.0, 0.00123].map(digits);
        assert_eq!(texts, ["1234", "12.3", "1.23", "0.00", "1.2e-3"]);
    }
}
