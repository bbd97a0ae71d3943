//! Matrices from whole diagonals.

use crate::data::nine_banded::{NineBanded, bands_by, check_sizes, zeros};
use crate::data::{Band, BandError, Result};
use crate::memory::host_threads;

use super::offsets::Offsets;

/// A diagonal of a matrix, by columns, as `scipy.sparse.dia_array` has it: element `j` is the entry in row `j -
/// offset`, column `j`. What is outside of the matrix does not count, and what is missing is 0.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // Named after what they are.
pub struct Diagonal<'a> {
    pub offset: isize,
    pub entries: &'a [f64],
}

impl NineBanded<f64> {
    /// Returns the width of the grid of a matrix with diagonals at these offsets, which may be known; `None` if they are not
    /// nine, or leave it open.
    pub fn width_of_diagonals(
        offsets: impl IntoIterator<Item = isize>,
        width: Option<usize>,
    ) -> Option<usize> {
        let mut found = Offsets::new(width);
        offsets.into_iter().try_for_each(|offset| found.index(offset).map(drop)).ok()?;
        found.choose()
    }

    /// Returns the matrix of `n` rows of these diagonals, for a grid in rows of `m`. Diagonals at the same offset are
    /// summed.
    ///
    /// ```
    /// use quadrille::data::{Diagonal, NineBanded};
    ///
    /// let (middle, above) = ([2.0; 6], [9.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
    /// let diagonals = [Diagonal { offset: 0, entries: &middle }, Diagonal { offset: 1, entries: &above }];
    /// let matrix = NineBanded::from_diagonals(6, 3, &diagonals)?;
    /// assert_eq!((matrix.entry(0, 0), matrix.entry(0, 1), matrix.entry(1, 0)), (2.0, -1.0, 0.0));
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`BandError::NotNineBanded`] for an offset that the width does not have, and those of [`NineBanded::new`].
    pub fn from_diagonals(
        n: usize,
        m: usize,
        diagonals: &[Diagonal<'_>],
    ) -> Result<NineBanded<f64>> {
        check_sizes(n, m)?;
        let mut bands = bands_by(|_| zeros::<f64>(n))?;
        for Diagonal { offset, entries } in diagonals {
            let Some(band) = Band::at_offset(*offset, m) else {
                let (row, column) = (offset.min(&0).unsigned_abs(), *offset.max(&0) as usize);
                let why = format!("which the width {m} does not have");
                return Err(BandError::NotNineBanded { row, column, diagonal: *offset, why }.into());
            };
            let inside = band.rows(n, m);
            host_threads::fill(&mut bands[band.index()][inside.clone()], 1, |first, to| {
                let column = (inside.start + first).wrapping_add_signed(*offset);
                let entries = entries.get(column..).unwrap_or_default();
                to.iter_mut().zip(entries).for_each(|(to, entry)| *to += entry);
            });
        }
        NineBanded::new(m, bands)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::Error;
    use crate::data::Stencil;

    #[test]
    fn a_matrix_is_that_of_its_diagonals_wherever_they_end() {
        for text in
            ["fe9:5x4:angle=30:anisotropy=0.1", "convection:7x3", "random:9x1", "poisson5:3x2"]
        {
            let matrix = text.parse::<Stencil>().unwrap().matrix_f64().unwrap();
            let (n, m) = (matrix.n(), matrix.m());
            for (length, outside) in [(n, 7.0), (n + 5, f64::NAN)] {
                let by_columns = Band::ALL.map(|band| {
                    let entry = |column: usize| {
                        let row = column.checked_add_signed(-band.offset(m));
                        let inside = row.filter(|row| *row < n && column < n);
                        inside.map_or(outside, |row| matrix.band(band)[row])
                    };
                    (band.offset(m), (0..length).map(entry).collect::<Vec<f64>>())
                });
                let diagonals: Vec<Diagonal<'_>> = by_columns
                    .iter()
                    .map(|(offset, entries)| Diagonal { offset: *offset, entries })
                    .collect();
                assert!(NineBanded::from_diagonals(n, m, &diagonals).unwrap() == matrix, "{text}");
                // Those that end early, or are there twice.
                let twice = [
                    diagonals[0],
                    Diagonal { entries: &diagonals[0].entries[..2], ..diagonals[0] },
                ];
                let made = NineBanded::from_diagonals(n, m, &twice).unwrap();
                let first = matrix.entry(0, 0);
                assert_eq!(
                    (made.entry(0, 0), made.entry(1, 1)),
                    (2.0 * first, 2.0 * matrix.entry(1, 1))
                );
                assert_eq!(made.entry(2, 2), matrix.entry(2, 2));
            }
        }
    }

    #[test]
    fn other_offsets_are_refused() {
        let width = |offsets: &[isize], width| {
            NineBanded::width_of_diagonals(offsets.iter().copied(), width)
        };
        assert_eq!(width(&[0, 1, -1, 7, -7], None), Some(7));
        assert_eq!(width(&[0, 1, -1], None), None);
        assert_eq!(width(&[0, 1, -1], Some(9)), Some(9));
        assert_eq!(width(&[0, 7, 50], None), None);
        let entries = &[1.0; 30][..];
        let made = NineBanded::from_diagonals(30, 7, &[Diagonal { offset: -5, entries }]);
        assert!(
            matches!(made, Err(Error::Bands(BandError::NotNineBanded { row: 5, column: 0, .. }))),
            "{made:?}"
        );
    }
}
