//! `assert_same!`: comparison in a test of Rust.

use super::comparison::compare;
use super::numbers::Numbers;
use super::rule::Rule;

/// Fails unless numbers are the expected ones by a [`Rule`](crate::testing::Rule), and says how
/// many differ and which is the worst.
///
/// Both are a [`Field`](crate::data::Field), or a slice, an array or a vector of `f32`, `i32` or
/// `u32`.
///
/// ```
/// use quadrille::{assert_same, testing::Rule};
/// assert_same!([0.1_f32 + 0.2], [0.3_f32], Rule::ulp(1));
/// assert_same!(vec![1, 2, 3], [1, 2, 3], Rule::exact());
/// ```
///
/// ```should_panic
/// # use quadrille::{assert_same, testing::Rule};
/// assert_same!([1.0_f32, 2.0], [1.0_f32, 2.5], Rule::close(0.1, 0.0));
/// ```
#[macro_export]
macro_rules! assert_same {
    ($got:expr, $expected:expr, $rule:expr $(,)?) => {
        if let Err(text) = $crate::testing::must_be_same(&$got, &$expected, &$rule) {
            panic!("{} is not as expected: {text}", stringify!($got));
        }
    };
}

/// Returns the message of [`assert_same!`] where numbers differ; `Ok` if they are the same.
#[doc(hidden)]
pub fn must_be_same(
    got: &impl Numbers,
    expected: &impl Numbers,
    rule: &Rule,
) -> Result<(), String> {
    match compare(got, expected, rule) {
        Ok(difference) if difference.is_right() => Ok(()),
        Ok(difference) => Err(difference.to_string()),
        Err(mismatch) => Err(mismatch.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_vectors_and_fields_are_compared() {
        let rule = Rule::ulp(1);
        assert_eq!(must_be_same(&vec![1.0_f32], &[1.0_f32.next_up()], &rule), Ok(()));
        assert_eq!(must_be_same(&[0.0_f32; 0], &Vec::<f32>::new(), &rule), Ok(()));
        assert!(must_be_same(&[0.0_f32; 0], &[0.0_f32], &rule).is_err());
        assert!(must_be_same(&[0.0_f32], &[0.0_f32; 0], &rule).is_err());
        let said = must_be_same(&[1.0_f32, 2.0], &[1.0_f32], &rule).unwrap_err();
        assert!(said.contains("expected 1 x 1"), "{said}");
        let said = must_be_same(&[1, 2], &[1, 3], &Rule::exact()).unwrap_err();
        assert!(said.contains("column 1 of row 0, channel 0: expected 3, got 2"), "{said}");
    }
}
