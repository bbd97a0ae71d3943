//! The forms in which a matrix has its coefficients, and the numbers of its bands in each.

use crate::data::error::BandError;
use std::alloc::{Layout, handle_alloc_error};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::constant::Constant;
use super::diffusion::Diffusion;
use super::{Entries, Form, Kept, NineBanded, bands_by, check_sizes};
use crate::data::{Band, Block, Float, Result};
use crate::memory::{self, host_threads};

impl<T: Float> NineBanded<T> {
    /// Makes the matrix of nine couplings, in the order of [`Band::ALL`], that are the same at every
    /// point of a grid, with zeros around it: couplings to points outside are left out. It stores
    /// nothing else.
    ///
    /// ```
    /// use quadrille::data::{Form, NineBanded};
    ///
    /// let matrix = NineBanded::constant_on(5, 4, [4.0, -1.0, -1.0, -1.0, 0.0, 0.0, -1.0, 0.0, 0.0])?;
    /// assert_eq!((matrix.n(), matrix.m(), matrix.form()), (20, 5, Form::Constant));
    /// assert_eq!((matrix.entry(4, 4), matrix.entry(4, 9), matrix.entry(4, 5)), (4.0, -1.0, 0.0));
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// The width is below [`MIN_WIDTH`](crate::data::MIN_WIDTH), there are too many points or none, or a
    /// number is not finite.
    pub fn constant_on(width: usize, height: usize, couplings: [T; 9]) -> Result<NineBanded<T>> {
        check_sizes(width.saturating_mul(height), width)?;
        for band in Band::ALL {
            let value: f64 = couplings[band.index()].into();
            if !value.is_finite() {
                return Err(BandError::NotFinite { band, row: 0, value }.into());
            }
        }
        let whole = Block { columns: 0..width, rows: 0..height };
        let middle = couplings[Band::DD.index()];
        Ok(NineBanded::of_constant(Constant::new(&whole, couplings, |_, _| middle)))
    }

    /// Makes a matrix of its constant form, whose numbers are finite.
    pub(crate) fn of_constant(constant: Constant<T>) -> NineBanded<T> {
        let entries = Entries { kept: Kept::Constant(constant), stored: OnceLock::new() };
        NineBanded { n: constant.n(), m: constant.points().0, entries: Arc::new(entries) }
    }

    /// Makes the matrix of diffusion by coefficients that are positive.
    pub(crate) fn of_diffusion(field: Diffusion) -> NineBanded<T> {
        let (n, m) = (field.n(), field.points().0);
        let entries = Entries { kept: Kept::Field(field), stored: OnceLock::new() };
        NineBanded { n, m, entries: Arc::new(entries) }
    }

    /// Returns the form in which the matrix has its coefficients.
    pub fn form(&self) -> Form {
        match self.entries.kept {
            Kept::Constant(_) => Form::Constant,
            Kept::Field(_) => Form::Field,
            Kept::Rounded(_) | Kept::Nothing => Form::Stored,
        }
    }

