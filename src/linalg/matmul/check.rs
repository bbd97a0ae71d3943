//! Checks a product: it is compared with double precision, and the same plan multiplies matrices of
//! -1 and 1, whose product is exact.

use super::{Element, Error, Multiplier, Result};
use crate::data::Matrix;
use crate::reference::matmul::expected_rows;
use crate::reference::signs::Signs;
use crate::reference::{Comparison, Wrong};
use crate::stream::observer::{Control, Progress};
use crate::{NoMemory, Shape};

/// The findings of two comparisons: of a product with double precision, and of the product of
/// matrices of -1 and 1 by the same plan with the exact one.
#[derive(Debug)]
pub struct Checked {
    /// The largest error, and its part of the bound of rounding.
    pub comparison: Comparison,
    rounded: Option<Wrong>,
    exact: Option<Wrong>,
}

/// Rows that are compared at once: the twin keeps them in double precision.
const ROWS: usize = 64;
/// Another seed than those of random matrices in tests and benches.
const SEED: u64 = 0x5167;

/// Gets the progress of a comparison, `check` or `exact`, and may stop it.
pub type Observe<'a> = &'a mut dyn FnMut(&'static str, &Progress) -> Control;

impl Checked {
    /// Refuses, before any work, a product that the checks do not support.
    ///
    /// # Errors
    /// [`Error::TooLongToCheck`] if the sums of floats have more than 2^24 terms.
    pub fn must_be_possible<T: Element>(a: Shape) -> Result<()> {
        match Signs::are_exact::<T>(a.cols) {
            true => Ok(()),
            false => Err(Error::TooLongToCheck { terms: a.cols }),
        }
    }

    /// Compares every element of a product with double precision, and multiplies matrices of -1 and
    /// 1 by the same plan, whose product must be exact; `None` if the observer stopped it.
    ///
    /// The multiplier then has these matrices loaded.
    ///
    /// # Errors
    /// Errors of the device, and [`Error::Data`] without memory.
    pub fn of<T: Element>(
        a: &Matrix<T>,
        b: &Matrix<T>,
        c: &Matrix<T>,
        product: &mut Multiplier<T>,
        observe: Observe<'_>,
    ) -> Result<Option<Checked>> {
        let Some((comparison, rounded)) = of_rounding(a, b, c, observe)? else { return Ok(None) };
        let signs = Signs::new(a.shape(), b.shape(), SEED)?;
        product.load(&signs.a()?, &signs.b()?)?;
        product.run()?;
        let exact = of_signs(&signs, &product.read()?, observe)?;
        Ok(exact.map(|exact| Checked { comparison, rounded, exact }))
    }

    /// Returns whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        self.comparison.is_right() && self.is_exact()
    }

    /// Returns whether the product of matrices of -1 and 1 was exact.
    pub fn is_exact(&self) -> bool {
        self.exact.is_none()
    }

    /// Returns a sentence about what is wrong, if anything is.
    pub fn complaint(&self) -> Option<String> {
        if self.is_right() {
            return None;
        }
        let Comparison { max_error, of_bound } = self.comparison;
        let place = |wrong: &Option<Wrong>| wrong.map(|wrong| format!(": {wrong}"));
        Some(match self.comparison.is_right() {
            false => format!(
                "the product is wrong: its largest error is {max_error:.1e}, {of_bound:.1e} times the bound of \
                 rounding{}",
                place(&self.rounded).unwrap_or_default()
            ),
            true => format!(
                "the method is wrong at this size: with the same plan, the product of matrices of -1 and 1 \
                 is not exact{}. Rounding could explain the error of your product",
                place(&self.exact).unwrap_or_default()
            ),
        })
    }
}

/// Compares with double precision, which takes a core some time, so it shows how far it is.
fn of_rounding<T: Element>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    c: &Matrix<T>,
    observe: Observe<'_>,
) -> Result<Option<(Comparison, Option<Wrong>)>, NoMemory> {
    let mut found = (Comparison::RIGHT, None);
    let done = by_rows("check", c.shape().rows, observe, |rows| {
        let expected = expected_rows(a, b, &rows.collect::<Vec<_>>())?;
        found.0 = found.0.worse(expected.compare(c));
        if found.1.is_none() && !found.0.is_right() {
            found.1 = expected.first_wrong(c);
        }
        Ok(())
    })?;
    Ok(done.then_some(found))
}

