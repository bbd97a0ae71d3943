//! Numbers of arrays as text.

/// Formats a number by six significant digits, as many as a 32-bit float has.
pub fn six_digits(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{number:.5e}");
    }
    let whole_digits = if size < 1.0 { 1.0 } else { size.log10().floor() + 1.0 };
    let text = format!("{number:.*}", (7.0 - whole_digits).max(0.0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::six_digits;

    #[test]
    fn six_digits_keep_the_size() {
        for (number, text) in [
            (0.0, "0"),
            (0.10000000149011612, "0.1"),
            (-2.5, "-2.5"),
            (123456.78, "123456.8"),
            (1e-9, "1.00000e-9"),
            (4294967295.0, "4.29497e9"),
            (1.0, "1"),
            (1000000.0, "1000000"),
        ] {
            assert_eq!(six_digits(number), text);
        }
    }
}
