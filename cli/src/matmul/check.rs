//! Whether a product is right: it is compared with double precision, and the same plan multiplies
//! matrices of -1 and 1, whose product is exact.

use quadrille::data::Matrix;
use quadrille::internal::reference::matmul::expected_rows;
use quadrille::internal::reference::signs::Signs;
use quadrille::internal::reference::{Comparison, Wrong};
use quadrille::linalg::matmul::{Element, Multiplier};
use quadrille::observer::{Control, Progress};
use quadrille::{NoMemory, Shape};

use super::super::prelude::*;
use super::super::progress::Turns;

pub(super) struct Checked {
    pub(super) comparison: Comparison,
    rounded: Option<Wrong>,
    exact: Option<Wrong>,
}

/// Rows that are compared at once: the twin keeps them in double precision.
const ROWS: usize = 64;
/// Another seed than those of random matrices in tests and benches.
const SEED: u64 = 0x5167;

/// Refuses, before any work, a product that the checks do not support.
pub(super) fn must_be_possible<T: Element>(a: Shape) -> Result<(), Failure> {
    if Signs::are_exact::<T>(a.cols) {
        return Ok(());
    }
    let text = format!(
        "--check supports sums of up to 2^24 floats, but these have {} terms; multiply in parts, or omit \
         --check",
        a.cols
    );
    Err(Failure::Input { text })
}

/// Compares every element of the user's product, and every element of the exact one.
pub(super) fn whole<T: Element>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    c: &Matrix<T>,
    product: &mut Multiplier<T>,
) -> anyhow::Result<Checked> {
    let (comparison, rounded) = of_rounding(a, b, c)?;
    let signs = Signs::new(a.shape(), b.shape(), SEED)?;
    product.load(&signs.a()?, &signs.b()?)?;
    product.run()?;
    let exact = of_signs(&signs, &product.read()?)?;
    Ok(Checked { comparison, rounded, exact })
}

/// Compares with double precision, which takes a core some time, so it shows how far it is.
fn of_rounding<T: Element>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    c: &Matrix<T>,
) -> anyhow::Result<(Comparison, Option<Wrong>)> {
    let mut found = (Comparison::RIGHT, None);
    by_rows("check", c.shape().rows, |rows| {
        let expected = expected_rows(a, b, &rows.collect::<Vec<_>>())?;
        found.0 = found.0.worse(expected.compare(c));
        if found.1.is_none() && !found.0.is_right() {
            found.1 = expected.first_wrong(c);
        }
        Ok(())
    })?;
    Ok(found)
}

fn of_signs<T: Element>(signs: &Signs, c: &Matrix<T>) -> anyhow::Result<Option<Wrong>> {
    let mut found = None;
    by_rows("exact", c.shape().rows, |rows| {
        found = found.or_else(|| signs.first_wrong(c, rows));
        Ok(())
    })?;
    Ok(found)
}

/// Some rows at a time, unless the user stops it.
fn by_rows(
    what: &'static str,
    count: usize,
    mut check: impl FnMut(std::ops::Range<usize>) -> Result<(), NoMemory>,
) -> anyhow::Result<()> {
    let bar = Turns::new(what);
    for start in (0..count).step_by(ROWS) {
        let progress =
            Progress { done: start as u64, expected: Some(count as u64), residual: None };
        if bar.show(&progress) == Control::Stop {
            return Err(interrupt::stopped(" while checking; nothing was written").into());
        }
        check(start..(start + ROWS).min(count))?;
    }
    Ok(())
}

impl Checked {
    pub(super) fn is_right(&self) -> bool {
        self.comparison.is_right() && self.is_exact()
    }

    /// Whether the product of -1 and 1 was exact.
    pub(super) fn is_exact(&self) -> bool {
        self.exact.is_none()
    }

    pub(super) fn judge(&self, output: Option<&Path>) -> anyhow::Result<()> {
        if self.is_right() {
            return Ok(());
        }
        let kept =
            output.map_or(String::new(), |path| format!("; {} is not written", path.display()));
        let Comparison { max_error, of_bound } = self.comparison;
        let place = |wrong: &Option<Wrong>| wrong.map(|wrong| format!(": {wrong}"));
        let what = match self.comparison.is_right() {
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
        };
        let text = format!("{what}{kept}. Try another --method, and run `quadrille doctor`");
        Err(Failure::Work { text }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::exit_code;
    use quadrille::internal::reference::matmul::multiply;

    /// What the command would say of a product that a method made.
    fn judged(
        a: &Matrix<f32>,
        b: &Matrix<f32>,
        method: impl Fn(&Matrix<f32>, &Matrix<f32>) -> Matrix<f32>,
    ) -> anyhow::Result<()> {
        let (comparison, rounded) = of_rounding(a, b, &method(a, b))?;
        let signs = Signs::new(a.shape(), b.shape(), SEED)?;
        let exact = of_signs(&signs, &method(&signs.a()?, &signs.b()?))?;
        Checked { comparison, rounded, exact }.judge(Some(Path::new("c.npy")))
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
        assert!(judged(&a, &b, product).is_ok());
        for (row, col) in [(0, 0), (64, 3), (129, 6)] {
            let error = judged(&a, &b, |a, b| {
                let mut c = product(a, b);
                c.elements_mut()[row * 7 + col] += 0.01;
                c
            });
            let error = error.unwrap_err();
            assert_eq!(exit_code(&error), 1);
            let text = error.to_string();
            assert!(text.contains("c.npy is not written"), "{text}");
            assert!(text.contains(&format!("row {row}, column {col} (from 0)")), "{text}");
        }
    }

    /// As a device does that ends loops after so many steps.
    #[test]
    fn a_sum_that_ends_early_is_a_failure_even_where_rounding_could_explain_it() {
        let a = Matrix::<f32>::random(Shape::new(2, 300_000), 1).unwrap();
        let b = Matrix::from_fn(Shape::new(300_000, 2), |k, _| [1.0, -1.0][k % 2]).unwrap();
        let error = judged(&a, &b, |a, b| {
            let cut = Matrix::from_fn(a.shape(), |row, k| match k < 65_535 {
                true => a.at(row, k).unwrap(),
                false => 0.0,
            });
            product(&cut.unwrap(), b)
        });
        let text = error.unwrap_err().to_string();
        for words in ["-1 and 1", "row 0, column 0 (from 0) should be 300000 and is 65535"] {
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn longer_sums_than_floats_count_are_refused() {
        let long = Shape::new(1, (1 << 24) + 1);
        assert_eq!(exit_code(&must_be_possible::<f32>(long).unwrap_err().into()), 2);
        assert!(must_be_possible::<i32>(long).is_ok());
    }
}
