//! Numbers of bytes as texts.

/// A number of bytes, as in `500M` or `1.5G`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1_u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(expected()),
    };
    let bytes = digits.parse::<f64>().map_err(|_| expected())? * factor as f64;
    if (1.0..2.0_f64.powi(63)).contains(&bytes) { Ok(bytes as u64) } else { Err(expected()) }
}

fn expected() -> String {
    "expected a number of bytes, as in 500M, 16G or 1T (powers of 1024)".into()
}

/// Bytes in the largest unit of which they have one.
pub(super) fn readable(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let unit = units.into_iter().find(|(_, shift)| bytes >> shift > 0);
    unit.map_or(format!("{bytes} bytes"), |(unit, shift)| {
        format!("{:.1} {unit}", bytes as f64 / f64::from(1_u32 << shift))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_their_unit() {
        assert_eq!(bytes("12"), Ok(12));
        assert_eq!(
            [bytes("1.5K"), bytes("3m"), bytes("2G"), bytes("1T")],
            [1536, 3 << 20, 2 << 30, 1 << 40].map(Ok)
        );
        for wrong in ["", "G", "-1", "0", "1X", "1GB", "nan", "1e300"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            [readable(12), readable(1536), readable(3 << 30)],
            ["12 bytes", "1.5 KiB", "3.0 GiB"]
        );
    }
}
