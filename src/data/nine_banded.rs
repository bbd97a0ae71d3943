//! A square matrix with nine diagonals, checked when it is made.

pub(super) mod band;
pub(crate) mod constant;
pub(crate) mod diffusion;
mod entries;
pub(super) mod float;
mod offsets;
mod part;
pub(super) mod random;

use std::alloc::{Layout, handle_alloc_error};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use bytemuck::Zeroable;

use super::{Band, Error, Float, Result};
use crate::memory;
use band::{MAX_UNKNOWNS, MIN_WIDTH};
use constant::Constant;
use diffusion::Diffusion;

#[cfg(feature = "files")]
pub(crate) use offsets::Offsets;

/// A square `n` by `n` matrix that is zero outside nine diagonals, at the offsets 0, +-1 and
/// +-m-1, +-m, +-m+1: see [`Band`].
///
/// `n` need not be a multiple of `m`. Every entry is finite, and the entries of a band that would
/// lie outside the matrix are 0; both are checked by [`NineBanded::new`], so that a reader need
/// not. Clones share the entries, which never change.
///
/// Devices compute with entries of type `f32`. A matrix of `f64` has the entries of a file as they
/// were read; see [`rounded`](NineBanded::rounded).
///
/// A matrix has its coefficients in one of several [forms](NineBanded::form). Of a constant one, as
/// most [stencils](super::Stencil) make, nine numbers are stored at any size, and what computes with
/// it, on a device or on the host, needs no more. [`band`](NineBanded::band) makes stored numbers of
/// them when it is first called.
///
/// ```
/// use quadrille::data::{Band, NineBanded};
///
/// let bands = Band::ALL.map(|band| vec![if band == Band::DD { 2.0 } else { 0.0 }; 5]);
/// let matrix = NineBanded::new(3, bands)?;
/// assert_eq!(matrix.entry(4, 4), 2.0);
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone)]
pub struct NineBanded<T = f32> {
    n: usize,
    m: usize,
    entries: Arc<Entries<T>>,
}

/// The form in which a [`NineBanded`] matrix has its coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// The same couplings at every point of a rectangle, and nothing else; the diagonal may differ
    /// along the sides.
    Constant,
    /// Diffusion by a coefficient at each point of a grid, which is all that is kept.
    Field,
    /// A number for each row and each band.
    Stored,
}

impl Form {
    /// Returns the name: `constant`, `field` or `stored`.
    pub fn name(self) -> &'static str {
        match self {
            Form::Constant => "constant",
            Form::Field => "field",
            Form::Stored => "stored",
        }
    }
}

struct Entries<T> {
    kept: Kept<T>,
    /// The bands; of another form when they are first asked for.
    stored: OnceLock<[Vec<T>; 9]>,
}

/// What the bands follow from, if they are not stored from the beginning.
enum Kept<T> {
    Constant(Constant<T>),
    Field(Diffusion),
    Nothing,
}

impl<T> Entries<T> {
    fn stored(bands: [Vec<T>; 9]) -> Arc<Entries<T>> {
        Arc::new(Entries { kept: Kept::Nothing, stored: OnceLock::from(bands) })
    }
}

impl<T: Float> NineBanded<T> {
    /// Creates a matrix of nine bands in the order of [`Band::ALL`], each as long as the matrix has
    /// rows: element `i` of a band is the entry in row `i`, column `i + offset`.
    ///
    /// # Errors
    /// A band has another length, the width is below [`MIN_WIDTH`](super::MIN_WIDTH), or a number
    /// is not finite or lies outside of the matrix.
    pub fn new(m: usize, bands: [Vec<T>; 9]) -> Result<Self> {
        let n = bands[0].len();
        check_sizes(n, m)?;
        for (band, entries) in Band::ALL.into_iter().zip(&bands) {
            if entries.len() != n {
                return Err(Error::BandLength { band, expected: n, got: entries.len() });
            }
            check_entries(band, n, m, entries)?;
        }
        Ok(NineBanded { n, m, entries: Entries::stored(bands) })
    }

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
    /// The width is below [`MIN_WIDTH`](super::MIN_WIDTH), there are too many points or none, or a
    /// number is not finite.
    pub fn constant_on(width: usize, height: usize, couplings: [T; 9]) -> Result<NineBanded<T>> {
        check_sizes(width.saturating_mul(height), width)?;
        for band in Band::ALL {
            let value: f64 = couplings[band.index()].into();
            if !value.is_finite() {
                return Err(Error::NotFinite { band, row: 0, value });
            }
        }
        let whole = super::Block { columns: 0..width, rows: 0..height };
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
        let (n, m) = (field.coefficients().len(), field.points().0);
        let entries = Entries { kept: Kept::Field(field), stored: OnceLock::new() };
        NineBanded { n, m, entries: Arc::new(entries) }
    }

