//! Pictures beside their twins.

use super::twins::colour::Pixel;

/// Says where a picture differs from what is expected by more than some units of a channel.
pub fn difference(shown: &[Pixel], expected: &[Pixel], units: u8) -> Option<String> {
    if shown.len() != expected.len() {
        return Some(format!("{} pixels instead of {}", shown.len(), expected.len()));
    }
    let far = |(a, b): (&Pixel, &Pixel)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > units);
    let wrong = shown.iter().zip(expected).filter(|pair| far(*pair)).count();
    let first = shown.iter().zip(expected).position(far)?;
    Some(format!(
        "{wrong} pixels differ, the first is {first}: {:?}, not {:?}",
        shown[first], expected[first]
    ))
}

/// Fails unless the comparison above sees one channel of one pixel, and a pixel more or less.
pub fn faults_must_be_seen(right: &[Pixel], units: u8) {
    let accepts = |picture: &[Pixel]| difference(picture, right, units).is_none();
    assert!(accepts(right));
    for (at, pixel) in right.iter().enumerate() {
        for (channel, number) in pixel.iter().enumerate() {
            let moved = |by: u8| {
                let mut picture = right.to_vec();
                picture[at][channel] = if *number < 128 { number + by } else { number - by };
                accepts(&picture)
            };
            assert!(moved(units), "{at}");
            assert!(!moved(units + 1) && !moved(2 * units.max(1)), "{at}");
        }
    }
    assert!(!accepts(&right[1..]) && !accepts(&[right, &right[..1]].concat()));
}
