//! Products with vectors of the host.

use super::{Kept, NineBanded};
use crate::data::{Band, Float};

impl<T: Float> NineBanded<T> {
    /// Returns the product A x in double precision. The process ends if there is no memory for it.
    ///
    /// # Panics
    /// If `x` has not `n` elements, as indexing a slice does.
    pub fn multiply_f64(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.n, "x must have one element for each column of the matrix");
        let mut y = vec![0.0; self.n];
        self.add_product(x, &mut y);
        y
    }

    /// Adds A x to y.
    ///
    /// # Panics
    /// Where `x` or `y` is shorter than the matrix has rows.
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        self.add_product_of_rows(1.0, x, 0, &mut y[..self.n]);
    }

    /// Adds `sign` A x to y in the rows from `first` on, one for each number of y, with the
    /// roundings of stored bands: of a matrix in any form.
    pub(crate) fn add_product_of_rows(&self, sign: f64, x: &[f64], first: usize, y: &mut [f64]) {
        match &self.entries.kept {
            Kept::Constant(constant) => constant.add_product(sign, x, first, y),
            Kept::Field(field) => field.add_product::<T>(sign, x, first, y),
            Kept::Rounded(_) | Kept::Nothing => {
                for band in Band::ALL {
                    let inside = band.rows(self.n, self.m);
                    let (from, to) = (inside.start.max(first), inside.end.min(first + y.len()));
                    if from >= to {
                        continue;
                    }
                    let column = from.wrapping_add_signed(band.offset(self.m));
                    let entries = &self.band(band)[from..to];
                    for ((y, a), x) in y[from - first..].iter_mut().zip(entries).zip(&x[column..]) {
                        *y += sign * (*a).into() * x;
                    }
                }
            }
        }
    }
}
