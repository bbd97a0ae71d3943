//! Faults that every comparison of numbers must see.
#![allow(unreachable_pub, dead_code, reason = "each test program takes what it needs")]

/// What no moderate number comes near to.
const WRONG: [f32; 5] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX];

/// Fails unless a comparison of one number, `is_right(got, exact, bound)`, is that of all others:
/// what is not finite is right where the same is expected, no infinity or NaN is near a number,
/// however large the bound, and a bound that bounds nothing accepts nothing.
#[track_caller]
pub fn must_judge_as_all(is_right: impl Fn(f32, f32, f64) -> bool) {
    const NUMBERS: [f32; 10] =
        [0.0, -0.0, 1.0, -1.0, 2e-38, 3e38, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX];
    const LARGE: f64 = f64::MAX;
    for (got, exact) in NUMBERS.iter().flat_map(|got| NUMBERS.map(|exact| (*got, exact))) {
        let same = got == exact || got.is_nan() && exact.is_nan();
        let near = same || got.is_finite() && exact.is_finite();
        let apart = (f64::from(got) - f64::from(exact)).abs();
        for (bound, right) in [
            (0.0, same),
            (LARGE, near),
            (apart, near),
            (apart / 2.0, same),
            (f64::NAN, false),
            (f64::INFINITY, false),
            (-1.0, false),
        ] {
            // Where the two do not differ by a number, that is no bound.
            let right = right && bound >= 0.0 && bound.is_finite();
            assert_eq!(is_right(got, exact, bound), right, "{got} for {exact} within {bound:e}");
        }
    }
}

/// Fails unless a comparison accepts what is expected, and each number half its bound beside it,
/// and rejects any one number that is moved by twice its bound, NaN, infinite or missing. Each
/// number comes with its bound, which is 0 where nothing but the number is right.
#[track_caller]
pub fn faults_must_be_seen(expected: &[(f64, f64)], accepts: impl Fn(&[f32]) -> bool) {
    let right: Vec<f32> = expected.iter().map(|(exact, _)| *exact as f32).collect();
    assert!(accepts(&right), "what is expected");
    for (at, (exact, bound)) in expected.iter().enumerate() {
        let with = |number: f32| {
            let mut got = right.clone();
            got[at] = number;
            accepts(&got)
        };
        for sign in [1.0, -1.0] {
            // Where the bound is less than a rounding, there is no number at half of it.
            let near = (exact + sign * bound / 2.0) as f32;
            if (f64::from(near) - exact).abs() <= *bound {
                assert!(with(near), "{near} at {at}, expected {exact} within {bound}");
            }
            let moved = (exact + sign * 2.0 * bound) as f32;
            let moved = if sign > 0.0 { moved.next_up() } else { moved.next_down() };
            assert!(!with(moved), "{moved} at {at}, expected {exact} within {bound}");
        }
        for wrong in WRONG {
            assert!(!with(wrong), "{wrong} at {at}, expected {exact}");
        }
        assert!(with(right[at]), "what is expected at {at}, after what is not");
    }
    if let Some((_, fewer)) = right.split_last() {
        assert!(!accepts(fewer), "a number less");
    }
    assert!(!accepts(&[&right[..], &[0.0]].concat()), "a number more");
}
