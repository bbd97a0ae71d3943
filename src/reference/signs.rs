//! A product that every method computes exactly: of matrices of -1 and 1.
//!
//! The bound of a rounded sum grows with its length, until it exceeds a single term. Sums of -1 and
//! 1 are integers, none larger than the number of terms, so single precision is exact up to 2^24
//! terms in any order: a lost, doubled or exchanged term shows as a difference.

use std::ops::Range;

use crate::Shape;
use crate::data::{Error, Matrix, Number, SplitMix64};

use super::{Comparison, Wrong};

/// Two matrices of random signs, one bit each: 64 products are an exclusive or and a count of bits,
/// so checking all elements takes a small part of the time of loops over floats.
#[derive(Clone, Debug)]
pub struct Signs {
    rows: usize,
    inner: usize,
    cols: usize,
    /// The rows of A; a set bit is -1.
    a: Vec<u64>,
    /// The columns of B.
    b: Vec<u64>,
}

/// Sums of more terms are not exact in single precision.
const MOST_TERMS: usize = 1 << 24;

impl Signs {
    /// Creates random signs for a product A B of these shapes, whose inner dimensions agree. The
    /// first column of B is the first row of A, so that all terms of the first element are 1 and no
    /// lost terms cancel.
    pub fn new(a: Shape, b: Shape, seed: u64) -> Result<Signs, Error> {
        let (rows, inner, cols) = (a.rows, a.cols, b.cols);
        let mut generator = SplitMix64::new(seed);
        let a = bits(rows, inner, &mut generator)?;
        let mut b = bits(cols, inner, &mut generator)?;
        b.iter_mut().zip(&a).take(inner.div_ceil(64)).for_each(|(b, a)| *b = *a);
        Ok(Signs { rows, inner, cols, a, b })
    }

    /// Returns whether sums of this number of terms are exact in a number type; integers wrap, and
    /// are.
    pub fn are_exact<T: Number>(terms: usize) -> bool {
        !T::IS_FLOAT || terms <= MOST_TERMS
    }

    /// Returns the first operand.
    pub fn a<T: Number>(&self) -> Result<Matrix<T>, Error> {
        Matrix::from_fn(Shape::new(self.rows, self.inner), |row, k| {
            sign(line(&self.a, self.inner, row), k)
        })
    }

    /// Returns the second operand.
    pub fn b<T: Number>(&self) -> Result<Matrix<T>, Error> {
        Matrix::from_fn(Shape::new(self.inner, self.cols), |k, col| {
            sign(line(&self.b, self.inner, col), k)
        })
    }

    /// Compares every element of a product, with no error allowed.
    pub fn compare<T: Number>(&self, c: &Matrix<T>) -> Comparison {
        if c.shape() != Shape::new(self.rows, self.cols) {
            return Comparison::WRONG;
        }
        let each = self
            .numbers(c, 0..self.rows)
            .map(|(_, _, expected, got)| Comparison::of_number(got, expected, 0.0));
        each.fold(Comparison::RIGHT, Comparison::worse)
    }

    /// Returns the first element that differs, in these rows of a product of the right shape.
    pub fn first_wrong<T: Number>(&self, c: &Matrix<T>, rows: Range<usize>) -> Option<Wrong> {
        let mut numbers = self.numbers(c, rows);
        // A NaN differs from every number.
        let (row, col, expected, got) = numbers.find(|(_, _, expected, got)| got != expected)?;
        Some(Wrong { row, col, expected, bound: 0.0, got })
    }

    /// Yields row, column, expected number and number found.
    fn numbers<T: Number>(
        &self,
        c: &Matrix<T>,
        rows: Range<usize>,
    ) -> impl Iterator<Item = (usize, usize, f64, f64)> {
        rows.flat_map(move |row| {
            let numbers = c.row(row).iter().enumerate();
            numbers.map(move |(col, got)| (row, col, self.product::<T>(row, col), got.to_f64()))
        })
    }

    /// Returns an element of A B, wrapped as integers of the type do.
    fn product<T: Number>(&self, row: usize, col: usize) -> f64 {
        let pairs = line(&self.a, self.inner, row).iter().zip(line(&self.b, self.inner, col));
        let negative: i64 = pairs.map(|(a, b)| i64::from((a ^ b).count_ones())).sum();
        let sum = self.inner as i64 - 2 * negative;
        let unused = if T::IS_FLOAT { 0 } else { i64::BITS - 8 * size_of::<T>() as u32 };
        (sum << unused >> unused) as f64
    }
}

/// Returns lines of random bits, zeros after the last of each.
fn bits(lines: usize, length: usize, generator: &mut SplitMix64) -> Result<Vec<u64>, Error> {
    let words = length.div_ceil(64);
    let mut bits = crate::data::zeros::<u64>(lines.saturating_mul(words))?;
    for line in bits.chunks_mut(words.max(1)) {
        line.iter_mut().for_each(|word| *word = generator.next());
        if let (Some(last), rest @ 1..) = (line.last_mut(), length % 64) {
            *last &= (1 << rest) - 1;
        }
    }
    Ok(bits)
}

