//! What the rows of a matrix are like: their diagonals, dominance and symmetry.

use super::{Kept, NineBanded};
use crate::data::{Band, Float};
use crate::memory::host_threads;

impl<T: Float> NineBanded<T> {
    /// Returns the first row whose number on the diagonal is as asked, and that number.
    pub(crate) fn first_on_diagonal(&self, is: impl Fn(T) -> bool + Sync) -> Option<(usize, T)> {
        match &self.entries.kept {
            Kept::Constant(constant) => constant.first_on_diagonal(is),
            _ => self.first_in(Band::DD, is),
        }
    }

    /// Returns the first row whose number in a band is as asked, and that number; several threads look.
    pub(super) fn first_in(&self, band: Band, is: impl Fn(T) -> bool + Sync) -> Option<(usize, T)> {
        const TOGETHER: usize = 512;
        let found = host_threads::in_ranges(self.n, TOGETHER, |rows| {
            let mut numbers = [T::default(); TOGETHER];
            rows.clone().step_by(TOGETHER).find_map(|first| {
                let numbers = &mut numbers[..TOGETHER.min(rows.end - first)];
                self.fill(band, first..first + numbers.len(), numbers);
                let at = numbers.iter().position(|number| is(*number))?;
                Some((first + at, numbers[at]))
            })
        });
        found.into_iter().flatten().next()
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
            Kept::Nothing | Kept::Rounded(_) => (0..self.n).find_map(differs),
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
        match &self.entries.kept {
            Kept::Constant(_) | Kept::Field(_) => return false,
            Kept::Rounded(rounded) => return rounded.couples_across_ends(),
            Kept::Nothing => {}
        }
        let ends =
            [(0, [Band::LL, Band::DL, Band::UL]), (self.m - 1, [Band::LU, Band::DU, Band::UU])];
        let any = |band: Band, first: usize| {
            self.band(band).iter().skip(first).step_by(self.m).any(|entry| *entry != T::zeroed())
        };
        ends.into_iter().any(|(first, bands)| bands.into_iter().any(|band| any(band, first)))
    }
}