fn of_signs<T: Element>(
    signs: &Signs,
    c: &Matrix<T>,
    observe: Observe<'_>,
) -> Result<Option<Option<Wrong>>, NoMemory> {
    let mut found = None;
    let done = by_rows("exact", c.shape().rows, observe, |rows| {
        found = found.or_else(|| signs.first_wrong(c, rows));
        Ok(())
    })?;
    Ok(done.then_some(found))
}

/// Some rows at a time, and whether all were done.
fn by_rows(
    what: &'static str,
    count: usize,
    observe: Observe<'_>,
    mut check: impl FnMut(std::ops::Range<usize>) -> Result<(), NoMemory>,
) -> Result<bool, NoMemory> {
    for start in (0..count).step_by(ROWS) {
        let progress = Progress::new(start as u64, Some(count as u64));
        if observe(what, &progress) == Control::Stop {
            return Ok(false);
        }
        check(start..(start + ROWS).min(count))?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::host::matmul::multiply;

    fn go_on(_: &'static str, _: &Progress) -> Control {
        Control::Continue
    }

    /// Compares a product that a method made with the expected one.
    fn judged(
        a: &Matrix<f32>,
        b: &Matrix<f32>,
        method: impl Fn(&Matrix<f32>, &Matrix<f32>) -> Matrix<f32>,
    ) -> Option<String> {
        let (comparison, rounded) = of_rounding(a, b, &method(a, b), &mut go_on).unwrap().unwrap();
        let signs = Signs::new(a.shape(), b.shape(), SEED).unwrap();
        let product = method(&signs.a().unwrap(), &signs.b().unwrap());
        let exact = of_signs(&signs, &product, &mut go_on).unwrap().unwrap();
        Checked { comparison, rounded, exact }.complaint()
    }

    fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        let mut c = Matrix::zeros(Shape::new(a.shape().rows, b.shape().cols)).unwrap();
        multiply(a, b, &mut c);
        c
    }

    #[test]
    fn one_wrong_element_in_any_row_is_a_failure() {
        let a = Matrix::<f32>::random(Shape::new(130, 9), 1).unwrap();
        let b = Matrix::<f32>::random(Shape::new(9, 7), 2).unwrap();
        assert_eq!(judged(&a, &b, product), None);
        for (row, col) in [(0, 0), (64, 3), (129, 6)] {
            let text = judged(&a, &b, |a, b| {
                let mut c = product(a, b);
                c.elements_mut()[row * 7 + col] += 0.01;
                c
            });
            let text = text.unwrap();
            assert!(text.contains(&format!("row {row}, column {col} (from 0)")), "{text}");
        }
    }

    /// Ends the loop after some steps, as a device with a loop budget does.
    #[test]
    fn a_sum_that_ends_early_is_a_failure_even_where_rounding_could_explain_it() {
        let a = Matrix::<f32>::random(Shape::new(2, 300_000), 1).unwrap();
        let b = Matrix::from_fn(Shape::new(300_000, 2), |k, _| [1.0, -1.0][k % 2]).unwrap();
        let text = judged(&a, &b, |a, b| {
            let cut = Matrix::from_fn(a.shape(), |row, k| match k < 65_535 {
                true => a.at(row, k).unwrap(),
                false => 0.0,
            });
            product(&cut.unwrap(), b)
        });
        let text = text.unwrap();
        for words in ["-1 and 1", "row 0, column 0 (from 0) should be 300000 and is 65535"] {
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn longer_sums_than_floats_count_are_refused() {
        let long = Shape::new(1, (1 << 24) + 1);
        assert!(Checked::must_be_possible::<f32>(long).is_err());
        assert!(Checked::must_be_possible::<i32>(long).is_ok());
    }

    #[test]
    fn a_check_is_stopped_between_rows() {
        let a = Matrix::<f32>::random(Shape::new(130, 9), 1).unwrap();
        let mut looks = 0;
        let mut observe = |_: &'static str, _: &Progress| {
            looks += 1;
            if looks == 2 { Control::Stop } else { Control::Continue }
        };
        let b = Matrix::<f32>::random(Shape::new(9, 7), 2).unwrap();
        assert!(of_rounding(&a, &b, &product(&a, &b), &mut observe).unwrap().is_none());
        assert_eq!(looks, 2);
    }
}
