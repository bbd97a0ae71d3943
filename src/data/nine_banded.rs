//! A square matrix with nine diagonals, checked when it is made.

pub(super) mod band;
pub(crate) mod constant;
pub(crate) mod diffusion;
pub(crate) mod entries;
pub(super) mod float;
mod form;
mod part;
mod product;
pub(super) mod random;
mod rounded;
mod rounding;
mod rows;

use std::fmt;
use std::sync::{Arc, OnceLock};

use bytemuck::Zeroable;

use super::{Band, BandError, Error, Float, Result};
use crate::memory::{self, host_threads};
use band::{MAX_UNKNOWNS, MIN_WIDTH};
use constant::Constant;
use diffusion::Diffusion;
use rounded::Rounded;

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
    /// Diffusion by a coefficient at each point of a grid, or at each face between two, which is all that is
    /// kept.
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
    /// Another matrix, whose numbers are rounded as they are asked for.
    Rounded(Rounded),
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
                return Err(BandError::BandLength { band, expected: n, got: entries.len() }.into());
            }
            check_entries(band, n, m, entries)?;
        }
        Ok(NineBanded { n, m, entries: Entries::stored(bands) })
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

impl<T> fmt::Debug for NineBanded<T> {
    /// Returns the sizes alone: the entries may be millions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NineBanded").field("n", &self.n).field("m", &self.m).finish_non_exhaustive()
    }
}

/// Refuses sizes that no matrix can have, before anything is allocated for them.
pub(crate) fn check_sizes(n: usize, m: usize) -> Result<()> {
    if m < MIN_WIDTH {
        return Err(BandError::WidthTooSmall { m }.into());
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

/// The nine bands by a function of each, unless it fails.
pub(crate) fn bands_by<T, E>(
    mut entries: impl FnMut(Band) -> Result<Vec<T>, E>,
) -> Result<[Vec<T>; 9], E> {
    let mut bands: [Vec<T>; 9] = Default::default();
    for band in Band::ALL {
        bands[band.index()] = entries(band)?;
    }
    Ok(bands)
}

fn check_entries<T: Float>(band: Band, n: usize, m: usize, entries: &[T]) -> Result<()> {
    let found = host_threads::in_ranges(n, 1, |mut rows| {
        rows.find(|row| !Into::<f64>::into(entries[*row]).is_finite())
    });
    if let Some(row) = found.into_iter().flatten().next() {
        return Err(BandError::NotFinite { band, row, value: entries[row].into() }.into());
    }
    let inside = band.rows(n, m);
    let outside = (0..inside.start).chain(inside.end..n).find(|&row| entries[row] != T::default());
    match outside {
        None => Ok(()),
        Some(row) => {
            let column = row as isize + band.offset(m);
            Err(BandError::Outside { band, row, column, last: n - 1, value: entries[row].into() }
                .into())
        }
    }
}
