//! The names of the nine diagonals.

use std::fmt;
use std::ops::Range;

/// The least distance of the outer bands: below it bands coincide.
pub const MIN_WIDTH: usize = 3;

/// The most unknowns a matrix in memory may have, the greatest distance of its outer bands, and the
/// most rows of a grid.
pub const MAX_UNKNOWNS: usize = 1 << 30;

/// One of the nine diagonals of a [`NineBanded`](crate::data::NineBanded) matrix, by the names of
/// Göddeke's *GPGPU Performance Tuning*.
///
/// The first letter says which block of three: `D` around the main diagonal, `U` around the one `m`
/// above it, `L` around the one `m` below it. The second says which of the three: `D` the middle,
/// `U` one to the right, `L` one to the left. On a grid of `m` columns numbered row by row, `DU` is
/// the neighbour to the right and `UD` the one in the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Band {
    /// The main diagonal, offset 0.
    DD,
    /// Offset +1.
    DU,
    /// Offset -1.
    DL,
    /// Offset +m.
    UD,
    /// Offset +m+1.
    UU,
    /// Offset +m-1.
    UL,
    /// Offset -m.
    LD,
    /// Offset -m+1.
    LU,
    /// Offset -m-1.
    LL,
}

impl Band {
    /// All nine, in the order of the arguments of
    /// [`NineBanded::new`](crate::data::NineBanded::new).
    pub const ALL: [Band; 9] =
        [Band::DD, Band::DU, Band::DL, Band::UD, Band::UU, Band::UL, Band::LD, Band::LU, Band::LL];

    /// Returns the index of this band in [`Band::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the column minus the row of every entry of this band, in a matrix whose outer bands
    /// lie `m` away.
    pub fn offset(self, m: usize) -> isize {
        let (along_x, along_y) = self.step();
        along_y * m as isize + along_x
    }

    /// Returns the steps along x and y, each -1, 0 or 1, to the neighbour that this band couples a
    /// point of a grid to.
    pub(crate) fn step(self) -> (isize, isize) {
        match self {
            Band::DD => (0, 0),
            Band::DU => (1, 0),
            Band::DL => (-1, 0),
            Band::UD => (0, 1),
            Band::UU => (1, 1),
            Band::UL => (-1, 1),
            Band::LD => (0, -1),
            Band::LU => (1, -1),
            Band::LL => (-1, -1),
        }
    }

    /// Returns the neighbour of this point, unless its column or row would be negative.
    pub(crate) fn beside(self, x: usize, y: usize) -> Option<(usize, usize)> {
        let (along_x, along_y) = self.step();
        Some((x.checked_add_signed(along_x)?, y.checked_add_signed(along_y)?))
    }

    /// Returns the band at this offset, if there is one. No two share an offset where `m` is at
    /// least 3.
    pub fn at_offset(offset: isize, m: usize) -> Option<Band> {
        Band::ALL.into_iter().find(|band| band.offset(m) == offset)
    }

    /// Returns the rows of an `n` by `n` matrix in which this band is inside the matrix.
    pub fn rows(self, n: usize, m: usize) -> Range<usize> {
        let offset = self.offset(m);
        let away = offset.unsigned_abs().min(n);
        if offset < 0 { away..n } else { 0..n - away }
    }

    /// Returns the name that Göddeke 2005 uses.
    pub fn name(self) -> &'static str {
        ["DD", "DU", "DL", "UD", "UU", "UL", "LD", "LU", "LL"][self.index()]
    }
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
