//! The sums of a file's entries on each diagonal.

use std::path::Path;

use super::super::error::{in_file, no_memory, whole_file};
use super::super::{Error, Result};
use super::scanner::{Entry, Position, check_held};
use crate::data::nine_banded::{check_sizes, entries::offsets::Offsets};
use crate::data::{self, Band, Float, MIN_WIDTH, NineBanded, zeros};
use crate::memory;

/// The nonzero diagonals of a square matrix: never more than nine.
pub(super) struct Diagonals {
    n: usize,
    offsets: Offsets,
    /// The sums of entries, in the order of the offsets.
    sums: Vec<Vec<f64>>,
}

impl Diagonals {
    pub(super) fn new(n: usize, width: Option<usize>) -> data::Result<Self> {
        check_sizes(n, width.unwrap_or(MIN_WIDTH))?;
        Ok(Diagonals { n, offsets: Offsets::new(width), sums: Vec::with_capacity(9) })
    }

    /// Adds an entry to its diagonal, or refuses it where no width explains it with those before
    /// it.
    pub(super) fn add<T: Float>(&mut self, position: &Position<'_>, entry: Entry) -> Result<()> {
        if entry.value == 0.0 {
            return Ok(());
        }
        let index = index_of(&mut self.offsets, position, entry)?;
        if index == self.sums.len() {
            self.sums.push(zeros(self.n).map_err(|reason| Error::Data {
                place: position.place(),
                reason: Box::new(reason),
            })?);
        }
        let sum = &mut self.sums[index][entry.row];
        *sum += entry.value;
        check_held::<T>(position, entry, *sum)
    }

    /// Returns the matrix, each entry rounded to its type.
    pub(super) fn finish<T: Float>(self, path: &Path) -> Result<NineBanded<T>> {
        let Some(m) = self.offsets.choose() else {
            return Err(Error::WidthOpen { place: whole_file(path), n: self.n });
        };
        let mut sums: [Vec<f64>; 9] = Default::default();
        for (offset, entries) in self.offsets.found().iter().zip(self.sums) {
            if let Some(band) = Band::at_offset(*offset, m) {
                sums[band.index()] = entries;
            }
        }
        rounded(path, m, self.n, sums)
    }
}

/// Returns the index of an entry's diagonal, which may be a new one; refused where no width
/// explains it with those before it.
pub(super) fn index_of(
    offsets: &mut Offsets,
    position: &Position<'_>,
    entry: Entry,
) -> Result<usize> {
    let diagonal = entry.col as isize - entry.row as isize;
    offsets.index(diagonal).map_err(|why| Error::NotNineBanded {
        place: position.place(),
        row: entry.row + 1,
        col: entry.col + 1,
        diagonal,
        why,
    })
}

/// Returns the matrix of the sums of its entries, band by band; a band without entries is empty.
pub(super) fn rounded<T: Float>(
    path: &Path,
    m: usize,
    n: usize,
    sums: [Vec<f64>; 9],
) -> Result<NineBanded<T>> {
    let mut bands: [Vec<T>; 9] = Default::default();
    for (band, entries) in bands.iter_mut().zip(sums) {
        *band = match entries.is_empty() {
            true => zeros(n).map_err(in_file(path))?,
            false => memory::collected(n, entries.into_iter().map(T::nearest))
                .map_err(no_memory(path))?,
        };
    }
    NineBanded::new(m, bands).map_err(in_file(path))
}
