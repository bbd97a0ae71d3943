//! The passes of a transform: plain arithmetic, no GL.
//!
//! Stockham's passes need no permutation by reversed bits: each reads numbers that are far apart,
//! and writes them where the next pass expects them. A pass of radix R, where `block` numbers in a
//! row have passed the radices before, takes for each q < block and each p
//!
//! ```text
//! x[q + block * p + r * across]             r = 0 .. R - 1, from where they are
//! y[q + block * (R * p + m)]                m = 0 .. R - 1, to where they belong
//! y = w^(p * m) * sum of x e^(-2 pi i r m / R)
//! ```
//!
//! with w = e^(-2 pi i / n), where n is the length that is left to be transformed.

use super::super::scan::gamma;
use super::axis::Axis;

/// One pass over the whole array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pass {
    pub(super) radix: usize,
    /// The product of the radices before, which is the power of the root.
    pub(super) done: usize,
    /// That times the distance between the numbers of a transform.
    pub(super) block: usize,
    /// The distance between the numbers of a butterfly.
    pub(super) across: usize,
}

/// Splits a length into these radices, each as often as it divides what is left; `None` where
/// something is left.
pub(super) fn radices(length: usize, allowed: &[usize]) -> Option<Vec<usize>> {
    let (mut rest, mut found) = (length, Vec::new());
    for radix in allowed {
        while rest > 1 && rest.is_multiple_of(*radix) {
            found.push(*radix);
            rest /= radix;
        }
    }
    (rest == 1).then_some(found)
}

/// Returns the passes along an axis by these radices, whose product is its length.
pub(super) fn passes(axis: Axis, radices: &[usize]) -> Vec<Pass> {
    let mut done = 1;
    let pass = |radix: &usize| {
        let (radix, block, across) = (*radix, done * axis.inner, axis.length / radix * axis.inner);
        let pass = Pass { radix, done, block, across };
        done *= radix;
        pass
    };
    radices.iter().map(pass).collect()
}

/// The unit of rounding.
const U: f64 = 1.0 / (1 << 24) as f64;
/// The rounding of a root in the table: each part is off by half a unit of its last place, which is
/// at most U / 2.
const ROOT: f64 = 0.7072 * U;

/// Returns the relative error of a product of two complex numbers: sqrt 2 times gamma of 2 (Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2002, lemma 3.5).
pub(in crate::primitives) fn of_product() -> f64 {
    std::f64::consts::SQRT_2 * gamma(2)
}

/// Returns the relative error of a product with a root, which is read from a table, or is the product
/// of two that are.
pub(super) fn of_root_and_product(levels: usize) -> f64 {
    levels as f64 * (ROOT + of_product())
}

/// Returns the relative error of a division by a length: that is rounded, and so is the product.
pub(super) fn of_scale() -> f64 {
    2.0 * U
}

/// Returns the relative error of what stands between real and complex transforms: two additions and a
/// product with a root, of numbers whose norm it keeps.
pub(super) fn of_split() -> f64 {
    2.0 * U + of_root_and_product(1)
}

/// Returns a bound of the relative error, in the norm of all numbers, of a pass: a butterfly and a
/// product with a root.
///
/// Radix 2 and 4 are one and two levels of additions, of which each is off by at most U of its result.
/// Another radix R is the sum of R products with roots: its error is at most that of a term times
/// sqrt R, since that is how much larger than its norm the butterfly's matrix of magnitudes is.
pub(super) fn of_pass(radix: usize, levels: usize) -> f64 {
    let product = of_root_and_product(levels);
    match radix {
        2 => U + product,
        4 => 2.0 * U + product,
        radix => (radix as f64).sqrt() * (product + gamma(radix - 1)),
    }
}

/// Returns the same of a pass in a work group: steps with products with roots after each, the last of
/// which is by roots of the transform.
pub(super) fn of_group_pass(steps: &[usize], levels: usize) -> f64 {
    let between = (steps.len() - 1) as f64 * of_root_and_product(1);
    steps.iter().map(|radix| of_registers(*radix)).sum::<f64>()
        + between
        + of_root_and_product(levels)
}

/// Returns the same of a butterfly in registers. Those of 8 and 16 have products with a root in the
/// middle. Odd ones are sums of terms of a magnitude of sqrt 2 at most, each with a rounded factor.
fn of_registers(radix: usize) -> f64 {
    match radix {
        2 => U,
        4 => 2.0 * U,
        8 => 3.0 * U + of_root_and_product(1),
        16 => 4.0 * U + of_root_and_product(1),
        radix => (2.0 * radix as f64).sqrt() * gamma(radix + 2),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_split_into_radices() {
        assert_eq!(radices(1, &[4, 2]), Some(vec![]));
        assert_eq!(radices(2 * 4 * 4 * 3, &[4, 2, 3]), Some(vec![4, 4, 2, 3]));
        assert_eq!(radices(11, &[4, 2, 3, 5, 7]), None);
    }

    /// Each pass writes every number once, and reads every number once.
    #[test]
    fn passes_are_permutations() {
        for axis in
            [Axis::rows(3, 60), Axis::columns(28, 3), Axis { outer: 2, length: 12, inner: 5 }]
        {
            let radices = radices(axis.length, &[4, 2, 3, 5, 7]).unwrap();
            for Pass { radix, block, across, .. } in passes(axis, &radices) {
                let (mut from, mut to) = (Vec::new(), Vec::new());
                for start in (0..axis.total()).step_by(radix * across) {
                    for j in 0..across {
                        let (p, q) = (j / block, j % block);
                        from.extend((0..radix).map(|r| start + q + block * p + r * across));
                        to.extend((0..radix).map(|m| start + q + block * (radix * p + m)));
                    }
                }
                for mut places in [from, to] {
                    places.sort_unstable();
                    assert!(places.into_iter().eq(0..axis.total()), "{axis:?} by {radix}");
                }
            }
        }
    }
}
