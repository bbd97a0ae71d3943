//! Faults that every comparison of numbers must see.
#![allow(unreachable_pub, reason = "each test program has it as a module of its own")]

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
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!with(wrong), "{wrong} at {at}, expected {exact}");
        }
    }
    if let Some((_, fewer)) = right.split_last() {
        assert!(!accepts(fewer), "a number less");
    }
    assert!(!accepts(&[&right[..], &[0.0]].concat()), "a number more");
}