    /// Returns the constant form, of a matrix that has it.
    pub(crate) fn constant(&self) -> Option<&Constant<T>> {
        match &self.entries.kept {
            Kept::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// Returns the coefficients, of diffusion that is kept by these.
    pub(crate) fn field(&self) -> Option<&Diffusion> {
        match &self.entries.kept {
            Kept::Field(field) => Some(field),
            _ => None,
        }
    }

    /// Returns the matrix in the first form that fits its numbers.
    ///
    /// ```
    /// use quadrille::data::{Form, Stencil};
    ///
    /// let stored = "fe9:30".parse::<Stencil>()?.matrix()?.stored()?;
    /// assert_eq!((stored.form(), stored.in_least_form().form()), (Form::Stored, Form::Constant));
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    #[must_use]
    pub fn in_least_form(&self) -> NineBanded<T> {
        match self.form() {
            Form::Stored => Constant::of(self.bands(), self.m)
                .map_or_else(|| self.clone(), NineBanded::of_constant),
            Form::Field => self
                .field()
                .and_then(Constant::of_field)
                .map_or_else(|| self.clone(), NineBanded::of_constant),
            Form::Constant => self.clone(),
        }
    }

    /// Returns the matrix with stored numbers.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn stored(&self) -> Result<NineBanded<T>> {
        Ok(match self.made_bands()? {
            None => self.clone(),
            Some(bands) => NineBanded { n: self.n, m: self.m, entries: Entries::stored(bands) },
        })
    }

    /// Returns the entries of a band, one for each row. Of a matrix in another [form](Self::form) than
    /// the stored one the first call stores all nine, and the process ends if there is no memory for
    /// them; [`stored`](Self::stored) is for those who want an error.
    pub fn band(&self, band: Band) -> &[T] {
        &self.bands()[band.index()]
    }

    /// Stores the bands, so that [`band`](Self::band) needs no memory.
    pub(crate) fn store(&self) -> Result<(), memory::NoMemory> {
        if self.entries.stored.get().is_none()
            && let Some(bands) = self.made_bands()?
        {
            // Another thread may have been faster, with the same numbers.
            let _ = self.entries.stored.set(bands);
        }
        Ok(())
    }

    /// Makes the bands, unless they are stored from the beginning.
    fn made_bands(&self) -> Result<Option<[Vec<T>; 9]>, memory::NoMemory> {
        if matches!(self.entries.kept, Kept::Nothing) {
            return Ok(None);
        }
        memory::must_have(self.n.saturating_mul(9 * size_of::<T>()))?;
        bands_by(|band| self.made_band(band)).map(Some)
    }

    /// Makes a band of a matrix that does not store them, or copies it.
    fn made_band(&self, band: Band) -> Result<Vec<T>, memory::NoMemory> {
        let mut numbers = memory::zeroed(self.n)?;
        host_threads::fill(&mut numbers, 1, |first, numbers| {
            self.fill(band, first..first + numbers.len(), numbers);
        });
        Ok(numbers)
    }

    /// Fills the numbers of a band in some rows: of a matrix in any form, without storing them.
    pub(crate) fn fill(&self, band: Band, rows: Range<usize>, to: &mut [T]) {
        match &self.entries.kept {
            Kept::Constant(constant) => constant.fill(band, rows, to),
            Kept::Field(field) => field.fill_band(band, rows, to),
            Kept::Rounded(rounded) => rounded.fill(band, rows, to),
            Kept::Nothing => to.copy_from_slice(&self.band(band)[rows]),
        }
    }

    pub(super) fn bands(&self) -> &[Vec<T>; 9] {
        self.entries.stored.get_or_init(|| match self.made_bands() {
            Ok(Some(bands)) => bands,
            // Stored bands are there from the beginning.
            Ok(None) | Err(_) => handle_alloc_error(Layout::new::<[Vec<T>; 9]>()),
        })
    }

    /// Returns the diagonal.
    pub(crate) fn diagonal_numbers(&self) -> Result<Cow<'_, [T]>, memory::NoMemory> {
        Ok(match self.entries.kept {
            Kept::Nothing => Cow::Borrowed(self.band(Band::DD)),
            _ => Cow::Owned(self.made_band(Band::DD)?),
        })
    }

    /// Returns the entry at a row and a column, both from 0: zero off the bands and outside the
    /// matrix.
    pub fn entry(&self, row: usize, col: usize) -> T {
        if row >= self.n || col >= self.n {
            return T::default();
        }
        Band::at_offset(col as isize - row as isize, self.m)
            .map_or(T::default(), |band| self.number(band, row))
    }

    /// Returns the number of a band in a row.
    pub(crate) fn number(&self, band: Band, row: usize) -> T {
        match &self.entries.kept {
            Kept::Constant(constant) => constant.entry(band, row % self.m, row / self.m),
            Kept::Field(field) => field.number(band, row),
            Kept::Rounded(rounded) => rounded.number(band, row),
            Kept::Nothing => self.band(band)[row],
        }
    }
}
