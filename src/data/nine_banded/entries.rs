//! Matrices from entries in any order.

pub(crate) mod diagonals;
pub(crate) mod offsets;

use super::{NineBanded, check_sizes, zeros};
use crate::data::error::BandError;
use crate::data::{Band, MIN_WIDTH, Result};
use offsets::Offsets;

impl NineBanded<f64> {
    /// Returns the matrix of `n` rows of these entries, each with its row and its column, from 0.
    /// Entries at the same position are summed, and zeros are ignored.
    ///
    /// `width` is the distance `m` of the outer bands. Without it, it is found from the diagonals
    /// that hold something: the largest offset itself where that explains all of them, else one
    /// less, else one more.
    ///
    /// ```
    /// use quadrille::data::{Band, NineBanded};
    ///
    /// let chain = (0..6).flat_map(|i| [(i, i, 2.0), (i, (i + 3) % 6, -1.0)]);
    /// let matrix = NineBanded::from_entries(6, None, chain)?;
    /// assert_eq!((matrix.m(), matrix.entry(4, 1)), (3, -1.0));
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`BandError::NotNineBanded`]; [`BandError::WidthOpen`] where all entries are on the three middle
    /// diagonals and no width is given; [`BandError::EntryOutside`]; and those of [`NineBanded::new`].
    pub fn from_entries(
        n: usize,
        width: Option<usize>,
        entries: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<NineBanded<f64>> {
        check_sizes(n, width.unwrap_or(MIN_WIDTH))?;
        let mut offsets = Offsets::new(width);
        let mut sums: Vec<Vec<f64>> = Vec::with_capacity(9);
        for (row, column, value) in entries {
            if row >= n || column >= n {
                return Err(BandError::EntryOutside { row, column, last: n - 1 }.into());
            }
            if value == 0.0 {
                continue;
            }
            let diagonal = column as isize - row as isize;
            let index = offsets.index(diagonal).map_err(|why| BandError::NotNineBanded {
                row,
                column,
                diagonal,
                why,
            })?;
            if index == sums.len() {
                sums.push(zeros(n)?);
            }
            sums[index][row] += value;
        }
        let m = offsets.choose().ok_or(BandError::WidthOpen { n })?;
        let mut bands: [Vec<f64>; 9] = Default::default();
        for (offset, sums) in offsets.found().iter().zip(sums) {
            if let Some(band) = Band::at_offset(*offset, m) {
                bands[band.index()] = sums;
            }
        }
        for band in bands.iter_mut().filter(|band| band.is_empty()) {
            *band = zeros(n)?;
        }
        NineBanded::new(m, bands)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::Error;

    /// Returns the entries that are not zero, row by row.
    fn entries(matrix: &NineBanded<f64>) -> Vec<(usize, usize, f64)> {
        let n = matrix.n();
        let all = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
        let all = all.map(|(row, column)| (row, column, matrix.entry(row, column)));
        all.filter(|entry| entry.2 != 0.0).collect()
    }

    #[test]
    fn a_matrix_is_that_of_its_entries_in_any_order_and_in_parts() {
        for stencil in
            ["fe9:5x4:anisotropy=0.1:angle=30", "poisson5:7", "convection:4x3", "poisson5:9x1"]
        {
            let matrix = stencil.parse::<crate::data::Stencil>().unwrap().matrix_f64().unwrap();
            let mut entries = entries(&matrix);
            entries.reverse();
            let halves = entries
                .iter()
                .chain(&entries)
                .map(|&(row, column, entry)| (row, column, entry / 2.0));
            let made = NineBanded::from_entries(matrix.n(), Some(matrix.m()), halves).unwrap();
            assert!(made == matrix, "{stencil}");
            let found = NineBanded::from_entries(matrix.n(), None, entries);
            match stencil {
                "poisson5:9x1" => {
                    assert_eq!(found.unwrap_err(), BandError::WidthOpen { n: 9 }.into())
                }
                _ => assert!(found.unwrap() == matrix, "{stencil}"),
            }
        }
    }

    #[test]
    fn what_is_no_nine_banded_matrix_is_refused() {
        let made = |n, width, entry: (usize, usize, f64)| {
            let entries = [(0, 0, 1.0), (0, 4, 1.0), (5, 5, 0.0), entry];
            NineBanded::from_entries(n, width, entries)
        };
        assert!(made(9, None, (0, 8, 0.0)).is_ok());
        assert!(matches!(
            made(9, None, (0, 8, 1.0)),
            Err(Error::Bands(BandError::NotNineBanded { column: 8, .. }))
        ));
        assert!(matches!(
            made(9, Some(7), (0, 0, 1.0)),
            Err(Error::Bands(BandError::NotNineBanded { column: 4, .. }))
        ));
        assert!(matches!(
            made(9, None, (9, 0, 1.0)),
            Err(Error::Bands(BandError::EntryOutside { row: 9, .. }))
        ));
        assert!(matches!(
            made(9, None, (1, 1, f64::NAN)),
            Err(Error::Bands(BandError::NotFinite { row: 1, .. }))
        ));
        assert!(matches!(made(0, None, (0, 0, 1.0)), Err(Error::Empty)));
        assert!(matches!(
            made(9, Some(2), (0, 0, 1.0)),
            Err(Error::Bands(BandError::WidthTooSmall { .. }))
        ));
    }
}
