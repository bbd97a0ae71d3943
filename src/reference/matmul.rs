//! Products of matrices in double precision, and the error that single precision may have.
//!
//! An element of C is a sum of k products, in any order: each term passes through at most k
//! roundings. The error in single precision is therefore at most gamma_k (|A| |B|), gamma_k = k u /
//! (1 - k u), u = 2^-24 (Higham, *Accuracy and Stability of Numerical Algorithms*, lemma 3.1). The
//! bound allows two more roundings, and the loss on devices that flush subnormal numbers to zero. It
//! holds while no sum exceeds the range of single precision: where one does and the exact element
//! does not, what comes out is wrong, and said to be.

use crate::Shape;
use crate::data::{Matrix, Number};
use crate::memory::{self, NoMemory};

use super::{Comparison, Wrong};

/// The most that flushing subnormal numbers to zero changes a result: the least normal number.
const FLUSHED: f64 = f32::MIN_POSITIVE as f64;
/// Rows of A that share one pass over B, so that B is read from memory once for all of them.
const BLOCK: usize = 8;

/// The expected product in double precision, and the largest error of single precision; integers
/// wrap and must be equal.
#[derive(Clone, Debug)]
pub struct Expected {
    shape: Shape,
    rows: Vec<usize>,
    exact: Vec<f64>,
    bound: Vec<f64>,
}

/// Returns all of A B. The inner dimensions must agree; the rest is ignored.
pub fn expected<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> Result<Expected, NoMemory> {
    let rows: Vec<usize> = memory::collected(a.shape().rows, 0..a.shape().rows)?;
    expected_of(a, b, rows, a.shape().cols)
}

/// Returns all of A B, with the bound of sums of `span` products each, which are then added: an
/// element passes through one rounding for each product of its part and one for each further part.
pub fn expected_in_parts<T: Number>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    span: usize,
) -> Result<Expected, NoMemory> {
    let rows: Vec<usize> = memory::collected(a.shape().rows, 0..a.shape().rows)?;
    let inner = a.shape().cols;
    let parts = inner.div_ceil(span.max(1)).max(1);
    expected_of(a, b, rows, span.min(inner) + parts - 1)
}

/// Returns some rows of A B, for instance a random sample where all of it would take too long. Rows
/// that A does not have are ignored.
pub fn expected_rows<T: Number>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    rows: &[usize],
) -> Result<Expected, NoMemory> {
    let shape = Shape::new(a.shape().rows, b.shape().cols);
    let known = rows.iter().copied().filter(|row| *row < shape.rows);
    expected_of(a, b, memory::collected(rows.len(), known)?, a.shape().cols)
}

fn expected_of<T: Number>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    rows: Vec<usize>,
    roundings: usize,
) -> Result<Expected, NoMemory> {
    let shape = Shape::new(a.shape().rows, b.shape().cols);
    let count = rows.len().saturating_mul(shape.cols);
    let (mut exact, mut bound) = (memory::zeroed(count)?, memory::zeroed(count)?);
    let some = BLOCK * shape.cols.max(1);
    let results = exact.chunks_mut(some).zip(bound.chunks_mut(some));
    for (rows, (exact, bound)) in rows.chunks(BLOCK).zip(results) {
        match T::IS_FLOAT {
            true => float_rows(a, b, rows, gamma(roundings + 2), exact, bound)?,
            false => integer_rows(a, b, rows, exact)?,
        }
    }
    Ok(Expected { shape, rows, exact, bound })
}

impl Expected {
    /// Compares the expected rows of a product, each number with its own bound.
    ///
    /// NaN and infinities are right where the exact result is the same, and an infinity also where
    /// that rounds to it in single precision. Where it does not and sums on the way exceed the range
    /// they are wrong.
    pub fn compare<T: Number>(&self, c: &Matrix<T>) -> Comparison {
        if c.shape() != self.shape {
            return Comparison::WRONG;
        }
        let each = self.numbers(c).map(|(got, exact, bound)| judge::<T>(got, exact, bound));
        each.fold(Comparison::RIGHT, Comparison::worse)
    }

    /// Returns the first element of the expected rows that is wrong, in a product of the right
    /// shape.
    pub fn first_wrong<T: Number>(&self, c: &Matrix<T>) -> Option<Wrong> {
        let cols = self.shape.cols.max(1);
        let mut numbers = self.numbers(c).enumerate();
        let is_wrong = |(got, exact, bound)| !judge::<T>(got, exact, bound).is_right();
        let (at, (got, expected, bound)) = numbers.find(|(_, number)| is_wrong(*number))?;
        Some(Wrong { row: *self.rows.get(at / cols)?, col: at % cols, expected, bound, got })
    }