    /// Returns the form in which the matrix has its coefficients.
    pub fn form(&self) -> Form {
        match self.entries.kept {
            Kept::Constant(_) => Form::Constant,
            Kept::Field(_) => Form::Field,
            Kept::Nothing => Form::Stored,
        }
    }

    /// Returns the constant form, of a matrix that has it.
    pub(crate) fn constant(&self) -> Option<&Constant<T>> {
        match &self.entries.kept {
            Kept::Constant(constant) => Some(constant),
            Kept::Field(_) | Kept::Nothing => None,
        }
    }

    /// Returns the coefficients, of diffusion that is kept by these.
    pub(crate) fn field(&self) -> Option<&Diffusion> {
        match &self.entries.kept {
            Kept::Field(field) => Some(field),
            Kept::Constant(_) | Kept::Nothing => None,
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
            Form::Constant | Form::Field => self.clone(),
        }
    }

    /// Returns the matrix with stored numbers.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub fn stored(&self) -> Result<NineBanded<T>> {
        Ok(match self.made_bands()? {
            None => self.clone(),
            Some(bands) => NineBanded { n: self.n, m: self.m, entries: Entries::stored(bands) },
        })
    }

    /// Returns the number of rows and of columns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Returns the distance of the outer bands: the width of the grid where the matrix comes from
    /// one.
    pub fn m(&self) -> usize {
        self.m
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
        if self.form() == Form::Stored {
            return Ok(None);
        }
        memory::must_have(self.n.saturating_mul(9 * size_of::<T>()))?;
        let mut bands: [Vec<T>; 9] = Default::default();
        for band in Band::ALL {
            bands[band.index()] = self.made_band(band)?;
        }
        Ok(Some(bands))
    }

    /// Makes a band of a matrix that does not store them, or copies it.
    fn made_band(&self, band: Band) -> Result<Vec<T>, memory::NoMemory> {
        match &self.entries.kept {
            Kept::Constant(constant) => constant.stored(band),
            Kept::Field(field) => field.stored(band),
            Kept::Nothing => memory::copied(self.band(band)),
        }
    }

    fn bands(&self) -> &[Vec<T>; 9] {
        self.entries.stored.get_or_init(|| match self.made_bands() {
            Ok(Some(bands)) => bands,
            // Stored bands are there from the beginning.
            Ok(None) | Err(_) => handle_alloc_error(Layout::new::<[Vec<T>; 9]>()),
        })
    }

    /// Returns the diagonal.
    pub(crate) fn diagonal_numbers(&self) -> Result<Cow<'_, [T]>, memory::NoMemory> {
        Ok(match self.form() {
            Form::Stored => Cow::Borrowed(self.band(Band::DD)),
            Form::Constant | Form::Field => Cow::Owned(self.made_band(Band::DD)?),
        })
    }

    /// Returns the first row whose number on the diagonal is as asked, and that number.
    pub(crate) fn first_on_diagonal(&self, is: impl Fn(T) -> bool) -> Option<(usize, T)> {
        match &self.entries.kept {
            Kept::Constant(constant) => constant.first_on_diagonal(is),
            Kept::Field(field) => {
                let mut found = None;
                field.each_segment(0..self.n, |rows, numbers| {
                    found = found.or_else(|| {
                        rows.zip(numbers[0].iter().copied()).find(|(_, entry)| is(*entry))
                    });
                });
                found
            }
            Kept::Nothing => {
                self.band(Band::DD).iter().copied().enumerate().find(|(_, entry)| is(*entry))
            }
        }
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
            Kept::Nothing => self.band(band)[row],
        }
    }

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
            Kept::Nothing => {
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

    /// Returns the first row whose diagonal entry is zero: Jacobi divides by it.
    pub fn first_zero_diagonal(&self) -> Option<usize> {
        self.first_on_diagonal(|entry| entry == T::default()).map(|(row, _)| row)
    }

    /// Returns the first row whose diagonal is smaller than its other entries together, in absolute
    /// value.
    ///
    /// `None` means weak row dominance. If there is such a row, Jacobi may still converge, but that
    /// is not guaranteed.
    pub fn first_not_dominant_row(&self) -> Option<usize> {
        (0..self.n).find(|&row| self.diagonal(row) < self.off_diagonal_sum(row))
    }

    /// Returns whether every diagonal entry exceeds the others of its row together, in absolute
    /// value: then Jacobi converges from any start.
    pub fn is_strictly_dominant(&self) -> bool {
        (0..self.n).all(|row| self.diagonal(row) > self.off_diagonal_sum(row))
    }

    fn diagonal(&self, row: usize) -> f64 {
        self.double(Band::DD, row).abs()
    }

    fn off_diagonal_sum(&self, row: usize) -> f64 {
        Band::ALL[1..].iter().map(|&band| self.double(band, row).abs()).sum()
    }

    fn double(&self, band: Band, row: usize) -> f64 {
        self.band(band)[row].into()
    }

    /// Returns the first entry above the diagonal, row by row, that differs from its mirror image:
    /// its row and its column. `None` means that the matrix is symmetric.
    pub fn first_asymmetric_entry(&self) -> Option<(usize, usize)> {
        let pairs = [
            (Band::DU, Band::DL),
            (Band::UL, Band::LU),
            (Band::UD, Band::LD),
            (Band::UU, Band::LL),
        ]
        .map(|(above, below)| (above.offset(self.m).unsigned_abs(), above, below));
        let differs = |row: usize| {
            pairs.iter().find_map(|&(offset, above, below)| {
                let (here, there) = (row, row + offset);
                let differs =
                    there < self.n && self.number(above, here) != self.number(below, there);
                differs.then_some((here, there))
            })
        };
        match &self.entries.kept {
            Kept::Nothing => (0..self.n).find_map(differs),
            // A mean is the same seen from both points.
            Kept::Field(_) => None,
            Kept::Constant(constant) => {
                let points = constant.representatives().into_iter().flatten();
                let rows = points.map(|(x, y)| y * self.m + x);
                rows.filter_map(differs).min()
            }
        }
    }

    /// Returns whether an unknown at an end of a row of the grid is coupled to one at the other end
    /// of a row.
    pub(crate) fn couples_across_ends(&self) -> bool {
        if self.form() != Form::Stored {
            return false;
        }
        let ends =
            [(0, [Band::LL, Band::DL, Band::UL]), (self.m - 1, [Band::LU, Band::DU, Band::UU])];
        let any = |band: Band, first: usize| {
            self.band(band).iter().skip(first).step_by(self.m).any(|entry| *entry != T::zeroed())
        };
        ends.into_iter().any(|(first, bands)| bands.into_iter().any(|band| any(band, first)))
    }

    /// Returns the columns of a row that are on a band, ascending.
    #[cfg(feature = "files")]
    pub(crate) fn columns(&self, row: usize) -> impl Iterator<Item = usize> {
        let (n, m) = (self.n, self.m);
        let column =
            move |band: Band| row.checked_add_signed(band.offset(m)).filter(|&col| col < n);
        Band::ASCENDING.into_iter().filter_map(column)
    }

    /// Returns the matrix times a factor in single precision.
    pub(crate) fn scaled_to_single(&self, factor: f64) -> Result<NineBanded> {
        let single = self.converted(factor)?;
        if single.field().is_some_and(|field| (field.diagonal_bounds().1 as f32).is_finite()) {
            return Ok(single);
        }
        for band in Band::ALL {
            single.each_number(band, |row, number: f32| match number.is_finite() {
                true => Ok(()),
                false => Err(Error::NotFinite { band, row, value: number.into() }),
            })?;
        }
        Ok(single)
    }

    /// Returns the matrix times a factor, with entries of another type, each rounded to the nearest.
    fn converted<U: Float>(&self, factor: f64) -> Result<NineBanded<U>> {
        let convert = |entry: T| U::nearest(factor * entry.into());
        if let Some(constant) = self.constant() {
            return Ok(NineBanded::of_constant(constant.map(convert)));
        }
        if let Some(field) = self.field() {
            return Ok(NineBanded::of_diffusion(field.times(factor)));
        }
        let mut bands: [Vec<U>; 9] = Default::default();
        for (to, from) in bands.iter_mut().zip(self.bands()) {
            *to = memory::collected(self.n, from.iter().map(|entry| convert(*entry)))?;
        }
        Ok(NineBanded { n: self.n, m: self.m, entries: Entries::stored(bands) })
    }

    /// Calls with each run of rows in which a band has the same number, or with each row: with the
    /// row, and that number.
    fn each_number(&self, band: Band, mut call: impl FnMut(usize, T) -> Result<()>) -> Result<()> {
        if let Some(constant) = self.constant() {
            let mut done = Ok(());
            constant.each_run(band, 0..self.n, |rows, number| {
                if done.is_ok() {
                    done = call(rows.start, number);
                }
            });
            return done;
        }
        if let Some(field) = self.field() {
            let Some(at) = diffusion::BANDS.iter().position(|known| *known == band) else {
                return Ok(());
            };
            let mut done = Ok(());
            field.each_segment(0..self.n, |rows, numbers| {
                if done.is_ok() {
                    let mut numbers = rows.zip(numbers[at]);
                    done = numbers.try_for_each(|(row, number)| call(row, *number));
                }
            });
            return done;
        }
        self.band(band).iter().enumerate().try_for_each(|(row, number)| call(row, *number))
    }
}