/// Returns a line of bits, which is empty outside of the matrix.
fn line(bits: &[u64], length: usize, which: usize) -> &[u64] {
    let words = length.div_ceil(64);
    bits.get(which * words..(which + 1) * words).unwrap_or(&[])
}

fn sign<T: Number>(line: &[u64], at: usize) -> T {
    let negative = line.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
    T::from_i64(if negative { -1 } else { 1 }).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::linalg::host::matmul::multiply;
    use crate::reference::matmul::expected;

    const LENGTHS: [usize; 6] = [1, 2, 7, 1000, 65_537, 1_000_000];

    fn signs(inner: usize) -> Signs {
        Signs::new(Shape::new(3, inner), Shape::new(inner, 3), inner as u64).unwrap()
    }

    /// Returns the product without these terms, each a row and an index along the inner dimension.
    fn without<T: Number>(signs: &Signs, lost: impl Fn(usize, usize) -> bool) -> Matrix<T> {
        let (mut a, b, inner) = (signs.a::<T>().unwrap(), signs.b().unwrap(), signs.inner);
        for (at, element) in a.elements_mut().iter_mut().enumerate() {
            if lost(at / inner, at % inner) {
                *element = T::default();
            }
        }
        let mut c = Matrix::zeros(Shape::new(3, 3)).unwrap();
        multiply(&a, &b, &mut c);
        c
    }

    fn faults_are_caught<T: Number>() {
        for inner in LENGTHS {
            let signs = signs(inner);
            let right = without::<T>(&signs, |_, _| false);
            assert_eq!(signs.compare(&right), Comparison::RIGHT, "{inner}");
            assert_eq!(signs.first_wrong(&right, 0..3), None);
            let tile = inner / 2..inner / 2 + 16;
            let past_a_limit = inner.min(65_536) - 1;
            let wrong = [
                ("a term of one row", without::<T>(&signs, |row, k| (row, k) == (2, inner / 2))),
                ("a term of every row", without(&signs, |_, k| k == inner - 1)),
                ("a tile", without(&signs, |_, k| tile.contains(&k))),
                ("a channel", without(&signs, |_, k| k % 4 == 0)),
                ("the end", without(&signs, |_, k| k >= past_a_limit)),
            ];
            for (what, wrong) in wrong {
                assert!(!signs.compare(&wrong).is_right(), "{what} of {inner}");
                assert!(signs.first_wrong(&wrong, 0..3).is_some(), "{what} of {inner}");
            }
        }
    }

    #[test]
    fn a_lost_term_tile_or_channel_is_caught_at_every_length() {
        faults_are_caught::<f32>();
        faults_are_caught::<i32>();
        faults_are_caught::<i16>();
    }

    #[test]
    fn the_bound_of_rounding_accepts_a_long_product_without_its_end() {
        let signs = signs(1_000_000);
        let wrong = without::<f32>(&signs, |_, k| k >= 65_536);
        let bounded = expected(&signs.a::<f32>().unwrap(), &signs.b().unwrap()).unwrap();
        // The first element, a sum of a million ones, alone exceeds its bound.
        let bounded: Vec<usize> = (1..9)
            .filter(|at| {
                let mut c = without::<f32>(&signs, |_, _| false);
                c.elements_mut()[*at] = wrong.elements()[*at];
                assert!(!signs.compare(&c).is_right(), "{at}");
                bounded.compare(&c).is_right()
            })
            .collect();
        assert_eq!(bounded.len(), 8);
    }

    #[test]
    fn a_wrong_element_is_named_with_what_was_expected() {
        let signs = Signs::new(Shape::new(5, 70), Shape::new(70, 4), 1).unwrap();
        let mut c = Matrix::zeros(Shape::new(5, 4)).unwrap();
        multiply(&signs.a::<f32>().unwrap(), &signs.b().unwrap(), &mut c);
        assert_eq!(c.at(0, 0), Some(70.0));
        for wrong in [c.elements()[14] + 2.0, f32::NAN, f32::INFINITY] {
            let mut c = c.clone();
            let expected = f64::from(std::mem::replace(&mut c.elements_mut()[14], wrong));
            assert!(!signs.compare(&c).is_right());
            assert_eq!(signs.first_wrong(&c, 0..3), None);
            let found = signs.first_wrong(&c, 3..5).unwrap();
            assert_eq!((found.row, found.col, found.expected), (3, 2, expected));
            assert_eq!(found.got.to_bits(), f64::from(wrong).to_bits());
        }
        let other = Matrix::<f32>::zeros(Shape::new(4, 5)).unwrap();
        assert_eq!(signs.compare(&other), Comparison::WRONG);
    }

    #[test]
    fn floats_are_exact_up_to_their_digits_and_integers_always() {
        assert!(Signs::are_exact::<f32>(1 << 24) && !Signs::are_exact::<f32>((1 << 24) + 1));
        assert!(Signs::are_exact::<i16>(1 << 30));
    }
}
