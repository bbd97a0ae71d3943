//! A square matrix with nine diagonals, checked when it is made.

pub(super) mod band;
mod entries;
pub(super) mod float;
mod offsets;
mod part;
pub(super) mod random;

use std::fmt;
use std::sync::Arc;

use bytemuck::Zeroable;

use super::{Band, Error, Float, Result};
use crate::memory;
use band::{MAX_UNKNOWNS, MIN_WIDTH};

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
/// ```
/// use quadrille::data::{Band, NineBanded};
///
/// let bands = Band::ALL.map(|band| vec![if band == Band::DD { 2.0 } else { 0.0 }; 5]);
/// let matrix = NineBanded::new(3, bands)?;
/// assert_eq!(matrix.entry(4, 4), 2.0);
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct NineBanded<T = f32> {
    n: usize,
    m: usize,
    bands: Arc<[Vec<T>; 9]>,
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
        Ok(NineBanded { n, m, bands: Arc::new(bands) })
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

    /// Returns the entries of a band, one for each row.
    pub fn band(&self, band: Band) -> &[T] {
        &self.bands[band.index()]
    }

    /// Returns the entry at a row and a column, both from 0: zero off the bands and outside the
    /// matrix.
    pub fn entry(&self, row: usize, col: usize) -> T {
        if row >= self.n || col >= self.n {
            return T::default();
        }
        Band::at_offset(col as isize - row as isize, self.m)
            .map_or(T::default(), |band| self.band(band)[row])
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
        for band in Band::ALL {
            for row in band.rows(self.n, self.m) {
                let col = row.wrapping_add_signed(band.offset(self.m));
                y[row] += self.band(band)[row].into() * x[col];
            }
        }
    }

    /// Returns the first row whose diagonal entry is zero: Jacobi divides by it.
    pub fn first_zero_diagonal(&self) -> Option<usize> {
        self.band(Band::DD).iter().position(|&entry| entry == T::default())
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
        .map(|(above, below)| {
            (above.offset(self.m).unsigned_abs(), self.band(above), self.band(below))
        });
        let differs = |row: usize| {
            pairs.iter().find_map(|&(offset, above, below)| {
                let mirrored = *below.get(row + offset)?;
                (mirrored != above[row]).then_some((row, row + offset))
            })
        };
        (0..self.n).find_map(differs)
    }

    /// Returns whether an unknown at an end of a row of the grid is coupled to one at the other end
    /// of a row.
    pub(crate) fn couples_across_ends(&self) -> bool {
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

    /// Returns the matrix with entries of another type, each rounded to the nearest.
    fn converted<U: Float>(&self) -> Result<[Vec<U>; 9]> {
        let mut bands: [Vec<U>; 9] = Default::default();
        for (to, from) in bands.iter_mut().zip(self.bands.iter()) {
            let entries = from.iter().map(|entry| U::nearest((*entry).into()));
            *to = memory::collected(self.n, entries)?;
        }
        Ok(bands)
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
        Ok(NineBanded { n: self.n, m: self.m, bands: Arc::new(self.converted()?) })
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
        let bands: [Vec<f32>; 9] = self.converted()?;
        let mut exact = true;
        for band in Band::ALL {
            for (row, (&double, &single)) in
                self.band(band).iter().zip(&bands[band.index()]).enumerate()
            {
                check_rounded(band, row, double, single)?;
                exact &= f64::from(single) == double;
            }
        }
        Ok((NineBanded { n: self.n, m: self.m, bands: Arc::new(bands) }, exact))
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