    /// Yields each number found, the expected one, and its bound.
    fn numbers<T: Number>(&self, c: &Matrix<T>) -> impl Iterator<Item = (f64, f64, f64)> {
        let got = self.rows.iter().flat_map(|row| c.row(*row)).map(|number| number.to_f64());
        let expected = self.exact.iter().zip(&self.bound);
        got.zip(expected).map(|(got, (exact, bound))| (got, *exact, *bound))
    }
}

fn judge<T: Number>(got: f64, exact: f64, bound: f64) -> Comparison {
    match T::IS_FLOAT {
        true => Comparison::of_single(got, exact, bound),
        false => Comparison::of_number(got, exact, bound),
    }
}

/// Adds the products and bounds of some rows of A to zeros. The product of two floats is exact in
/// double precision, whose sums round 2^29 times finer than single precision.
fn float_rows<T: Number>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    rows: &[usize],
    gamma: f64,
    exact: &mut [f64],
    bound: &mut [f64],
) -> Result<(), NoMemory> {
    let (inner, cols) = (a.shape().cols, b.shape().cols);
    let (mut y, mut size) = (memory::zeroed(cols)?, memory::zeroed(cols)?);
    for k in 0..inner {
        for ((y, size), number) in y.iter_mut().zip(&mut size).zip(b.row(k)) {
            *y = number.to_f64();
            *size = weight(*y, gamma);
        }
        // The bounds are magnitudes at first.
        let sums = exact.chunks_mut(cols.max(1)).zip(bound.chunks_mut(cols.max(1)));
        for (row, (exact, magnitude)) in rows.iter().zip(sums) {
            let x = a.row(*row)[k].to_f64();
            add_multiple(exact, x, &y);
            add_multiple(magnitude, weight(x, gamma), &size);
        }
    }
    for (exact, bound) in exact.iter().zip(bound) {
        *bound = if exact.is_finite() { gamma * *bound + flushed(inner) } else { 0.0 };
    }
    Ok(())
}

/// Returns the most that flushing subnormal numbers changes a sum of this number of products.
fn flushed(inner: usize) -> f64 {
    2.0 * inner as f64 * FLUSHED
}

/// Returns the products of some rows of A modulo 2^64, cut to the type's width; no error is
/// allowed.
fn integer_rows<T: Number>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    rows: &[usize],
    exact: &mut [f64],
) -> Result<(), NoMemory> {
    let cols = b.shape().cols;
    let unused = i64::BITS - 8 * size_of::<T>() as u32;
    let mut sums: Vec<i64> = memory::zeroed(cols)?;
    for (row, exact) in rows.iter().zip(exact.chunks_mut(cols.max(1))) {
        sums.fill(0);
        for (k, x) in a.row(*row).iter().enumerate() {
            let x = x.to_f64() as i64;
            for (sum, y) in sums.iter_mut().zip(b.row(k)) {
                *sum = sum.wrapping_add(x.wrapping_mul(y.to_f64() as i64));
            }
        }
        for (exact, sum) in exact.iter_mut().zip(&sums) {
            *exact = (sum << unused >> unused) as f64;
        }
    }
    Ok(())
}

fn add_multiple(sums: &mut [f64], x: f64, y: &[f64]) {
    for (sum, y) in sums.iter_mut().zip(y) {
        *sum += x * y;
    }
}

/// Returns the absolute value, increased so that gamma times it covers a whole subnormal number: a
/// device that flushes its operands loses the number itself and not just a rounding of it.
fn weight(x: f64, gamma: f64) -> f64 {
    x.abs() * if x.abs() < FLUSHED { 1.0 / gamma } else { 1.0 }
}

