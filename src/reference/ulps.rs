//! Distance in units in the last place.

/// Returns the number of steps between two single-precision numbers: 0 for the same number, for the
/// two zeros and for two NaNs, 1 for neighbours. `None` if they differ and one is infinite or NaN,
/// so that no tolerance takes an overflow for a rounding.
///
/// ```
/// use quadrille::testing::ulps;
/// assert_eq!(ulps(1.0, 1.0 + f32::EPSILON), Some(1));
/// assert_eq!(ulps(f32::INFINITY, f32::INFINITY), Some(0));
/// assert_eq!([ulps(f32::NAN, 1.0), ulps(f32::INFINITY, f32::MAX)], [None; 2]);
/// ```
pub fn ulps(a: f32, b: f32) -> Option<u64> {
    match a.is_finite() && b.is_finite() {
        true => Some(place(a).abs_diff(place(b))),
        false => (a == b || a.is_nan() && b.is_nan()).then_some(0),
    }
}

/// Returns the largest distance of two results anywhere, in ULP; `None` if numbers differ of which
/// one is infinite or NaN, or the lengths do.
pub fn farthest(a: &[f32], b: &[f32]) -> Option<u64> {
    if a.len() != b.len() {
        return None;
    }
    a.iter().zip(b).try_fold(0, |most, (a, b)| Some(ulps(*a, *b)?.max(most)))
}

/// Returns the rank of a number, with zero at 0: the bits of positive numbers are in their order.
fn place(number: f32) -> i64 {
    let size = i64::from(number.to_bits() & 0x7fff_ffff);
    if number.is_sign_negative() { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::{farthest, ulps};

    #[test]
    fn neighbours_are_one_apart_across_powers_of_two_and_zero() {
        for number in [0.0, 1.0, -1.0, 2.0, 1e-40, f32::MIN_POSITIVE, -1e38] {
            assert_eq!(ulps(number, number), Some(0));
            assert_eq!(ulps(number, number.next_up()), Some(1), "{number}");
            assert_eq!(ulps(number.next_down(), number), Some(1), "{number}");
            assert_eq!(ulps(number.next_down(), number.next_up()), Some(2), "{number}");
        }
        assert_eq!(ulps(1.0, 2.0), Some(1 << 23));
        assert_eq!(ulps(0.0, -0.0), Some(0));
    }

    #[test]
    fn one_element_of_many_decides() {
        let right = [1.0, -2.0, 0.0, 1e30];
        assert_eq!(farthest(&right, &right), Some(0));
        for at in 0..right.len() {
            let with = |number| {
                let mut wrong = right;
                wrong[at] = number;
                farthest(&right, &wrong)
            };
            assert_eq!(with(right[at].next_up().next_up()), Some(2));
            assert_eq!([f32::NAN, f32::INFINITY].map(with), [None; 2]);
        }
        assert_eq!([farthest(&right, &right[1..]), farthest(&right[1..], &right)], [None; 2]);
    }

    #[test]
    fn infinity_and_nan_are_near_no_other_number() {
        let all = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, 0.0];
        for (i, a) in all.into_iter().enumerate() {
            assert_eq!(ulps(a, a), Some(0));
            for b in all.into_iter().skip(i + 1).filter(|b| !(a.is_finite() && b.is_finite())) {
                assert_eq!([ulps(a, b), ulps(b, a)], [None; 2], "{a}, {b}");
            }
        }
        assert_eq!(ulps(f32::NAN, -f32::NAN), Some(0));
    }
}