impl<T: Float> PartialEq for NineBanded<T> {
    fn eq(&self, other: &NineBanded<T>) -> bool {
        // Other numbers may be those of couplings that no point has.
        let same_form = match (&self.entries.kept, &other.entries.kept) {
            (Kept::Constant(one), Kept::Constant(other)) => one == other,
            (Kept::Field(one), Kept::Field(other)) => one == other,
            _ => false,
        };
        same_form || (self.n, self.m) == (other.n, other.m) && self.bands() == other.bands()
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
    /// [`Error::NoMemory`].
    pub fn widened(&self) -> Result<NineBanded<f64>> {
        self.converted(1.0)
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
    /// [`Error::Overflow`] for an entry that single precision does not hold,
    /// [`Error::SmallDiagonal`] if a nonzero entry of the diagonal becomes zero or subnormal, which
    /// devices take for zero, and [`Error::NoMemory`].
    pub fn rounded(&self) -> Result<(NineBanded<f32>, bool)> {
        let mut exact = true;
        for band in Band::ALL {
            self.each_number(band, |row, double| {
                let single = double as f32;
                exact &= f64::from(single) == double;
                check_rounded(band, row, double, single)
            })?;
        }
        Ok((self.converted(1.0)?, exact))
    }
}

fn check_rounded(band: Band, row: usize, double: f64, single: f32) -> Result<()> {
    if !single.is_finite() {
        return Err(Error::Overflow { band, row, value: double });
    }
    if band == Band::DD && double != 0.0 && !single.is_normal() {
        return Err(Error::SmallDiagonal { row, value: double });
    }
    Ok(())
}

impl<T> fmt::Debug for NineBanded<T> {
    /// Returns the sizes alone: the entries may be millions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NineBanded").field("n", &self.n).field("m", &self.m).finish_non_exhaustive()
    }
}

/// Refuses sizes that no matrix can have, before anything is allocated for them.
pub(crate) fn check_sizes(n: usize, m: usize) -> Result<()> {
    if m < MIN_WIDTH {
        return Err(Error::WidthTooSmall { m });
    }
    if m > MAX_UNKNOWNS {
        return Err(Error::TooLarge { what: "the width m", got: m });
    }
    if n > MAX_UNKNOWNS {
        return Err(Error::TooLarge { what: "the number of unknowns", got: n });
    }
    if n == 0 { Err(Error::Empty) } else { Ok(()) }
}

/// Returns zeros, or an error where the host has no memory for them.
pub(crate) fn zeros<T: Zeroable>(count: usize) -> Result<Vec<T>> {
    Ok(memory::zeroed(count)?)
}

fn check_entries<T: Float>(band: Band, n: usize, m: usize, entries: &[T]) -> Result<()> {
    if let Some(row) = entries.iter().position(|&entry| !entry.into().is_finite()) {
        return Err(Error::NotFinite { band, row, value: entries[row].into() });
    }
    let inside = band.rows(n, m);
    let outside = (0..inside.start).chain(inside.end..n).find(|&row| entries[row] != T::default());
    match outside {
        None => Ok(()),
        Some(row) => {
            let column = row as isize + band.offset(m);
            Err(Error::Outside { band, row, column, last: n - 1, value: entries[row].into() })
        }
    }
}
