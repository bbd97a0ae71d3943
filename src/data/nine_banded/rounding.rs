//! Matrices times a factor, and with numbers of another type.

use crate::data::error::BandError;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::rounded::{Numbers, Rounded};
use super::{Entries, Kept, NineBanded};
use crate::data::{Band, Float, Result};

impl<T: Float> Numbers for NineBanded<T> {
    fn doubles(&self, band: Band, rows: Range<usize>, to: &mut [f64]) {
        let numbers = self.band(band)[rows].iter();
        numbers.zip(to).for_each(|(number, to)| *to = (*number).into());
    }

    fn across_ends(&self) -> bool {
        self.couples_across_ends()
    }
}

impl<T: Float> NineBanded<T> {
    /// Returns the matrix times a factor, with entries of another type, each rounded to the nearest.
    pub(crate) fn converted<U: Float>(&self, factor: f64) -> NineBanded<U> {
        if let Some(constant) = self.constant() {
            let convert = |entry: T| U::nearest(factor * entry.into());
            return NineBanded::of_constant(constant.map(convert));
        }
        if let Some(field) = self.field() {
            return NineBanded::of_diffusion(field.times(factor));
        }
        let kept = Kept::Rounded(Rounded { matrix: Arc::new(self.clone()), factor });
        let entries = Arc::new(Entries { kept, stored: OnceLock::new() });
        NineBanded { n: self.n, m: self.m, entries }
    }

    /// Returns the matrix with entries of another type, in a form that is not made of this one's.
    fn of_type<U: Float>(&self) -> Result<NineBanded<U>> {
        let converted = self.converted(1.0);
        match converted.entries.kept {
            Kept::Rounded(_) => converted.stored(),
            _ => Ok(converted),
        }
    }

    /// Returns the first row in which a band has a number as asked, and that number.
    pub(crate) fn first_number(
        &self,
        band: Band,
        is: impl Fn(T) -> bool + Sync,
    ) -> Option<(usize, T)> {
        let Some(constant) = self.constant() else { return self.first_in(band, is) };
        let mut found = None;
        constant.each_run(band, 0..self.n, |rows, number| {
            found = found.or_else(|| is(number).then_some((rows.start, number)));
        });
        found
    }
}

impl NineBanded<f32> {
    /// Converts the matrix to double precision.
    ///
    /// ```
    /// use quadrille::data::Stencil;
    ///
    /// let matrix = "heat9:5".parse::<Stencil>()?.matrix()?.widened()?;
    /// assert_eq!(matrix.entry(1, 0), f64::from(-2.0_f32 / 3.0));
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn widened(&self) -> Result<NineBanded<f64>> {
        self.of_type()
    }
}

impl NineBanded<f64> {
    /// Returns the matrix in single precision, each entry rounded to the nearest, and whether that
    /// changed none of them.
    ///
    /// Entries off the diagonal may round to zero. Scale a matrix whose entries are far from 1
    /// first.
    ///
    /// # Errors
    /// [`BandError::Overflow`] for an entry that single precision does not hold,
    /// [`BandError::SmallDiagonal`] if a nonzero entry of the diagonal becomes zero or subnormal, which
    /// devices take for zero, and [`Error::NoMemory`](crate::data::Error).
    pub fn rounded(&self) -> Result<(NineBanded<f32>, bool)> {
        let mut exact = true;
        for band in Band::ALL {
            let is_bad = |double: f64| check_rounded(band, 0, double).is_err();
            if let Some((row, double)) = self.first_number(band, is_bad) {
                check_rounded(band, row, double)?;
            }
            let is_rounded = |double: f64| f64::from(double as f32) != double;
            exact &= self.first_number(band, is_rounded).is_none();
        }
        Ok((self.of_type()?, exact))
    }
}

fn check_rounded(band: Band, row: usize, double: f64) -> Result<()> {
    let single = double as f32;
    if !single.is_finite() {
        return Err(BandError::Overflow { band, row, value: double }.into());
    }
    if band == Band::DD && double != 0.0 && !single.is_normal() {
        return Err(BandError::SmallDiagonal { row, value: double }.into());
    }
    Ok(())
}