fn gamma(roundings: usize) -> f64 {
    let units = roundings as f64 * 0.5_f64.powi(24);
    if units < 1.0 { units / (1.0 - units) } else { f64::INFINITY }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::linalg::host::matmul::multiply;

    const LENGTHS: [usize; 6] = [1, 2, 3, 7, 64, 1000];

    fn operands(inner: usize) -> (Matrix<f32>, Matrix<f32>) {
        let random = |rows, cols, seed| Matrix::random(Shape::new(rows, cols), seed).unwrap();
        (random(3, inner, 1), random(inner, 5, 2))
    }

    #[test]
    fn an_element_that_is_twice_its_bound_away_is_seen_wherever_it_is() {
        for inner in LENGTHS {
            let (a, b) = operands(inner);
            let expected = expected(&a, &b).unwrap();
            let right = expected.exact.iter().map(|exact| *exact as f32).collect();
            let right = Matrix::new(Shape::new(3, 5), right).unwrap();
            assert!(expected.compare(&right).is_right());
            for at in 0..15 {
                let moved = |by: f64| {
                    let mut wrong = right.clone();
                    wrong.elements_mut()[at] =
                        (expected.exact[at] + by * expected.bound[at]) as f32;
                    let found = expected.first_wrong(&wrong);
                    assert_eq!(found.is_none(), expected.compare(&wrong).is_right());
                    found.map(|wrong| 5 * wrong.row + wrong.col)
                };
                assert_eq!(moved(0.25), None, "{inner}");
                assert_eq!([2.0, -2.0, f64::NAN].map(moved), [Some(at); 3], "{inner}");
            }
        }
    }

    #[test]
    fn a_lost_term_is_seen_where_sums_are_short() {
        for inner in [1, 2, 3, 7, 64] {
            let (a, b) = operands(inner);
            let expected = expected(&a, &b).unwrap();
            for lost in 0..inner {
                let mut fewer = a.clone();
                fewer.elements_mut()[inner + lost] = 0.0;
                let mut c = Matrix::zeros(Shape::new(3, 5)).unwrap();
                multiply(&fewer, &b, &mut c);
                assert!(!expected.compare(&c).is_right(), "{lost} of {inner}");
                assert_eq!(expected.first_wrong(&c).map(|wrong| wrong.row), Some(1));
            }
        }
    }

    #[test]
    fn a_sum_of_parts_has_the_bound_of_its_fewer_roundings() {
        let (a, b) = operands(1000);
        let bound = |expected: Expected| expected.bound[7];
        let whole = bound(expected(&a, &b).unwrap());
        for (span, roundings) in [(1000, 1000), (5000, 1000), (250, 253), (300, 303), (1, 1000)] {
            let parts = bound(expected_in_parts(&a, &b, span).unwrap());
            let ratio = f64::from(roundings + 2) / 1002.0;
            assert!((parts / whole / ratio - 1.0).abs() < 1e-3, "{span}: {parts} of {whole}");
        }
    }

    /// What a product of a row and a column is judged to be.
    fn says(row: &[f32], column: &[f32], got: f32) -> bool {
        let a = Matrix::new(Shape::new(1, row.len()), row.to_vec()).unwrap();
        let b = Matrix::new(Shape::new(row.len(), 1), column.to_vec()).unwrap();
        let c = Matrix::new(Shape::new(1, 1), vec![got]).unwrap();
        let expected = expected(&a, &b).unwrap();
        assert_eq!(expected.first_wrong(&c).is_none(), expected.compare(&c).is_right());
        expected.compare(&c).is_right()
    }

    #[test]
    fn an_infinity_is_right_only_where_the_exact_product_rounds_to_it() {
        let (infinity, nan, ones) = (f32::INFINITY, f32::NAN, [1.0; 4]);
        for (row, column, right) in [
            // Sums on the way exceed the range, and the product does not.
            (&[3e38, 3e38, -3e38, -3e38][..], &ones[..], 0.0),
            (&[3e38, 3e38, -3e38, 0.0], &ones, 3e38),
            (&[1e19, -1e19], &[1e19, 1e19], 0.0),
            // The product rounds to an infinity.
            (&[1e30], &[1e30], infinity),
            (&[3e38, 3e38, 3e38, -3e38], &ones, infinity),
            (&[-3e38, -3e38], &ones[..2], -infinity),
            // Of operands that are not finite.
            (&[infinity, 1.0], &ones[..2], infinity),
            (&[infinity, -infinity], &ones[..2], nan),
            (&[infinity, 1.0], &[0.0, 1.0], nan),
            (&[nan], &ones[..1], nan),
            (&[f32::MAX], &ones[..1], f32::MAX),
        ] {
            for got in [0.0, 3e38, -3e38, 1e37, infinity, -infinity, nan, f32::MAX] {
                let same = got == right || got.is_nan() && right.is_nan();
                // Within the roundings of its sum the largest float may have become an infinity.
                let near = right == f32::MAX && got == infinity;
                assert_eq!(says(row, column, got), same || near, "{row:?} {column:?}: {got}");
            }
        }
    }

    #[test]
    fn past_what_single_precision_can_add_nothing_is_right() {
        let long = gamma(1 << 24);
        assert!(!Comparison::of_number(1.0, 1.0, long).is_right());
    }
}
