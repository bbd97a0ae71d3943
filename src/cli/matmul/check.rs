//! Comparing a product with double precision.

use std::path::Path;

use crate::data::Matrix;
use crate::linalg::matmul::Element;
use crate::observer::{Control, Progress};
use crate::reference::Comparison;
use crate::reference::matmul::expected_rows;

use super::super::failure::Failure;
use super::super::interrupt;
use super::super::progress::Turns;

/// What a comparison found.
pub(super) struct Checked {
    pub(super) comparison: Comparison,
}

/// Rows that are compared at once: the twin keeps them in double precision.
const ROWS: usize = 64;

/// Compares every element. The twin takes a core some time, so it shows how far it is.
pub(super) fn whole<T: Element>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    c: &Matrix<T>,
) -> Result<Checked, Failure> {
    let bar = Turns::new("check");
    let rows: Vec<usize> = (0..a.shape().rows).collect();
    let mut comparison = Comparison { max_error: 0.0, of_bound: 0.0 };
    for (done, rows_now) in rows.chunks(ROWS).enumerate() {
        let progress = Progress {
            done: (done * ROWS) as u64,
            expected: Some(rows.len() as u64),
            residual: None,
        };
        if bar.show(&progress) == Control::Stop {
            return Err(interrupt::stopped(" while checking; nothing was written"));
        }
        comparison = comparison.worse(expected_rows(a, b, rows_now).compare(c));
    }
    Ok(Checked { comparison })
}

impl Checked {
    pub(super) fn is_right(&self) -> bool {
        self.comparison.is_right()
    }

    /// Ends the command.
    pub(super) fn judge(&self, output: Option<&Path>) -> anyhow::Result<()> {
        if self.is_right() {
            return Ok(());
        }
        let Comparison { max_error, of_bound } = self.comparison;
        let kept =
            output.map_or(String::new(), |path| format!("; {} is not written", path.display()));
        let text = format!(
            "the product is wrong: off by up to {max_error:.1e}, {of_bound:.1e} times what rounding \
             explains{kept}"
        );
        Err(Failure::Work { text }.into())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::cli::failure::exit_code;
    use crate::reference::matmul::multiply;

    #[test]
    fn one_wrong_element_in_any_row_is_a_failure() {
        let a = Matrix::<f32>::random(Shape::new(130, 9), 1).unwrap();
        let b = Matrix::<f32>::random(Shape::new(9, 7), 2).unwrap();
        let mut c = Matrix::zeros(Shape::new(130, 7)).unwrap();
        multiply(&a, &b, &mut c);
        assert!(whole(&a, &b, &c).unwrap().judge(None).is_ok());
        for element in [0, 64 * 7 + 3, 130 * 7 - 1] {
            let mut wrong = c.clone();
            wrong.elements_mut()[element] += 0.01;
            let checked = whole(&a, &b, &wrong).unwrap();
            let error = checked.judge(Some(Path::new("c.npy"))).unwrap_err();
            assert_eq!(exit_code(&error), 1);
            assert!(error.to_string().contains("c.npy is not written"));
        }
    }
}
